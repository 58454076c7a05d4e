// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.testkit.RespClient;
import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** "An acknowledgement is a promise" of the edge's specification. */
final class AcknowledgementTest {
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
    void shouldConfirmASubscriptionOnlyWhenTheHostHasAcknowledgedIt() throws Exception {
        final RespClient client = edge.client();
        client.send("SUBSCRIBE", "a").send("PING");
        assertThat(host.nextLinkMessage()).isEqualTo("interest 1 CHANNEL a 1");
        final RespClient publisher = edge.client();
        publisher.send("PUBLISH", "a", "too early");
        assertThat(host.nextLinkMessage()).isEqualTo("publish 1 CHANNEL a too early");
        host.published(1, 0);
        assertThat(publisher.read()).isEqualTo(":0");
        host.deliver("a", "also too early");

        host.acknowledge(1);

        assertThat(client.read(2)).containsExactly("[\"subscribe\", \"a\", :1]", "[\"pong\", \"\"]");
    }

    @Test
    void shouldDeliverUntilTheAcknowledgementOfAnUnsubscriptionAndNotAfterIt() throws Exception {
        final RespClient client = edge.subscriber("a", "b");
        client.send("UNSUBSCRIBE", "a");
        assertThat(host.nextLinkMessage()).isEqualTo("interest 3 CHANNEL a 0");

        host.deliver("a", "before");
        host.acknowledge(3);
        host.deliver("a", "after");
        host.deliver("b", "after");

        assertThat(client.read(3))
                .containsExactly(
                        "[\"message\", \"a\", \"before\"]",
                        "[\"unsubscribe\", \"a\", :1]",
                        "[\"message\", \"b\", \"after\"]");
    }

    @Test
    void shouldConflateWeightsWhileAMessageIsUnacknowledged() throws Exception {
        // One loop does; wishes of different loops go up one by one.
        edge.close();
        edge = new EdgeUnderTest("--loops", "1");
        host = edge.host();
        final RespClient one = edge.client();
        one.send("SUBSCRIBE", "a");
        assertThat(host.nextLinkMessage()).isEqualTo("interest 1 CHANNEL a 1");
        final RespClient two = edge.servedClient();
        final RespClient three = edge.servedClient();
        two.send("SUBSCRIBE", "a");
        three.send("SUBSCRIBE", "a");
        Awaitility.await().until(() -> logicalSubscribers() == 3);
        assertThat(host.isLinkQuiet()).isTrue();

        host.acknowledge(1);

        assertThat(host.nextLinkMessage()).isEqualTo("interest 2 CHANNEL a 3");
        assertThat(one.read()).isEqualTo("[\"subscribe\", \"a\", :1]");
        host.acknowledge(2);
        assertThat(two.read()).isEqualTo("[\"subscribe\", \"a\", :1]");
        assertThat(three.read()).isEqualTo("[\"subscribe\", \"a\", :1]");
    }

    @Test
    void shouldCompleteWhatCancelsOutTogetherAndWithoutAMessage() throws Exception {
        final RespClient client = edge.client();

        client.raw("*2\r\n$9\r\nSUBSCRIBE\r\n$1\r\na\r\n*2\r\n$11\r\nUNSUBSCRIBE\r\n$1\r\na\r\n");

        assertThat(client.read(2)).containsExactly("[\"subscribe\", \"a\", :1]", "[\"unsubscribe\", \"a\", :0]");
        assertThat(host.isLinkQuiet()).isTrue();
    }

    @Test
    void shouldDeliverToTheClientThatLeavesWhatWasPublishedBeforeAnotherTakesItsPlace() throws Exception {
        final RespClient leaving = edge.subscriber("a");
        final RespClient joining = edge.servedClient();
        edge.onLoop(e -> {
            // Both commands are read in one turn.
            leaving.send("UNSUBSCRIBE", "a");
            joining.send("SUBSCRIBE", "a");
            return null;
        });
        String message = host.nextLinkMessage();
        host.deliver("a", "on its way");
        host.acknowledge(EdgeUnderTest.sequenceOf(message));
        while (!message.endsWith(" 1")) {
            // Two turns after all, or two loops: the second one follows.
            message = host.nextLinkMessage();
            host.acknowledge(EdgeUnderTest.sequenceOf(message));
        }

        assertThat(leaving.read(2))
                .containsExactly("[\"message\", \"a\", \"on its way\"]", "[\"unsubscribe\", \"a\", :0]");
        assertThat(joining.read()).isEqualTo("[\"subscribe\", \"a\", :1]");
        assertThat(message).endsWith(" CHANNEL a 1");
    }

    @Test
    void shouldDropTheWeightOfAVanishedClientAtOnce() throws Exception {
        final RespClient client = edge.subscriber("a");

        client.reset();

        assertThat(host.nextLinkMessage()).isEqualTo("interest 2 CHANNEL a 0");
        assertThat(edge.sum(e -> e.registry().nameCount(goblin.pubsub.Kind.CHANNEL)))
                .isZero();
    }

    @Test
    void shouldForgetAClientThatVanishesBeforeItsSubscriptionIsAcknowledged() throws Exception {
        final RespClient client = edge.client();
        client.send("SUBSCRIBE", "a");
        assertThat(host.nextLinkMessage()).isEqualTo("interest 1 CHANNEL a 1");
        client.reset();
        Awaitility.await().until(() -> edge.sum(e -> e.clients().count()) == 0);

        host.acknowledge(1);

        assertThat(host.nextLinkMessage()).isEqualTo("interest 2 CHANNEL a 0");
        host.acknowledge(2);
        Awaitility.await().until(() -> edge.sum(e -> e.interests().size()) == 0);
    }

    @Test
    void shouldNotDeliverOnASecondChannelBeforeItsConfirmationEvenWhenTheFirstIsStuck() throws Exception {
        // Another loop would have a wish of its own.
        final RespClient other = edge.clientOn(0);
        other.send("SUBSCRIBE", "a");
        assertThat(host.nextLinkMessage()).isEqualTo("interest 1 CHANNEL a 1");
        final RespClient client = edge.clientOn(0);
        client.send("SUBSCRIBE", "a").send("SUBSCRIBE", "b");
        assertThat(host.nextLinkMessage()).isEqualTo("interest 2 CHANNEL b 1");
        host.acknowledge(1);
        assertThat(host.nextLinkMessage()).isEqualTo("interest 3 CHANNEL a 2");
        host.acknowledge(2);
        host.deliver("b", "m");
        host.acknowledge(3);

        assertThat(client.read(3))
                .containsExactly(
                        "[\"subscribe\", \"a\", :1]", "[\"subscribe\", \"b\", :2]", "[\"message\", \"b\", \"m\"]");
    }

    @Test
    void shouldAddTheEdgesOwnMatchesToTheHostsCount() throws Exception {
        edge.subscriber("a");
        edge.subscriber("a");
        final RespClient publisher = edge.client();
        publisher.send("PUBLISH", "a", "m");
        assertThat(host.nextLinkMessage()).isEqualTo("publish 1 CHANNEL a m");

        host.published(1, 40);

        assertThat(publisher.read()).isEqualTo(":42");
    }

    private long logicalSubscribers() {
        return edge.sumOfClients(each -> each.names().total());
    }
}
