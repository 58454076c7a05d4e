// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.testkit.RespClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An edge on three loops: what clients of different loops see of each other, message by message of the host. */
final class SeveralLoopsTest {
    private static final int LOOPS = 3;

    private EdgeUnderTest edge;
    private ScriptedHost host;

    @BeforeEach
    void startEdge() throws IOException {
        edge = new EdgeUnderTest(TurnsOnly::over, "--loops", Integer.toString(LOOPS));
        host = edge.host();
    }

    @AfterEach
    void stopEdge() throws IOException {
        edge.close();
    }

    @Test
    void shouldHandConnectionsToTheLoopsByTurnsWhereThePortCannotBeShared() {
        for (int i = 0; i < 2 * LOOPS; i++) {
            edge.servedClient();
        }

        for (int loop = 0; loop < LOOPS; loop++) {
            assertThat((int) edge.onLoop(loop, e -> e.clients().count())).isEqualTo(2);
        }
        assertThat(edge.log()).contains(", " + LOOPS + " loops");
    }

    @Test
    void shouldDeliverAcrossLoopsAndCountWhatEachLoopAttempted() throws Exception {
        final List<RespClient> subscribers = new ArrayList<>();
        for (int i = 0; i < LOOPS + 1; i++) {
            subscribers.add(edge.subscriber("c"));
        }
        for (int i = 0; i < LOOPS; i++) {
            final RespClient publisher = edge.client();
            publisher.send("PUBLISH", "c", "m" + i);
            assertThat(host.nextLinkMessage()).isEqualTo("publish " + (i + 1) + " CHANNEL c m" + i);
            host.published(i + 1, 10);
            assertThat(publisher.read()).isEqualTo(":14");
        }

        for (final RespClient each : subscribers) {
            assertThat(each.read(LOOPS))
                    .containsExactly(
                            "[\"message\", \"c\", \"m0\"]",
                            "[\"message\", \"c\", \"m1\"]",
                            "[\"message\", \"c\", \"m2\"]");
        }
    }

    @Test
    void shouldSendTheHostOneWeightForAllLoops() throws Exception {
        final String[] expected = {"interest 1 CHANNEL c 1", "interest 2 CHANNEL c 2", "interest 3 CHANNEL c 3"};
        for (int i = 0; i < LOOPS; i++) {
            final RespClient client = edge.client();
            client.send("SUBSCRIBE", "c");
            assertThat(host.nextLinkMessage()).isEqualTo(expected[i]);
            host.acknowledge(i + 1);
            assertThat(client.read()).isEqualTo("[\"subscribe\", \"c\", :1]");
        }
    }

    @Test
    void shouldKeepAcknowledgementsAtTheirPlaceAmongTheHostsPublicationsOnEveryLoop() throws Exception {
        for (int i = 0; i < LOOPS; i++) {
            final RespClient client = edge.client();
            client.send("SUBSCRIBE", "c");
            final String message = host.nextLinkMessage();
            host.deliver("c", "too early");
            host.acknowledge(EdgeUnderTest.sequenceOf(message));
            host.deliver("c", "in time");
            assertThat(client.read(2))
                    .containsExactly("[\"subscribe\", \"c\", :1]", "[\"message\", \"c\", \"in time\"]");
        }
    }

    @Test
    void shouldPassAFenceBehindTheHostsPublicationsOnEveryLoop() throws Exception {
        final RespClient subscriber = edge.subscriber("c");
        for (int i = 0; i < LOOPS; i++) {
            final RespClient client = edge.client();
            client.send("EVAL", "s", "0").send("PUBLISH", "c", "second");
            final ScriptedHost.Session session = host.nextSession().answerId(1);
            session.nextCommand();
            session.reply(":0\r\n");
            assertThat(client.read()).isEqualTo(":0");
            assertThat(host.nextLinkMessage()).isEqualTo("fence " + (i + 1));
            host.deliver("c", "first");
            host.fenced(i + 1);
            assertThat(host.nextLinkMessage()).startsWith("publish " + (i + 1));
            host.published(i + 1, 0);
            assertThat(client.read()).isEqualTo(":1");
            assertThat(subscriber.read(2))
                    .containsExactly("[\"message\", \"c\", \"first\"]", "[\"message\", \"c\", \"second\"]");
        }
    }

    @Test
    void shouldConfirmWhenEveryLoopHoldsTheInterest() throws Exception {
        edge.servedClient();
        final RespClient client = edge.client();
        client.command("PING");
        final CountDownLatch hold = new CountDownLatch(1);
        edge.program().loops().get(2).loop().execute(() -> await(hold));

        client.send("SUBSCRIBE", "c");

        Awaitility.await().until(() -> edge.onLoop(1, e -> e.interests().unacknowledged()) == 1);
        assertThat(host.isLinkQuiet()).isTrue();
        hold.countDown();
        assertThat(host.nextLinkMessage()).isEqualTo("interest 1 CHANNEL c 1");
        host.acknowledge(1);
        assertThat(client.read()).isEqualTo("[\"subscribe\", \"c\", :1]");
    }

