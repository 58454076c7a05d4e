// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PausesTest {
    private static final String COLLECTION = "[1.2s] Safepoint \"SerialCollectForAllocation\", Time since last: 5 ns,"
            + " Reaching safepoint: 100 ns, At safepoint: 900 ns, Leaving safepoint: 5 ns, Total:  1005 ns,"
            + " Threads: 1 runnable, 12 total\n";
    private static final String OTHER = "[1.3s] Safepoint \"ICBufferFull\", Time since last: 5 ns,"
            + " Reaching safepoint: 1 ns, Cleanup: 1 ns, At safepoint: 1 ns, Total: 3 ns\n";

    @Test
    void shouldAddUpThePausesOfEachCause() {
        assertThat(Pauses.causes(COLLECTION + OTHER + COLLECTION))
                .isEqualTo(Map.of(
                        "SerialCollectForAllocation", new Pauses.Cause(2, 1005, 2010),
                        "ICBufferFull", new Pauses.Cause(1, 3, 3)));
    }

    @Test
    void shouldCountOnlyWhatComesAfterTheBeginning(@TempDir final Path folder) throws Exception {
        final Pauses pauses = new Pauses(folder, "p");
        final Path log = folder.resolve("p-pauses.log");
        Files.writeString(log, COLLECTION);
        pauses.begin();
        Files.writeString(log, OTHER, StandardOpenOption.APPEND);

        assertThat(Pauses.longestNs(pauses.causes())).isEqualTo(3);
    }

    @Test
    void shouldUnderstandWhatThisJvmWrites(@TempDir final Path folder) throws Exception {
        final Pauses pauses = new Pauses(folder, "p");
        final Path program = Files.writeString(folder.resolve("Collects.java"), "void main() { System.gc(); }");
        final Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        pauses.option(),
                        program.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();

        assertThat(pauses.causes()).isNotEmpty();
        assertThat(Pauses.longestNs(pauses.causes())).isPositive();
    }
}
