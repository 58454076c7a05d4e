// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.Side;
import goblin.system.rig.WireClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the edge serves, refuses or adds itself, where the host alone would answer otherwise. */
final class EdgeCommandsTest {
    private WireClient client;
    private WireClient host;

    @BeforeEach
    void connect() {
        client = WireClient.connect(Side.EDGE.port());
        host = WireClient.connect(Side.HOST.port());
        host.call("FLUSHALL");
    }

    @AfterEach
    void close() {
        client.close();
        host.close();
    }

    @Test
    void shouldSayThatItIsTheEdge() {
        assertThat(client.call("HELLO")).contains("¶$6¶server¶$21¶goblin-core-bluefield¶");
        assertThat(client.call("HELLO", "3")).contains("¶$6¶server¶$21¶goblin-core-bluefield¶");
    }

    @Test
    void shouldAppendItsSectionToTheHostsInfo() {
        final String info = client.call("INFO");

        assertThat(info).contains("# Server¶").contains("¶# Edge¶").contains("¶goblin_version:");
        assertThat(host.call("INFO")).doesNotContain("# Edge¶").contains("# Edges¶");
        assertThat(client.call("PING")).isEqualTo("+PONG¶");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"MONITOR", "SYNC", "PSYNC ? -1", "REPLCONF listening-port 1", "FAILOVER", "SCRIPT DEBUG YES"})
    void shouldRefuseWhatIsForReplicasAndDebuggers(final String refused) {
        assertThat(client.call(refused.split(" "))).startsWith("-ERR ");
        assertThat(client.call("SET", "k", "v")).isEqualTo("+OK¶");
        assertThat(client.call("PING")).isEqualTo("+PONG¶");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WATCH k",
                "SUBSCRIBE c",
                "PUNSUBSCRIBE",
                "HELLO 3",
                "HELLO",
                "AUTH default x",
                "SELECT 1",
                "CLIENT SETNAME n",
                "CLIENT ID",
                "CLIENT REPLY OFF"
            })
    void shouldRefuseInATransactionWhatItServesItself_W7(final String refused) {
        client.raw(command("MULTI")
                + command(refused.split(" "))
                + command("SET", "k", "v")
                + command("EXEC")
                + command("GET", "k")
                + command("CLIENT", "GETNAME"));

        assertThat(client.replies(6))
                .containsExactly(
                        "+OK¶",
                        "-ERR Command not allowed inside a transaction¶",
                        "+QUEUED¶",
                        "-EXECABORT Transaction discarded because of previous errors.¶",
                        "$-1¶",
                        "$-1¶");
    }

    @Test
    void shouldStayInStepWhenTheHostRefusesTheExecOfARefusedQueue_W7() {
        for (int round = 0; round < 3; round++) {
            client.raw(command("MULTI")
                    + command("SUBSCRIBE", "c")
                    + command("EXEC")
                    + command("MULTI")
                    + command("INCR", "n")
                    + command("EXEC")
                    + command("ECHO", "r" + round));

            assertThat(client.replies(7))
                    .containsExactly(
                            "+OK¶",
                            "-ERR Command not allowed inside a transaction¶",
                            "-EXECABORT Transaction discarded because of previous errors.¶",
                            "+OK¶",
                            "+QUEUED¶",
                            "*1¶:" + (round + 1) + "¶",
                            "$2¶r" + round + "¶");
        }
    }

    @Test
    void shouldRefuseToRedirectInvalidations() {
        client.call("HELLO", "3");
        final String id = client.call("CLIENT", "ID");

        assertThat(client.call("CLIENT", "TRACKING", "ON", "REDIRECT", id.substring(1, id.length() - 1)))
                .startsWith("-ERR ");
        assertThat(client.call("CLIENT", "TRACKING", "ON")).isEqualTo("+OK¶");
        assertThat(client.call("CLIENT", "TRACKINGINFO")).startsWith("%3¶");
    }

    @Test
    void shouldDescribeItsOwnRegistryInPubsub() {
        final WireClient hostSubscriber = WireClient.connect(Side.HOST.port());
        try {
            hostSubscriber.call("SUBSCRIBE", "only-at-host");
            client.call("HELLO", "3");
            client.call("SUBSCRIBE", "only-at-edge");

            assertThat(client.call("PUBSUB", "CHANNELS", "only-*")).isEqualTo("*1¶$12¶only-at-edge¶");
            assertThat(client.call("PUBSUB", "NUMSUB", "only-at-host")).isEqualTo("*2¶$12¶only-at-host¶:0¶");
            assertThat(host.call("PUBSUB", "CHANNELS", "only-*"))
                    .contains("only-at-edge")
                    .contains("only-at-host");
        } finally {
            hostSubscriber.close();
        }
    }

    @Test
    void shouldForgetTheHostSessionAtReset() {
        client.call("SET", "k", "1");
        client.call("WATCH", "k");
        assertThat(client.call("RESET")).isEqualTo("+RESET¶");
        host.call("SET", "k", "2");

        client.raw(command("MULTI") + command("GET", "k") + command("EXEC"));
        assertThat(client.replies(3)).containsExactly("+OK¶", "+QUEUED¶", "*1¶$1¶2¶");
    }
}
