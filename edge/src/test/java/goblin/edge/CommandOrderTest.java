// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.testkit.RespClient;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** "Order" of the edge's specification, each order of events made at will by a scripted host. */
final class CommandOrderTest {
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
    void shouldNotPublishBeforeAnEarlierSetIsAnswered() throws Exception {
        final RespClient subscriber = edge.subscriber("c");
        final RespClient client = edge.client();
        client.send("SET", "k", "v").send("PUBLISH", "c", "new");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        assertThat(session.nextCommand()).isEqualTo("SET k v");
        subscriber.expectNothing();
        assertThat(host.isLinkQuiet()).isTrue();

        session.reply("+OK\r\n");

        assertThat(host.nextLinkMessage()).isEqualTo("publish 1 CHANNEL c new");
        assertThat(subscriber.read()).isEqualTo("[\"message\", \"c\", \"new\"]");
        host.published(1, 4);
        assertThat(client.read(2)).containsExactly("+OK", ":5");
    }

    @Test
    void shouldNotReadBeforeAnEarlierSubscriptionHolds() throws Exception {
        final RespClient client = edge.client();
        assertThat(client.command("HELLO", "3")).contains("goblin-core-bluefield");
        client.send("SUBSCRIBE", "inv").send("GET", "k");
        assertThat(host.nextLinkMessage()).isEqualTo("interest 1 CHANNEL inv 1");
        edge.servedClient();
        assertThat(host.hasNoSession()).isTrue();

        host.acknowledge(1);

        assertThat(client.read()).isEqualTo(">[\"subscribe\", \"inv\", :1]");
        final ScriptedHost.Session session = host.nextSession();
        assertThat(session.nextCommand()).isEqualTo("HELLO 3");
        session.reply("%1\r\n+proto\r\n:3\r\n");
        session.answerId(1);
        assertThat(session.nextCommand()).isEqualTo("GET k");
        session.reply("$1\r\nv\r\n");
        assertThat(client.read()).isEqualTo("\"v\"");
    }

    @Test
    void shouldSendAFenceBetweenAScriptThatMayHavePublishedAndAPublication() throws Exception {
        final RespClient subscriber = edge.subscriber("c");
        final RespClient client = edge.client();
        client.send("EVAL", "publish", "0").send("PUBLISH", "c", "second");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        assertThat(session.nextCommand()).isEqualTo("EVAL publish 0");
        session.reply(":1\r\n");
        assertThat(client.read()).isEqualTo(":1");
        assertThat(host.nextLinkMessage()).isEqualTo("fence 1");
        subscriber.expectNothing();

        host.deliver("c", "first");
        host.fenced(1);

        assertThat(subscriber.read(2))
                .containsExactly("[\"message\", \"c\", \"first\"]", "[\"message\", \"c\", \"second\"]");
        assertThat(host.nextLinkMessage()).isEqualTo("publish 1 CHANNEL c second");
        host.published(1, 0);
        assertThat(client.read()).isEqualTo(":1");
    }

    @Test
    void shouldNeedNoSecondFenceWithoutAnotherScript() throws Exception {
        final RespClient client = edge.client();
        client.send("EVAL", "publish", "0");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        session.reply(":1\r\n");
        client.read();
        client.send("PUBLISH", "c", "1");
        assertThat(host.nextLinkMessage()).isEqualTo("fence 1");
        host.fenced(1);
        assertThat(host.nextLinkMessage()).startsWith("publish 1");
        client.send("PUBLISH", "c", "2");

        assertThat(host.nextLinkMessage()).startsWith("publish 2");
    }

    @Test
    void shouldNotRunAScriptBeforeAnEarlierPublicationIsAnswered() throws Exception {
        final RespClient client = edge.client();
        client.send("PUBLISH", "c", "1").send("EVAL", "publish 2", "0");
        assertThat(host.nextLinkMessage()).startsWith("publish 1");
        edge.servedClient();
        assertThat(host.hasNoSession()).isTrue();

        host.published(1, 0);

        assertThat(host.nextSession().answerId(1).nextCommand()).isEqualTo("EVAL publish 2 0");
    }

