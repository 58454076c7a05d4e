// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompareMainTest {
    @ParameterizedTest
    @CsvSource({
        "--alternations 0, --alternations 0 is out of range",
        "--requests 10, --requests 10 is out of range",
        "'--idle-clients 0,-1', --idle-clients -1 is out of range",
        "--burst-subscribers 0, --burst-subscribers 0 is out of range",
        "--nonsense, --nonsense",
    })
    void shouldRefuseABadOptionWithOneLine(final String arguments, final String part) {
        final Captured run = Captured.run(() -> CompareMain.run(arguments.split(" ", -1)));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).hasLineCount(1).startsWith("goblin bench: ").contains(part);
    }

    @Test
    void shouldSayWhereItLooksForThePrograms(@TempDir final Path folder) {
        final Captured run = Captured.run(() -> CompareMain.run("--root", folder.toString()));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).hasLineCount(1).contains(folder + " holds no bin/goblin-core");
    }

    @Test
    void shouldPrefixACommandWithItsPriorityAndCpu() {
        assertThat(new Placement(1, 20).apply(List.of("probe", "x")))
                .containsExactly("chrt", "-f", "20", "taskset", "-c", "1", "probe", "x");
        assertThat(new Placement(-1, 30).apply(List.of("probe"))).containsExactly("chrt", "-f", "30", "probe");
        assertThat(Placement.FREE.apply(List.of("probe"))).containsExactly("probe");
    }
}
