// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.Waits;
import goblin.system.rig.WireClient;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A confirmation is a promise: what it says about publications from either side holds from its place on. */
final class SubscriptionPromiseTest extends ProxiedSuite {
    @Test
    void shouldConfirmOnlyWhatTheHostAcknowledged() {
        final WireClient client = atEdge();
        aggregate().toClient().hold();

        client.send("SUBSCRIBE", "x");
        Waits.awaitSubscribers(host, "x", 1);
        assertThat(host.call("PUBLISH", "x", "m")).isEqualTo(":1¶");
        settleEdge();
        assertThat(client.hasInput()).isFalse();

        aggregate().release();
        assertThat(client.replies(2)).containsExactly("*3¶$9¶subscribe¶$1¶x¶:1¶", message("x", "m"));
        client.expectSilence();
    }

    @Test
    void shouldNotDeliverBeforeTheConfirmation() {
        final WireClient client = atEdge();
        aggregate().toServer().hold();

        client.send("SUBSCRIBE", "x");
        awaitHeld(aggregate().toServer());
        assertThat(host.call("PUBLISH", "x", "early")).isEqualTo(":0¶");
        assertThat(atEdge().call("PUBLISH", "x", "early")).isEqualTo(":0¶");

        aggregate().release();
        assertThat(client.reply()).isEqualTo("*3¶$9¶subscribe¶$1¶x¶:1¶");
        assertThat(host.call("PUBLISH", "x", "late")).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo(message("x", "late"));
    }

    @Test
    void shouldConfirmALaterSubscriberOnlyWithItsWeight() {
        final WireClient first = subscriberAtEdge("x");
        final WireClient second = atEdge();
        aggregate().toServer().hold();

        second.send("SUBSCRIBE", "x");
        awaitHeld(aggregate().toServer());
        assertThat(host.call("PUBLISH", "x", "m")).isEqualTo(":1¶");
        assertThat(first.reply()).isEqualTo(message("x", "m"));
        settleEdge();
        assertThat(second.hasInput()).isFalse();

        aggregate().release();
        assertThat(second.reply()).isEqualTo("*3¶$9¶subscribe¶$1¶x¶:1¶");
        second.expectSilence();
        assertThat(host.call("PUBLISH", "x", "both")).isEqualTo(":2¶");
        assertThat(first.reply()).isEqualTo(message("x", "both"));
        assertThat(second.reply()).isEqualTo(message("x", "both"));
    }

    @Test
    void shouldDeliverUpToTheUnsubscribeConfirmationAndNothingAfterIt() {
        final WireClient client = subscriberAtEdge("u");
        final WireClient publisher = atEdge();
        aggregate().toServer().hold();

        client.send("UNSUBSCRIBE", "u");
        awaitHeld(aggregate().toServer());
        assertThat(host.call("PUBLISH", "u", "from-host")).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo(message("u", "from-host"));
        assertThat(publisher.call("PUBLISH", "u", "from-edge")).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo(message("u", "from-edge"));

        aggregate().release();
        assertThat(client.reply()).isEqualTo("*3¶$11¶unsubscribe¶$1¶u¶:0¶");
        assertThat(host.call("PUBLISH", "u", "late")).isEqualTo(":0¶");
        assertThat(publisher.call("PUBLISH", "u", "late")).isEqualTo(":0¶");
        client.expectSilence();
    }

    @Test
    void shouldKeepCountsEqualToDeliveriesWhileSubscribersComeAndGo() {
        final WireClient client = atEdge();
        final WireClient publisher = atHost();
        final int rounds = 100;
        final StringBuilder changes = new StringBuilder();
        for (int i = 0; i < rounds; i++) {
            changes.append(command("SUBSCRIBE", "u")).append(command("UNSUBSCRIBE", "u"));
        }
        publisher.raw(command("PUBLISH", "u", "m").repeat(rounds));
        client.raw(changes.toString());
        publisher.raw(command("PUBLISH", "u", "m").repeat(rounds));
        int counted = 0;
        for (final String count : publisher.replies(2 * rounds)) {
            counted += count.equals(":1¶") ? 1 : 0;
        }
        client.send("PING", "end");

        final List<String> frames = client.repliesUntil("$3¶end¶");
        boolean subscribed = false;
        int delivered = 0;
        for (final String frame : frames) {
            if (frame.equals(message("u", "m"))) {
                assertThat(subscribed).isTrue();
                delivered++;
            } else {
                subscribed = frame.startsWith("*3¶$9¶subscribe");
            }
        }
        assertThat(delivered).isEqualTo(counted);
        assertThat(frames).hasSize(2 * rounds + delivered);
    }

