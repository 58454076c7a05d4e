// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PubSubBenchMainTest {
    @ParameterizedTest
    @CsvSource({
        "--rounds 0, --rounds 0 is out of range",
        "--seconds 0, --seconds 0.0 is out of range",
        "--subscribers 0, --subscribers 0 is out of range",
        "'--only closed,nothing', --only 'nothing' is unknown",
        "--peer valkey-server, --peer 'valkey-server' is not NAME=COMMAND",
        "--nonsense, --nonsense",
    })
    void shouldRefuseABadOptionWithOneLine(final String arguments, final String part) {
        final Captured run = Captured.run(() -> PubSubBenchMain.run(arguments.split(" ", -1)));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .hasLineCount(1)
                .startsWith("goblin bench pubsub: ")
                .contains(part);
    }

    @Test
    void shouldSayWhereItLooksForThePrograms(@TempDir final Path folder) {
        final Captured run = Captured.run(() -> PubSubBenchMain.run("--root", folder.toString()));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).hasLineCount(1).contains(folder + " holds no bin/goblin-core");
    }
}
