// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.testkit.RespClient;
import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders of events that were found by review and broke something once. */
final class EdgeRegressionTest {
    private EdgeUnderTest edge;
    private ScriptedHost host;

    @BeforeEach
    void startEdge() throws IOException {
        edge = new EdgeUnderTest("--max-output-buffer-bytes", "1048576");
        host = edge.host();
    }

    @AfterEach
    void stopEdge() throws IOException {
        edge.close();
    }

    @Test
    void shouldNotAnswerAnotherClientWithTheCountOfAPublicationWhoseClientEnded() throws Exception {
        final RespClient ended = edge.client();
        ended.send("PUBLISH", "c", "x").send("BLPOP", "k", "0");
        ended.endOutput();
        assertThat(host.nextLinkMessage()).startsWith("publish 1");
        final ScriptedHost.Session released = host.nextSession().answerId(1);
        assertThat(released.nextCommand()).isEqualTo("BLPOP k 0");
        assertThat(released.nextCommand()).isEqualTo("end");
        released.close();
        final RespClient other = edge.client();
        other.send("GET", "k").send("PING");
        final ScriptedHost.Session session = host.nextSession().answerId(2);
        assertThat(session.nextCommand()).isEqualTo("GET k");

        host.published(1, 5);

        assertThat(ended.read()).isEqualTo(":5");
        assertThat(ended.readUntilClosed()).isEmpty();
        session.reply("$1\r\nv\r\n");
        assertThat(other.read(2)).containsExactly("\"v\"", "+PONG");
    }

    @Test
    void shouldReleaseABlockedCommandThatWasForwardedAfterTheClientHadEnded() throws Exception {
        final RespClient client = edge.client();
        client.send("PUBLISH", "c", "1")
                .send("EVAL", "x", "0")
                .send("BLPOP", "k", "0")
                .send("PUBLISH", "c", "2");
        client.endOutput();
        assertThat(host.nextLinkMessage()).startsWith("publish 1");
        Awaitility.await().until(() -> edge.sum(e -> e.clients().count()) == 1);

        host.published(1, 0);

        final ScriptedHost.Session session = host.nextSession().answerId(1);
        assertThat(session.nextCommand()).isEqualTo("EVAL x 0");
        assertThat(session.nextCommand()).isEqualTo("BLPOP k 0");
        session.reply(":1\r\n");
        assertThat(session.nextCommand()).isEqualTo("end");
        session.close();
        assertThat(client.readUntilClosed()).isEqualTo(":0\r\n:1\r\n");
    }

    @Test
    void shouldAnswerAMalformedEndOfAStreamedCommandAtOnce() throws Exception {
        final RespClient client = edge.client();
        client.raw("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$100000\r\n" + "v".repeat(100_000) + "XX");
        host.nextSession().answerId(1);

        assertThat(client.read()).startsWith("-ERR Protocol error");
        assertThat(client.readUntilClosed()).isEmpty();
    }

    @Test
    void shouldNotCutAReaderOverAFrameThatIsLongForItsNames() throws Exception {
        final RespClient client = edge.client();
        client.send("PSUBSCRIBE", "n*", "*n");
        for (int i = 0; i < 2; i++) {
            host.acknowledge(EdgeUnderTest.sequenceOf(host.nextLinkMessage()));
        }
        client.read(2);
        final String channel = "n".repeat(100_000);

        host.deliver(channel, "m");

        assertThat(client.read()).isEqualTo("[\"pmessage\", \"n*\", \"" + channel + "\", \"m\"]");
        assertThat(client.read()).isEqualTo("[\"pmessage\", \"*n\", \"" + channel + "\", \"m\"]");
    }

    @Test
    void shouldNotMixProtocolsWhenASubscriberResets() throws Exception {
        final RespClient client = edge.client();
        client.command("HELLO", "3");
        client.send("SUBSCRIBE", "c");
        host.acknowledge(EdgeUnderTest.sequenceOf(host.nextLinkMessage()));
        client.read();
        client.send("RESET");
        final String message = host.nextLinkMessage();
        assertThat(message).endsWith(" CHANNEL c 0");

        host.deliver("c", "late");
        host.acknowledge(EdgeUnderTest.sequenceOf(message));

        assertThat(client.read()).isEqualTo("+RESET");
        client.expectNothing();
    }

    @Test
    void shouldKeepARingForASubscriptionThatHoldsOnlyForAMoment() throws Exception {
        final RespClient client = edge.client();
        client.send("SUBSCRIBE", "b");
        assertThat(host.nextLinkMessage()).isEqualTo("interest 1 CHANNEL b 1");
        client.raw("SUBSCRIBE a\r\nUNSUBSCRIBE a\r\nUNSUBSCRIBE b\r\n");
        Awaitility.await()
                .until(() -> edge.sum(e -> e.interests().size()) == 1
                        && edge.sumOfClients(each -> each.names().total()) == 0);
        host.acknowledge(1);
        for (int i = 0; i < 3; i++) {
            host.deliver("b", "m" + i);
        }
        final String message = host.nextLinkMessage();
        host.acknowledge(EdgeUnderTest.sequenceOf(message));

        assertThat(client.read()).isEqualTo("[\"subscribe\", \"b\", :1]");
        final String all = String.join(" ", client.read(6));
        assertThat(all).contains("m0").contains("m1").contains("m2").endsWith("[\"unsubscribe\", \"b\", :0]");
    }

    @Test
    void shouldStopReadingAClientWhoseRepliesPileUpBehindABlockedCommand() throws Exception {
        final RespClient client = edge.client();
        client.send("BLPOP", "k", "0");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        final String echo = "e".repeat(100_000);
        final int commands = 100;
        final Thread sender = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < commands; i++) {
                client.send("ECHO", echo);
            }
        });
        Awaitility.await()
                .until(() -> edge.sumOfClients(each -> each.sequencer().heldBytes()) > 1 << 20);
        assertThat(edge.sumOfClients(each -> each.sequencer().heldBytes())).isLessThan(2 << 20);

        session.reply("*2\r\n$1\r\nk\r\n$1\r\nv\r\n");

        assertThat(client.read()).isEqualTo("[\"k\", \"v\"]");
        for (int i = 0; i < commands; i++) {
            assertThat(client.read()).hasSize(echo.length() + 2);
        }
        sender.join();
    }

    @Test
    void shouldKeepTheFenceThatAScriptNeedsThroughAReset() throws Exception {
        final RespClient client = edge.client();
        client.send("EVAL", "x", "0").send("RESET").send("PUBLISH", "c", "2");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        session.reply(":1\r\n");

        assertThat(host.nextLinkMessage()).isEqualTo("fence 1");
        host.fenced(1);
        assertThat(host.nextLinkMessage()).startsWith("publish 1");
    }
}
