// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerfMainTest {
    private static final String TARGET = "--target 127.0.0.1 1 --nqn nqn.a ";

    @ParameterizedTest
    @CsvSource({
        "--nqn nqn.a, Missing required",
        "--target 127.0.0.1 1, --target needs --nqn",
        "--target 127.0.0.1 x --nqn nqn.a, is no port",
        "+ --sockets poll, --sockets",
        "+ --io-size 256, --io-size",
        "+ --read-mix 101, --read-mix 101",
        "+ --ios -5, --ios -5 is out of range",
        "+ --ios 0, --ios 0 is out of range",
        "+ --ios 5 --seconds 1, mutually exclusive",
        "+ --seconds 0, must be positive",
        "+ --rounds 2, --rounds means nothing when no targets are started",
        "+ --target-cpu 1, --target-cpu means nothing when no targets are started",
        "+ --media mem, --media means nothing without --compare",
        "--table --limits 255, --limits means nothing with --table",
        "--compare --csv, --csv means nothing with --compare",
        "--compare --io-size 4K, --io-size means nothing with --compare",
        "--compare --limits 32, --limits 32 is out of range",
        "--compare --pieces 1M --sizes 512, --sizes 512 is out of range",
        "--compare --pieces 2M, --pieces 2097152 is out of range",
        "--compare --media disk, --media",
        "--retention --media mem, --media means nothing with --retention",
        "--retention --compare, mutually exclusive",
        "--table --ios 5, --ios means nothing with --table",
        "--table --verify, --verify means nothing with --table",
        "--table --queue-depth 32, --queue-depth means nothing with --table",
        "--table --nqn nqn.a, --nqn means nothing with --table",
        "--table --sequential, --sequential means nothing with --table",
    })
    void shouldRefuseInOneLine(final String options, final String why) {
        final StringWriter said = new StringWriter();
        final int status = PerfMain.run(
                new PrintWriter(said), options.replace("+ ", TARGET).split(" "));
        assertThat(status).isEqualTo(2);
        assertThat(said.toString().strip()).contains(why).doesNotContain("\n");
    }
}
