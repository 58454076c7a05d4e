// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.testkit.RespClient;
import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** "Forwarding" of the edge's specification. */
final class HostSessionTest {
    private EdgeUnderTest edge;
    private ScriptedHost host;

    @BeforeEach
    void startEdge() throws IOException {
        edge = new EdgeUnderTest();
        host = edge.host();
    }

    @AfterEach
    void stopEdge() throws IOException {
        edge.close();
    }

    @Test
    void shouldOpenNoSessionForAClientThatNeedsNone() throws Exception {
        final RespClient client = edge.client();
        assertThat(client.command("PING")).isEqualTo("+PONG");
        assertThat(client.command("CLIENT", "SETNAME", "n")).isEqualTo("+OK");

        assertThat(host.hasNoSession()).isTrue();
    }

    @Test
    void shouldForwardAnInlineCommandAsAnArrayAndNothingForEmptyOnes() throws Exception {
        final RespClient client = edge.client();
        client.raw("*0\r\n*-1\r\n\r\n  \r\nset \"a b\" c\r\n");

        final ScriptedHost.Session session = host.nextSession().answerId(1);

        assertThat(session.nextCommand()).isEqualTo("set a b c");
        session.reply("+OK\r\n");
        assertThat(client.read()).isEqualTo("+OK");
    }

    @Test
    void shouldStreamALongCommandBeforeItsEndHasCome() throws Exception {
        final RespClient client = edge.client();
        final String value = "v".repeat(300_000);
        client.raw("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$300000\r\n" + value.substring(0, 200_000));
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        Awaitility.await().until(() -> edge.sum(e -> e.counters().get(EdgeCounter.COMMANDS_FORWARDED)) == 1);

        client.raw(value.substring(200_000) + "\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n");

        assertThat(session.nextCommand()).isEqualTo("SET k " + value);
        assertThat(session.nextCommand()).isEqualTo("GET k");
        session.reply("+OK\r\n$300000\r\n" + value + "\r\n");
        assertThat(client.read(2)).containsExactly("+OK", "\"" + value + "\"");
        assertThat((long) edge.onLoop(e -> e.requestMemory().used())).isZero();
    }

    @Test
    void shouldSpeakTheClientsProtocolOnItsSession() throws Exception {
        final RespClient client = edge.client();
        client.send("GET", "k");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        session.reply("$-1\r\n");
        assertThat(client.read()).isEqualTo("$-1");
        client.send("HELLO", "3").send("GET", "k");
        assertThat(session.nextCommand()).isEqualTo("HELLO 3");
        session.reply("%0\r\n");
        assertThat(session.nextCommand()).isEqualTo("GET k");

        session.reply("_\r\n");

        assertThat(client.read()).startsWith("%{");
        assertThat(client.read()).isEqualTo("_");
    }

    @Test
    void shouldPassHostPushesThroughWithoutCountingThemAsReplies() throws Exception {
        final RespClient client = edge.client();
        client.command("HELLO", "3");
        client.send("GET", "k");
        final ScriptedHost.Session session = host.nextSession();
        session.nextCommand();
        session.reply("%0\r\n");
        session.answerId(1);
        session.nextCommand();

        session.reply(">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n$1\r\nv\r\n>2\r\n$10\r\ninvalidate\r\n_\r\n");

        assertThat(client.read(3)).containsExactly(">[\"invalidate\", [\"k\"]]", "\"v\"", ">[\"invalidate\", _]");
        assertThat(client.command("PING")).isEqualTo("+PONG");
    }

    @Test
    void shouldNameTheCauseForEachCommandWithoutAReplyWhenTheSessionDies() throws Exception {
        final RespClient client = edge.client();
        client.send("GET", "a").send("PING").send("GET", "b");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        session.nextCommand();
        final RespClient other = edge.servedClient();

        session.close();

        assertThat(client.read()).startsWith("-ERR ");
        assertThat(client.read()).isEqualTo("+PONG");
        assertThat(client.read()).startsWith("-ERR ");
        assertThat(client.readUntilClosed()).isEmpty();
        assertThat(other.command("PING")).isEqualTo("+PONG");
    }

    @Test
    void shouldReleaseABlockedCommandWhenItsClientEndsItsSide() throws Exception {
        final RespClient client = edge.client();
        client.send("BLPOP", "L", "0");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        assertThat(session.nextCommand()).isEqualTo("BLPOP L 0");

        client.endOutput();

        assertThat(session.nextCommand()).isEqualTo("end");
        session.close();
        assertThat(client.readUntilClosed()).isEmpty();
        Awaitility.await().until(() -> edge.sum(e -> e.clients().count()) == 0);
    }

    @Test
    void shouldAnswerWhatWasSentBeforeTheClientEndedItsSide() throws Exception {
        final RespClient client = edge.client();
        client.send("SET", "k", "v").send("PUBLISH", "c", "m").send("GET", "k");
        client.endOutput();
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        assertThat(session.nextCommand()).isEqualTo("SET k v");
        session.reply("+OK\r\n");
        assertThat(host.nextLinkMessage()).isEqualTo("publish 1 CHANNEL c m");
        assertThat(session.nextCommand()).isEqualTo("GET k");
        assertThat(session.nextCommand()).isEqualTo("end");
        host.published(1, 3);
        session.reply("$1\r\nv\r\n");
        session.close();

        assertThat(client.read(3)).containsExactly("+OK", ":3", "\"v\"");
        assertThat(client.readUntilClosed()).isEmpty();
    }