    @Test
    void shouldNotHoldAPlainCommandBehindAPublicationButKeepTheRepliesInOrder() throws Exception {
        final RespClient client = edge.client();
        client.send("PUBLISH", "c", "1").send("GET", "k");
        assertThat(host.nextLinkMessage()).startsWith("publish 1");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        assertThat(session.nextCommand()).isEqualTo("GET k");
        session.reply("$1\r\nv\r\n");

        host.published(1, 2);

        assertThat(client.read(2)).containsExactly(":2", "\"v\"");
    }

    @Test
    void shouldWriteAPushBehindTheRepliesThatWereOutstandingWhenItCame() throws Exception {
        final RespClient client = edge.client();
        client.command("HELLO", "3");
        client.send("SUBSCRIBE", "inv");
        host.nextLinkMessage();
        host.acknowledge(1);
        client.read();
        client.send("GET", "k");
        final ScriptedHost.Session session = host.nextSession();
        session.nextCommand();
        session.reply("+OK\r\n");
        session.answerId(1);
        assertThat(session.nextCommand()).isEqualTo("GET k");
        host.deliver("inv", "k");
        awaitHostPublications(1);

        session.reply("$3\r\nold\r\n");

        assertThat(client.read(2)).containsExactly("\"old\"", ">[\"message\", \"inv\", \"k\"]");
    }

    @Test
    void shouldNotHoldPushesBehindABlockedCommand() throws Exception {
        final RespClient client = edge.client();
        client.command("HELLO", "3");
        client.send("SUBSCRIBE", "c");
        host.nextLinkMessage();
        host.acknowledge(1);
        client.read();
        client.send("BLPOP", "L", "0");
        final ScriptedHost.Session session = host.nextSession();
        session.nextCommand();
        session.reply("+OK\r\n");
        session.answerId(1);
        assertThat(session.nextCommand()).isEqualTo("BLPOP L 0");

        host.deliver("c", "m");

        assertThat(client.read()).isEqualTo(">[\"message\", \"c\", \"m\"]");
        session.reply("*2\r\n$1\r\nL\r\n$1\r\nv\r\n");
        assertThat(client.read()).isEqualTo("[\"L\", \"v\"]");
    }

    @Test
    void shouldNotSubscribeBeforeEarlierForwardedCommandsAreAnswered() throws Exception {
        final RespClient client = edge.client();
        client.send("SET", "k", "1").send("SUBSCRIBE", "c");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        edge.servedClient();
        assertThat(host.isLinkQuiet()).isTrue();

        session.reply("+OK\r\n");

        assertThat(host.nextLinkMessage()).isEqualTo("interest 1 CHANNEL c 1");
    }

    @Test
    void shouldServeAllWaitingClientsWithOneFence() throws Exception {
        final RespClient one = edge.client();
        final RespClient two = edge.client();
        for (final RespClient client : new RespClient[] {one, two}) {
            client.send("EVAL", "s", "0");
            final ScriptedHost.Session session = host.nextSession().answerId(1);
            session.nextCommand();
            session.reply(":0\r\n");
            client.read();
        }
        edge.onLoop(e -> {
            // Both publications in one turn.
            for (final ClientSession client : e.clients().all()) {
                client.wake();
            }
            return null;
        });
        one.send("PUBLISH", "c", "1");
        assertThat(host.nextLinkMessage()).isEqualTo("fence 1");
        host.fenced(1);
        assertThat(host.nextLinkMessage()).startsWith("publish 1");
        two.send("PUBLISH", "c", "2");
        assertThat(host.nextLinkMessage()).isEqualTo("fence 2");
        host.fenced(2);

        assertThat(host.nextLinkMessage()).startsWith("publish 2");
    }

    private void awaitHostPublications(final long count) {
        org.awaitility.Awaitility.await()
                .until(() -> edge.sum(e -> e.counters().get(EdgeCounter.PUBLISHES_FROM_HOST)) >= count);
    }
}
