// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.WireClient;
import goblin.testkit.ProxiedLink;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one client's commands may overtake and what they may not, with either link delayed. */
final class CommandOrderTest extends ProxiedSuite {
    private static final String EVAL = "return redis.call('publish', 'c', ARGV[1])";

    @Test
    void shouldPublishOnlyWhenTheSetBeforeItIsAnswered() {
        final WireClient subscriber = subscriberAtEdge("c");
        final WireClient writer = atEdge();
        final ProxiedLink session = sessionOf(writer);
        session.toClient().hold();

        writer.raw(command("SET", "k", "new") + command("PUBLISH", "c", "k"));
        awaitHeld(session.toClient());
        settleEdge();
        subscriber.expectSilence();

        session.release();
        assertThat(subscriber.reply()).isEqualTo(message("c", "k"));
        assertThat(host.call("GET", "k")).isEqualTo("$3¶new¶");
        assertThat(writer.replies(2)).containsExactly("+OK¶", ":1¶");
    }

    @Test
    void shouldNeverShowASubscriberTheOldValue() {
        final WireClient subscriber = subscriberAtEdge("c");
        final WireClient reader = atEdge();
        final WireClient writer = atEdge();
        for (int i = 0; i < 200; i++) {
            final String value = Integer.toString(1000 + i);
            writer.raw(command("SET", "k", value) + command("PUBLISH", "c", value));

            assertThat(subscriber.reply()).isEqualTo(message("c", value));
            assertThat(reader.call("GET", "k")).isEqualTo("$4¶" + value + "¶");
            assertThat(writer.replies(2)).containsExactly("+OK¶", ":1¶");
        }
    }

