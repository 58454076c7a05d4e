// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.Side;
import goblin.system.rig.WireClient;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Confirmations, messages and modes of subscribers. */
final class SubscriptionFramesTest extends RespSuite {
    @Test
    void shouldConfirmEachNameOfASubscribe_P13() {
        client.send("SUBSCRIBE", "a", "b", "a");

        assertThat(client.replies(3))
                .containsExactly("*3¶$9¶subscribe¶$1¶a¶:1¶", "*3¶$9¶subscribe¶$1¶b¶:2¶", "*3¶$9¶subscribe¶$1¶a¶:2¶");
        client.expectSilence();
    }

    @Test
    void shouldConfirmByPushesAloneOnResp3_P13() {
        final WireClient resp3 = openResp3();
        resp3.send("SUBSCRIBE", "a", "b", "a").send("PING");

        assertThat(resp3.replies(4))
                .containsExactly(
                        ">3¶$9¶subscribe¶$1¶a¶:1¶", ">3¶$9¶subscribe¶$1¶b¶:2¶", ">3¶$9¶subscribe¶$1¶a¶:2¶", "+PONG¶");
    }

    @ParameterizedTest
    @ValueSource(strings = {"unsubscribe", "punsubscribe", "sunsubscribe"})
    void shouldConfirmAnUnsubscribeOfNothingOnce_P14(final String name) {
        final WireClient resp3 = openResp3();
        final String head = "$" + name.length() + "¶" + name + "¶";

        assertThat(client.call(name.toUpperCase(Locale.ROOT))).isEqualTo("*3¶" + head + "$-1¶:0¶");
        client.expectSilence();
        assertThat(resp3.call(name)).isEqualTo(">3¶" + head + "_¶:0¶");
        resp3.expectSilence();
    }

    @Test
    void shouldConfirmAnUnsubscribeOfEachNameNeverSubscribed_P15() {
        client.send("UNSUBSCRIBE", "a", "b").send("PING");

        assertThat(client.replies(3))
                .containsExactly("*3¶$11¶unsubscribe¶$1¶a¶:0¶", "*3¶$11¶unsubscribe¶$1¶b¶:0¶", "+PONG¶");
    }

    @Test
    void shouldKeepChannelsAndPatternsOfTheSameNameApart_P17() {
        assertThat(client.call("SUBSCRIBE", "a")).endsWith(":1¶");
        assertThat(client.call("PSUBSCRIBE", "a")).isEqualTo("*3¶$10¶psubscribe¶$1¶a¶:2¶");
        assertThat(client.call("PUNSUBSCRIBE", "a")).isEqualTo("*3¶$12¶punsubscribe¶$1¶a¶:1¶");

        assertThat(other.call("PUBLISH", "a", "x")).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo("*3¶$7¶message¶$1¶a¶$1¶x¶");
        client.expectSilence();
    }

    @Test
    void shouldAnswerAPingByTheSubscribersProtocol_P18() {
        final WireClient resp3 = openResp3();
        assertThat(client.call("PING")).isEqualTo("+PONG¶");
        assertThat(client.call("PING", "hi")).isEqualTo("$2¶hi¶");
        client.call("SUBSCRIBE", "c");
        resp3.call("SUBSCRIBE", "c");

        assertThat(client.call("PING")).isEqualTo("*2¶$4¶pong¶$0¶¶");
        assertThat(client.call("PING", "hi")).isEqualTo("*2¶$4¶pong¶$2¶hi¶");
        assertThat(resp3.call("PING")).isEqualTo("+PONG¶");
        assertThat(resp3.call("PING", "hi")).isEqualTo("$2¶hi¶");
    }