    @Test
    void shouldCompleteChangesThatCancelOutWithoutTheHost() {
        final WireClient kept = subscriberAtEdge("w");
        final WireClient client = atEdge();
        aggregate().hold();

        client.raw(command("SUBSCRIBE", "w", "new") + command("UNSUBSCRIBE", "w", "new") + command("PING"));

        assertThat(client.replies(5))
                .containsExactly(
                        "*3¶$9¶subscribe¶$1¶w¶:1¶",
                        "*3¶$9¶subscribe¶$3¶new¶:2¶",
                        "*3¶$11¶unsubscribe¶$1¶w¶:1¶",
                        "*3¶$11¶unsubscribe¶$3¶new¶:0¶",
                        "+PONG¶");
        aggregate().release();
        assertThat(host.call("PUBLISH", "w", "m")).isEqualTo(":1¶");
        assertThat(kept.reply()).isEqualTo(message("w", "m"));
    }

    @Test
    void shouldConflateWeightsWhileAChangeIsUnderWay() {
        final WireClient asker = atEdge();
        final long sentBefore = Waits.info(asker, "edge_interests_sent");
        aggregate().toClient().hold();
        final List<WireClient> clients = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            final WireClient client = atEdge();
            client.send("SUBSCRIBE", "w");
            clients.add(client);
        }
        settleEdge();
        assertThat(clients).noneMatch(WireClient::hasInput);

        aggregate().release();
        for (final WireClient client : clients) {
            assertThat(client.reply()).isEqualTo("*3¶$9¶subscribe¶$1¶w¶:1¶");
        }
        Waits.awaitSubscribers(host, "w", 50);
        assertThat(host.call("PUBLISH", "w", "m")).isEqualTo(":50¶");
        for (final WireClient client : clients) {
            assertThat(client.reply()).isEqualTo(message("w", "m"));
        }
        assertThat(Waits.info(asker, "edge_interests_sent") - sentBefore).isLessThanOrEqualTo(50);

        for (final WireClient client : clients) {
            client.close();
        }
        Waits.awaitSubscribers(host, "w", 0);
        assertThat(host.call("PUBLISH", "w", "m")).isEqualTo(":0¶");
    }

    @Test
    void shouldNumberConfirmationsByTheLogicalSet() {
        final WireClient client = atEdge();
        aggregate().hold();

        client.raw(command("SUBSCRIBE", "a", "b")
                + command("PSUBSCRIBE", "p*")
                + command("UNSUBSCRIBE", "a")
                + command("GET", "k"));
        settleEdge();
        aggregate().release();

        assertThat(client.replies(4))
                .containsExactly(
                        "*3¶$9¶subscribe¶$1¶a¶:1¶",
                        "*3¶$9¶subscribe¶$1¶b¶:2¶",
                        "*3¶$10¶psubscribe¶$2¶p*¶:3¶",
                        "*3¶$11¶unsubscribe¶$1¶a¶:2¶");
        assertThat(client.reply()).startsWith("-ERR Can't execute 'get'");
    }

    @Test
    void shouldDropAVanishedClientAtOnce() {
        final WireClient client = subscriberAtEdge("v");
        aggregate().toServer().hold();

        client.close();
        final WireClient publisher = atEdge();
        settleEdge();
        Awaitility.await().until(() -> publisher.call("PUBSUB", "NUMSUB", "v").endsWith(":0¶"));
        assertThat(publisher.call("PUBLISH", "v", "m")).isEqualTo(":0¶");

        aggregate().release();
        Waits.awaitSubscribers(host, "v", 0);
    }
}