    @Test
    void shouldForwardDataCommandsWithoutWaitingForAPublication() {
        final WireClient subscriber = subscriberAtEdge("c");
        final WireClient writer = atEdge();
        final ProxiedLink session = sessionOf(writer);
        publisher().toClient().hold();

        writer.raw(command("PUBLISH", "c", "1") + command("SET", "k", "v"));
        assertThat(subscriber.reply()).isEqualTo(message("c", "1"));
        Awaitility.await().until(() -> host.call("GET", "k").equals("$1¶v¶"));
        settleEdge();
        assertThat(writer.hasInput()).isFalse();
        assertThat(session.isOpen()).isTrue();

        publisher().release();
        assertThat(writer.replies(2)).containsExactly(":1¶", "+OK¶");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EVAL", "EXEC", "SPUBLISH", "SUBSCRIBE"})
    void shouldHoldWhatMayPublishOrSubscribeBehindAPublication(final String behind) {
        final WireClient subscriber = subscriberAtEdge("c");
        final WireClient atHost = atHost();
        atHost.call("SUBSCRIBE", "c");
        final WireClient writer = atEdgeInResp3();
        final ProxiedLink session = sessionOf(writer);
        publisher().toServer().hold();
        final String commands = switch (behind) {
            case "EVAL" -> command("EVAL", EVAL, "0", "2");
            case "EXEC" -> command("MULTI") + command("PUBLISH", "c", "2") + command("EXEC");
            case "SPUBLISH" -> command("SPUBLISH", "s", "2");
            default -> command("SUBSCRIBE", "other");
        };

        writer.raw(command("PUBLISH", "c", "1") + commands);
        assertThat(subscriber.reply()).isEqualTo(message("c", "1"));
        settleEdge();
        subscriber.expectSilence();
        assertThat(writer.hasInput()).isFalse();
        assertThat(host.call("PUBSUB", "CHANNELS")).isEqualTo("*1¶$1¶c¶");

        publisher().release();
        assertThat(writer.reply()).isEqualTo(":2¶");
        if ("EVAL".equals(behind)) {
            assertThat(writer.reply()).isEqualTo(":2¶");
        }
        if ("EXEC".equals(behind)) {
            assertThat(writer.replies(3)).containsExactly("+OK¶", "+QUEUED¶", "*1¶:2¶");
        }
        assertThat(atHost.reply()).isEqualTo(message("c", "1"));
        if ("EVAL".equals(behind) || "EXEC".equals(behind)) {
            assertThat(atHost.reply()).isEqualTo(message("c", "2"));
            assertThat(subscriber.reply()).isEqualTo(message("c", "2"));
        }
        assertThat(session.isOpen()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"EVAL, true", "EVAL, false", "EXEC, true", "EXEC, false"})
    void shouldHoldAPublicationUntilTheOneOfAScriptOrTransactionBeforeItCame(
            final String before, final boolean pipelined) {
        final WireClient subscriber = subscriberAtEdge("c");
        final WireClient writer = atEdge();
        aggregate().toClient().hold();
        final String first = "EVAL".equals(before)
                ? command("EVAL", EVAL, "0", "first")
                : command("MULTI") + command("PUBLISH", "c", "first") + command("EXEC");
        final String second = command("PUBLISH", "c", "second");
        final String lastOfFirst = "EVAL".equals(before) ? ":1¶" : "*1¶:1¶";

        writer.raw(pipelined ? first + second : first);
        writer.repliesUntil(lastOfFirst);
        if (!pipelined) {
            writer.raw(second);
        }
        settleEdge();
        subscriber.expectSilence();

        aggregate().release();
        assertThat(subscriber.replies(2)).containsExactly(message("c", "first"), message("c", "second"));
        assertThat(writer.reply()).isEqualTo(":1¶");
    }

    @Test
    void shouldReadNothingBeforeTheSubscriptionBeforeItHolds() {
        final WireClient reader = atEdgeInResp3();
        final ProxiedLink session = sessionOf(reader);
        host.call("SET", "k", "old");
        aggregate().toServer().hold();

        reader.raw(command("SUBSCRIBE", "inv") + command("GET", "k"));
        awaitHeld(aggregate().toServer());
        settleEdge();
        assertThat(reader.hasInput()).isFalse();
        final long sent = session.toServer().receivedBytes();
        host.call("SET", "k", "new");
        settleEdge();
        assertThat(session.toServer().receivedBytes()).isEqualTo(sent);

        aggregate().release();
        assertThat(reader.replies(2)).containsExactly(">3¶$9¶subscribe¶$3¶inv¶:1¶", "$3¶new¶");
    }

    @Test
    void shouldPutPingAndEchoInTheirPlaceOnly() {
        final WireClient client = atEdge();
        final ProxiedLink session = sessionOf(client);
        session.toClient().hold();

        client.raw(command("GET", "k") + command("PING") + command("ECHO", "e"));
        awaitHeld(session.toClient());
        settleEdge();
        assertThat(client.hasInput()).isFalse();

        session.release();
        assertThat(client.replies(3)).containsExactly("$-1¶", "+PONG¶", "$1¶e¶");
    }

    @Test
    void shouldKeepOneClientsOrderWhenEveryByteComesAlone() {
        final WireClient subscriber = subscriberAtEdge("c");
        final WireClient writer = atEdge();
        final ProxiedLink session = sessionOf(writer);
        for (final ProxiedLink link : new ProxiedLink[] {session, aggregate(), publisher()}) {
            link.toServer().byteAtATime(true);
            link.toClient().byteAtATime(true);
        }
        try {
            for (int i = 0; i < 20; i++) {
                writer.raw(command("SET", "k", "v" + i)
                        + command("PUBLISH", "c", "p" + i)
                        + command("EVAL", EVAL, "0", "e" + i)
                        + command("GET", "k")
                        + command("PUBLISH", "c", "q" + i));
                final String value = "v" + i;
                assertThat(writer.replies(5))
                        .containsExactly("+OK¶", ":1¶", ":1¶", "$" + value.length() + "¶" + value + "¶", ":1¶");
                assertThat(subscriber.replies(3))
                        .containsExactly(message("c", "p" + i), message("c", "e" + i), message("c", "q" + i));
            }
        } finally {
            for (final ProxiedLink link : new ProxiedLink[] {session, aggregate(), publisher()}) {
                link.toServer().byteAtATime(false);
                link.toClient().byteAtATime(false);
            }
        }
    }
}
