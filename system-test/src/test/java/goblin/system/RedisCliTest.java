// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.ServerProcess;
import goblin.system.rig.Side;
import goblin.system.rig.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** redis-cli and nc through the edge, as people script them. */
final class RedisCliTest {
    private static final String EDGE = Integer.toString(Side.forRealClients().port());

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"-2", "-3"})
    void shouldSpeakBothProtocols(final String protocol) throws IOException {
        final Path script = Files.writeString(folder.resolve("commands"), """
                SET cli:k v
                GET cli:k
                MULTI
                INCR cli:n
                EXEC
                LRANGE cli:none 0 -1
                EVAL "return {1,'two',false}" 0
                DEL cli:k cli:n
                """);

        assertThat(shell("redis-cli " + protocol + " -p " + EDGE + " < " + script))
                .isEqualTo("OK|v|OK|QUEUED|1||1|two||2");
    }

    @Test
    void shouldStoreAValueOfHundredMebibytes() throws IOException {
        final int bytes = 100 << 20;
        final Path value = folder.resolve("value");
        shell("head -c " + bytes + " /dev/urandom > " + value);

        assertThat(shell("redis-cli -p " + EDGE + " -x SET cli:big < " + value)).isEqualTo("OK");
        assertThat(shell("redis-cli -p " + EDGE + " STRLEN cli:big")).isEqualTo(Integer.toString(bytes));
        // Without a terminal redis-cli ends a bulk reply with one line feed of its own.
        assertThat(shell("redis-cli -p " + EDGE + " GET cli:big | head -c " + bytes + " | cmp - " + value
                        + " && echo same"))
                .isEqualTo("same");
        assertThat(shell("redis-cli -p " + EDGE + " DEL cli:big")).isEqualTo("1");
    }

    @Test
    void shouldLoadThroughAPipe() throws IOException {
        final StringBuilder commands = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            commands.append("SET cli:pipe ").append(i).append('\n');
        }
        final Path script = Files.writeString(folder.resolve("commands"), commands);

        assertThat(shell("redis-cli -p " + EDGE + " --pipe < " + script)).endsWith("errors: 0, replies: 1000");
        assertThat(shell("redis-cli -p " + EDGE + " GET cli:pipe")).isEqualTo("999");
    }

    @Test
    void shouldAnswerNetcatThatEndsItsSide() {
        assertThat(shell("printf 'PING\\r\\nSET cli:nc 1\\r\\nINCR cli:nc\\r\\n' | nc -N 127.0.0.1 " + EDGE))
                .isEqualTo("+PONG|+OK|:2");
        assertThat(shell("printf 'SET cli:nc 5\\nGET cli:nc\\n' | nc -N 127.0.0.1 " + EDGE))
                .isEqualTo("+OK|$1|5");
        try (WireClient subscriber = WireClient.connect(Side.forRealClients().port())) {
            subscriber.call("SUBSCRIBE", "cli:c");
            assertThat(shell("printf 'PUBLISH cli:c last\\r\\n' | nc -N 127.0.0.1 " + EDGE))
                    .isEqualTo(":1");
            assertThat(subscriber.reply()).isEqualTo("*3¶$7¶message¶$5¶cli:c¶$4¶last¶");
        }
    }

    @Test
    void shouldScanAndReportWithItsOwnModes() {
        try (WireClient client = WireClient.connect(Side.forRealClients().port())) {
            client.call("SET", "cli:scan:1", "x");
        }

        assertThat(shell("redis-cli -p " + EDGE + " --scan --pattern 'cli:scan:*'"))
                .isEqualTo("cli:scan:1");
        assertThat(shell("redis-cli -p " + EDGE + " INFO edge | grep -c '^# Edge'"))
                .isEqualTo("1");
    }

    /** Standard output's lines joined by a bar. */
    private static String shell(final String line) {
        final ServerProcess shell = ServerProcess.run("bash", "-c", line);
        assertThat(shell.stderr()).isEmpty();
        return String.join(
                "|", shell.stdout().stream().map(String::stripTrailing).toList());
    }
}