    @Test
    void shouldAnswerCommandsThatLookAtTheWholeEdgeForAllLoops() throws Exception {
        final RespClient one = edge.subscriber("a", "b");
        final RespClient two = edge.subscriber("b", "c");
        final RespClient asking = edge.client();
        final String id = asking.command("CLIENT", "ID");

        assertThat(asking.command("PUBSUB", "CHANNELS")).isEqualTo("[\"a\", \"b\", \"c\"]");
        assertThat(asking.command("PUBSUB", "NUMSUB", "b", "none")).isEqualTo("[\"b\", :2, \"none\", :0]");
        assertThat(asking.command("PUBSUB", "NUMPAT")).isEqualTo(":0");
        assertThat(asking.command("CLIENT", "LIST"))
                .contains("id=1 ")
                .contains("id=2 ")
                .contains("id=3 ");
        assertThat(asking.command("CLIENT", "LIST", "ID", "2", "1")).containsSubsequence("id=2 ", "id=1 ");
        assertThat(asking.command("CLIENT", "KILL", "ID", "2")).isEqualTo(":1");
        assertThat(two.readUntilClosed()).isEmpty();
        assertThat(asking.command("CLIENT", "KILL", "ID", id.substring(1), "SKIPME", "no"))
                .isEqualTo(":1");
        assertThat(asking.readUntilClosed()).isEmpty();
        one.close();
    }

    @Test
    void shouldCountAPatternOfSeveralLoopsOnce() throws Exception {
        for (int i = 0; i < LOOPS; i++) {
            final RespClient client = edge.client();
            client.send("PSUBSCRIBE", "p*");
            host.acknowledge(EdgeUnderTest.sequenceOf(host.nextLinkMessage()));
            client.read();
        }

        assertThat(edge.client().command("PUBSUB", "NUMPAT")).isEqualTo(":1");
    }

    @Test
    void shouldShowTheSumsOfAllLoopsInInfoAndGoOnWithWhatFollows() throws Exception {
        edge.subscriber("a");
        edge.subscriber("b");
        final RespClient client = edge.client();
        client.send("INFO").send("GET", "k");
        final ScriptedHost.Session session = host.nextSession().answerId(1);
        session.nextCommand();
        session.reply("$3\r\na:b\r\n$1\r\nv\r\n");

        assertThat(client.read())
                .startsWith("\"a:b")
                .contains("edge_loops:" + LOOPS, "edge_clients:3", "edge_interests:2", "edge_connections_accepted:3");
        assertThat(client.read()).isEqualTo("\"v\"");
    }

    @Test
    void shouldFailUnansweredPublicationsOnEveryLoopWhenTheHostIsLost() throws Exception {
        final List<RespClient> clients = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            final RespClient client = edge.client();
            client.send("PUBLISH", "c", "m");
            host.nextLinkMessage();
            clients.add(client);
        }

        host.closeAggregate();

        for (final RespClient each : clients) {
            assertThat(each.read()).startsWith("-ERR delivered to this edge's subscribers, but the host was lost");
        }
        Awaitility.await().until(this::allHaveEnded);
    }

    @Test
    void shouldEndAllLoopsWhenOneFails() {
        edge.servedClient();
        edge.program().loops().get(1).loop().execute(() -> {
            throw new InternalError("made by a test");
        });

        Awaitility.await().until(this::allHaveEnded);
        assertThat(edge.program().status()).isOne();
    }

    @Test
    void shouldForgetNamesAndMemoryWhenAllHaveLeft() throws Exception {
        for (int i = 0; i < LOOPS; i++) {
            final RespClient client = edge.subscriber("c" + i);
            client.reset();
            host.acknowledge(EdgeUnderTest.sequenceOf(host.nextLinkMessage()));
        }

        Awaitility.await().until(() -> edge.sum(e -> e.interests().size()) == 0);
        assertThat(edge.sum(e -> e.clients().count())).isZero();
        assertThat(edge.sum(e -> e.rings().inUse())).isZero();
        final RespClient publisher = edge.client();
        publisher.send("PUBLISH", "c0", "m");
        assertThat(host.nextLinkMessage()).startsWith("publish 1");
        host.published(1, 0);
        assertThat(publisher.read()).isEqualTo(":0");
        assertThat(edge.sum(e -> e.shared().liveBytes())).isZero();
    }

    private boolean allHaveEnded() {
        return edge.program().loops().stream().noneMatch(each -> each.loop().wake());
    }

    private static void await(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