    @Test
    void shouldDiscardTheHostsTransactionWhenTheEdgeRefusedACommandInIt() throws Exception {
        final RespClient client = edge.client();
        client.send("MULTI")
                .send("SUBSCRIBE", "c")
                .send("HELLO", "3")
                .send("GET", "k")
                .send("EXEC")
                .send("PING");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        assertThat(session.nextCommand()).isEqualTo("MULTI");
        assertThat(session.nextCommand()).isEqualTo("GET k");
        assertThat(session.nextCommand()).isEqualTo("DISCARD");
        session.reply("+OK\r\n+QUEUED\r\n+OK\r\n");

        assertThat(client.read(6))
                .containsExactly(
                        "+OK",
                        "-ERR Command not allowed inside a transaction",
                        "-ERR Command not allowed inside a transaction",
                        "+QUEUED",
                        "-EXECABORT Transaction discarded because of previous errors.",
                        "+PONG");
    }

    @Test
    void shouldCorrectItsViewOfATransactionByTheHostsReply() throws Exception {
        final RespClient client = edge.client();
        client.send("MULTI");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        session.reply("-ERR no transactions today\r\n");
        assertThat(client.read()).startsWith("-ERR no");

        assertThat(client.command("CLIENT", "GETNAME")).isEqualTo("$-1");
    }

    @Test
    void shouldQueueAPublicationInsideATransactionAtTheHost() throws Exception {
        final RespClient subscriber = edge.subscriber("c");
        final RespClient client = edge.client();
        client.send("MULTI").send("PUBLISH", "c", "m").send("EXEC");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        assertThat(session.nextCommand()).isEqualTo("MULTI");
        assertThat(session.nextCommand()).isEqualTo("PUBLISH c m");
        assertThat(session.nextCommand()).isEqualTo("EXEC");
        subscriber.expectNothing();
        host.deliver("c", "m");
        session.reply("+OK\r\n+QUEUED\r\n*1\r\n:1\r\n");

        assertThat(client.read(3)).containsExactly("+OK", "+QUEUED", "[:1]");
        assertThat(subscriber.read()).isEqualTo("[\"message\", \"c\", \"m\"]");
    }

    @Test
    void shouldMapTheIdOfABlockedClientToItsSession() throws Exception {
        final RespClient blocked = edge.client();
        final String id = blocked.command("CLIENT", "ID").substring(1);
        blocked.send("BLPOP", "L", "0");
        final ScriptedHost.Session blockedSession = host.nextSession().answerId(42);
        blockedSession.nextCommand();
        Awaitility.await()
                .until(() -> edge.sumOfClients(each ->
                                each.upstream() == null ? 0 : each.upstream().hostId())
                        == 42);
        final RespClient client = edge.client();
        client.send("CLIENT", "UNBLOCK", id, "ERROR").send("CLIENT", "UNBLOCK", "9999");
        final ScriptedHost.Session session = host.nextSession().answerId(43);

        assertThat(session.nextCommand()).isEqualTo("CLIENT UNBLOCK 42 ERROR");
        session.reply(":1\r\n");
        assertThat(client.read(2)).containsExactly(":1", ":0");
    }

    @Test
    void shouldSwallowRepliesOnRequest() throws Exception {
        final RespClient client = edge.client();
        client.raw("CLIENT REPLY SKIP\r\nGET x\r\nGET y\r\nCLIENT REPLY OFF\r\nPING\r\nGET z\r\nCLIENT REPLY ON\r\n");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        for (int i = 0; i < 3; i++) {
            session.nextCommand();
        }

        session.reply("$1\r\nx\r\n$1\r\ny\r\n$1\r\nz\r\n");

        assertThat(client.read(2)).containsExactly("\"y\"", "+OK");
    }

    @Test
    void shouldCloseTheSessionOnResetAndOpenANewOneLater() throws Exception {
        final RespClient client = edge.client();
        client.send("WATCH", "k").send("RESET").send("GET", "k");
        final ScriptedHost.Session first = host.nextSession().answerId(1);
        assertThat(first.nextCommand()).isEqualTo("WATCH k");
        first.reply("+OK\r\n");
        assertThat(first.nextCommand()).isEqualTo("end");
        final ScriptedHost.Session second = host.nextSession().answerId(2);
        assertThat(second.nextCommand()).isEqualTo("GET k");
        second.reply("$-1\r\n");

        assertThat(client.read(3)).containsExactly("+OK", "+RESET", "$-1");
    }

    @Test
    void shouldAppendItsOwnSectionToInfo() throws Exception {
        final RespClient client = edge.client();
        client.send("INFO");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        session.reply("$18\r\n# Server\r\nport:1\r\n\r\n");

        assertThat(client.read()).contains("# Server").contains("# Edge").contains("edge_id:7");
    }

    @Test
    void shouldSurviveAReplyThatNobodyAskedFor() throws Exception {
        final RespClient client = edge.client();
        client.send("GET", "k");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        session.reply("$1\r\nv\r\n+surprise\r\n");

        assertThat(client.read()).isEqualTo("\"v\"");
        assertThat(client.readUntilClosed()).isEmpty();
        assertThat(edge.servedClient().command("PING")).isEqualTo("+PONG");
    }
}
