// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.WireClient;
import goblin.testkit.ProxiedLink;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The place of pushes among the replies of one client, with either link delayed. */
final class PushOrderTest extends ProxiedSuite {
    @Test
    void shouldNotLetAnInvalidationOvertakeTheReplyItMakesStale() {
        final WireClient witness = subscriberAtEdge("inv");
        final WireClient reader = atEdgeInResp3();
        reader.call("SUBSCRIBE", "inv");
        final ProxiedLink session = sessionOf(reader);
        host.call("SET", "k", "old");
        session.toClient().hold();

        reader.send("GET", "k");
        awaitHeld(session.toClient());
        host.call("SET", "k", "new");
        assertThat(host.call("PUBLISH", "inv", "k")).isEqualTo(":2¶");
        assertThat(witness.reply()).isEqualTo(message("inv", "k"));
        settleEdge();
        assertThat(reader.hasInput()).isFalse();

        session.release();
        assertThat(reader.replies(2)).containsExactly("$3¶old¶", push("inv", "k"));
    }

    @Test
    void shouldPlaceAPushBehindTheCommandsOutstandingWhenItCameAndNoOthers() {
        final WireClient witness = subscriberAtEdge("inv");
        final WireClient reader = atEdgeInResp3();
        reader.call("SUBSCRIBE", "inv");
        final ProxiedLink session = sessionOf(reader);
        host.call("SET", "k", "1");
        session.toClient().hold();

        reader.send("GET", "k");
        awaitHeld(session.toClient());
        assertThat(atEdge().call("PUBLISH", "inv", "p")).isEqualTo(":2¶");
        assertThat(witness.reply()).isEqualTo(message("inv", "p"));
        reader.send("STRLEN", "k");
        settleEdge();

        session.release();
        assertThat(reader.replies(3)).containsExactly("$1¶1¶", push("inv", "p"), ":1¶");
    }

    @Test
    void shouldPushToAClientThatBlocks() {
        final WireClient reader = atEdgeInResp3();
        reader.call("SUBSCRIBE", "inv");
        reader.send("BLPOP", "L", "0");
        Awaitility.await().until(() -> host.call("INFO", "clients").contains("¶blocked_clients:1¶"));

        assertThat(host.call("PUBLISH", "inv", "a")).isEqualTo(":1¶");
        assertThat(reader.reply()).isEqualTo(push("inv", "a"));
        assertThat(atEdge().call("PUBLISH", "inv", "b")).isEqualTo(":1¶");
        assertThat(reader.reply()).isEqualTo(push("inv", "b"));

        host.call("RPUSH", "L", "v");
        assertThat(reader.reply()).isEqualTo("*2¶$1¶L¶$1¶v¶");
    }

    @ParameterizedTest
    @ValueSource(strings = {"aggregate", "session", "none"})
    void shouldPushOnesOwnPublicationBehindTheReplyOfExec(final String delayed) {
        final WireClient witness = subscriberAtEdge("self");
        final WireClient client = atEdgeInResp3();
        client.call("SUBSCRIBE", "self");
        final ProxiedLink session = sessionOf(client);
        if ("aggregate".equals(delayed)) {
            aggregate().toClient().hold();
        }
        if ("session".equals(delayed)) {
            session.toClient().hold();
        }

        client.raw(command("MULTI") + command("PUBLISH", "self", "m") + command("GET", "k") + command("EXEC"));
        if ("aggregate".equals(delayed)) {
            assertThat(client.replies(4)).containsExactly("+OK¶", "+QUEUED¶", "+QUEUED¶", "*2¶:2¶_¶");
            settleEdge();
            assertThat(client.hasInput()).isFalse();
            aggregate().release();
        } else {
            if ("session".equals(delayed)) {
                settleEdge();
                session.release();
            }
            assertThat(client.replies(4)).containsExactly("+OK¶", "+QUEUED¶", "+QUEUED¶", "*2¶:2¶_¶");
        }
        assertThat(client.reply()).isEqualTo(push("self", "m"));
        assertThat(witness.reply()).isEqualTo(message("self", "m"));
        client.expectSilence();
    }

    @Test
    void shouldPushOnesOwnPublicationBehindTheReplyOfTheScript() {
        final WireClient witness = subscriberAtEdge("self");
        final WireClient client = atEdgeInResp3();
        client.call("SUBSCRIBE", "self");
        final ProxiedLink session = sessionOf(client);
        session.toClient().hold();

        client.send("EVAL", "return redis.call('publish', 'self', 'm')", "0");
        assertThat(witness.reply()).isEqualTo(message("self", "m"));
        settleEdge();
        assertThat(client.hasInput()).isFalse();

        session.release();
        assertThat(client.replies(2)).containsExactly(":2¶", push("self", "m"));
    }

    @Test
    void shouldKeepTheOrderOfPublicationsBehindALargeReply() {
        final WireClient client = atEdgeInResp3();
        client.call("SUBSCRIBE", "c");
        sessionOf(client);
        final String large = "x".repeat(3_000_000);
        host.call("SET", "large", large);
        client.send("GET", "large");
        for (int i = 0; i < 100; i++) {
            assertThat(host.call("PUBLISH", "c", "m" + i)).isEqualTo(":1¶");
        }

        int next = 0;
        boolean answered = false;
        while (next < 100 || !answered) {
            final String frame = client.reply();
            if (frame.startsWith("$")) {
                assertThat(frame).hasSize(large.length() + 10);
                answered = true;
            } else {
                assertThat(frame).isEqualTo(push("c", "m" + next));
                next++;
            }
        }
        client.expectSilence();
    }

    @Test
    void shouldPushInvalidationsOfTrackingInTheirPlace_P63() {
        final WireClient reader = atEdgeInResp3();
        final ProxiedLink session = sessionOf(reader);
        assertThat(reader.call("CLIENT", "TRACKING", "ON")).isEqualTo("+OK¶");
        host.call("SET", "k", "old");
        reader.call("GET", "k");
        session.toClient().hold();
        reader.send("GET", "k");
        awaitHeld(session.toClient());
        host.call("SET", "k", "new");
        session.release();

        assertThat(reader.replies(2)).containsExactly("$3¶old¶", ">2¶$10¶invalidate¶*1¶$1¶k¶");
    }
}