    @Test
    void shouldPushMessagesOnResp3_P19() {
        final WireClient resp3 = openResp3();
        resp3.call("SUBSCRIBE", "ch");
        resp3.call("PSUBSCRIBE", "c*");

        assertThat(other.call("PUBLISH", "ch", "foo")).isEqualTo(":2¶");

        assertThat(resp3.replies(2))
                .containsExactly(">3¶$7¶message¶$2¶ch¶$3¶foo¶", ">4¶$8¶pmessage¶$2¶c*¶$2¶ch¶$3¶foo¶");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET x", "HELLO", "MULTI", "ECHO x"})
    void shouldServeOtherCommandsToAResp3SubscriberOnly_P20(final String words) {
        final WireClient resp3 = openResp3();
        client.call("SUBSCRIBE", "c");
        resp3.call("SUBSCRIBE", "c");
        final String[] command = words.split(" ");

        assertThat(client.call(command))
                .isEqualTo("-ERR Can't execute '" + command[0].toLowerCase(Locale.ROOT)
                        + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this"
                        + " context¶");
        assertThat(resp3.call(command)).doesNotStartWith("-");

        assertThat(other.call("PUBLISH", "c", "m")).isEqualTo(":2¶");
        assertThat(client.reply()).isEqualTo("*3¶$7¶message¶$1¶c¶$1¶m¶");
        assertThat(resp3.reply()).isEqualTo(">3¶$7¶message¶$1¶c¶$1¶m¶");
    }

    @Test
    void shouldPushOnesOwnPublicationBehindExec_P22() {
        final WireClient resp3 = openResp3();
        resp3.call("SUBSCRIBE", "foo");

        resp3.raw(command("MULTI")
                + command("PING")
                + command("PUBLISH", "foo", "m")
                + command("PING")
                + command("EXEC"));

        assertThat(resp3.replies(6))
                .containsExactly(
                        "+OK¶", "+QUEUED¶", "+QUEUED¶", "+QUEUED¶", "*3¶+PONG¶:1¶+PONG¶", ">3¶$7¶message¶$3¶foo¶$1¶m¶");
    }

    @Test
    void shouldPushOnesOwnPublicationOnceBesideItsReply() {
        final WireClient resp3 = openResp3();
        resp3.call("SUBSCRIBE", "self");
        resp3.send("PUBLISH", "self", "m");

        final String push = ">3¶$7¶message¶$4¶self¶$1¶m¶";
        if (side == Side.EDGE) {
            assertThat(resp3.replies(2)).containsExactly(push, ":1¶");
        } else {
            assertThat(resp3.replies(2)).containsExactly(":1¶", push);
        }
        resp3.expectSilence();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE"})
    void shouldRefuseSubscriptionCommandsInATransaction_P23(final String name) {
        client.raw(
                command("MULTI") + command(name, "c1", "c2") + command("GET", "k") + command("EXEC") + command("PING"));

        assertThat(client.replies(5))
                .containsExactly(
                        "+OK¶",
                        "-ERR Command not allowed inside a transaction¶",
                        "+QUEUED¶",
                        "-EXECABORT Transaction discarded because of previous errors.¶",
                        "+PONG¶");
        assertThat(other.call("PUBLISH", "c1", "x")).isEqualTo(":0¶");
    }

    @Test
    void shouldPushToAClientThatWantsNoReplies_P25() {
        final WireClient resp3 = openResp3();
        resp3.send("CLIENT", "REPLY", "OFF").send("SUBSCRIBE", "ro");
        assertThat(resp3.reply()).isEqualTo(">3¶$9¶subscribe¶$2¶ro¶:1¶");

        assertThat(other.call("PUBLISH", "ro", "m1")).isEqualTo(":1¶");
        assertThat(resp3.reply()).isEqualTo(">3¶$7¶message¶$2¶ro¶$2¶m1¶");
        resp3.send("PING").send("GET", "x").send("CLIENT", "REPLY", "ON");

        assertThat(resp3.reply()).isEqualTo("+OK¶");
        resp3.expectSilence();
    }

    @Test
    void shouldSkipOneReplyAndNoPush_P25() {
        final WireClient resp3 = openResp3();
        resp3.call("SUBSCRIBE", "sk");
        resp3.send("CLIENT", "REPLY", "SKIP");
        settle();

        assertThat(other.call("PUBLISH", "sk", "m")).isEqualTo(":1¶");
        assertThat(resp3.reply()).isEqualTo(">3¶$7¶message¶$2¶sk¶$1¶m¶");
        resp3.send("PING", "first").send("PING", "second");
        assertThat(resp3.reply()).isEqualTo("$6¶second¶");

        resp3.raw(command("CLIENT", "REPLY", "SKIP") + command("GET", "x") + command("PING"));
        assertThat(resp3.reply()).isEqualTo("+PONG¶");
        resp3.expectSilence();
    }

    @Test
    void shouldKnowItsModeThroughAFastUnsubscribeAndSubscribe_P26() {
        client.raw(command("SUBSCRIBE", "a")
                + command("UNSUBSCRIBE", "a")
                + command("SUBSCRIBE", "b")
                + command("GET", "x"));

        assertThat(client.replies(3))
                .containsExactly("*3¶$9¶subscribe¶$1¶a¶:1¶", "*3¶$11¶unsubscribe¶$1¶a¶:0¶", "*3¶$9¶subscribe¶$1¶b¶:1¶");
        assertThat(client.reply()).startsWith("-ERR Can't execute 'get'");
        assertThat(other.call("PUBLISH", "b", "m")).isEqualTo(":1¶");
        assertThat(client.reply()).isEqualTo("*3¶$7¶message¶$1¶b¶$1¶m¶");
    }

    @Test
    void shouldForgetEverythingAtReset_P28() {
        final WireClient resp3 = openResp3();
        resp3.call("CLIENT", "SETNAME", "someone");
        resp3.call("SUBSCRIBE", "q");

        assertThat(resp3.call("RESET")).isEqualTo("+RESET¶");
        assertThat(resp3.call("GET", "x")).isEqualTo("$-1¶");
        assertThat(resp3.call("CLIENT", "GETNAME")).isEqualTo("$-1¶");
        assertThat(other.call("PUBSUB", "NUMSUB", "q")).isEqualTo("*2¶$1¶q¶:0¶");
        assertThat(atHost().call("PUBSUB", "NUMSUB", "q")).isEqualTo("*2¶$1¶q¶:0¶");
    }

    @Test
    void shouldLeaveATransactionAtReset_P28() {
        client.raw(
                command("MULTI") + command("SET", "k", "v") + command("RESET") + command("EXEC") + command("GET", "k"));

        assertThat(client.replies(5))
                .containsExactly("+OK¶", "+QUEUED¶", "+RESET¶", "-ERR EXEC without MULTI¶", "$-1¶");
    }

    @Test
    void shouldUnwatchAndSpeakAgainAtReset_P28() {
        client.call("WATCH", "k");
        client.raw(command("CLIENT", "REPLY", "OFF") + command("RESET"));
        assertThat(client.reply()).isEqualTo("+RESET¶");
        other.call("SET", "k", "changed");

        client.raw(command("MULTI") + command("PING") + command("EXEC"));
        assertThat(client.replies(3)).containsExactly("+OK¶", "+QUEUED¶", "*1¶+PONG¶");
    }

    @Test
    void shouldKeepASubscriberFromChangingTheModeOfOthers_P29() {
        client.call("PSUBSCRIBE", "x*");
        for (int i = 0; i < 100; i++) {
            final WireClient another = open();
            assertThat(another.call("GET", "k")).isEqualTo("$-1¶");
            assertThat(another.call("INFO", "server")).startsWith("$");
            another.close();
        }
    }

    @Test
    void shouldLeaveSubscribedModeWithTheLastName() {
        client.call("SUBSCRIBE", "a");
        client.call("PSUBSCRIBE", "p*");
        client.call("SSUBSCRIBE", "s");

        assertThat(client.call("UNSUBSCRIBE")).isEqualTo("*3¶$11¶unsubscribe¶$1¶a¶:1¶");
        assertThat(client.call("PUNSUBSCRIBE")).isEqualTo("*3¶$12¶punsubscribe¶$2¶p*¶:0¶");
        assertThat(client.call("GET", "x")).startsWith("-ERR Can't execute 'get'");
        assertThat(client.call("SUNSUBSCRIBE")).isEqualTo("*3¶$12¶sunsubscribe¶$1¶s¶:0¶");
        assertThat(client.call("GET", "x")).isEqualTo("$-1¶");
    }

    @Test
    void shouldAnswerQuitOfASubscriber() {
        client.call("SUBSCRIBE", "a");
        client.send("QUIT");

        assertThat(client.rest()).isEqualTo("+OK¶");
    }

    @Test
    void shouldRefuseASubscribeWithoutNames() {
        for (final String name : new String[] {"subscribe", "psubscribe", "ssubscribe", "publish"}) {
            assertThat(client.call(name)).isEqualTo("-ERR wrong number of arguments for '" + name + "' command¶");
        }
        assertThat(client.call("PUBLISH", "a", "b", "c"))
                .isEqualTo("-ERR wrong number of arguments for 'publish' command¶");
        client.expectSilence();
    }
}
