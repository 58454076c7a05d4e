// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.testkit.RespClient;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PubSubTest {
    private final HostUnderTest host = HostUnderTest.start("--unsolicited-output-buffer-bytes", "1mb");
    private final RespClient other = host.client();

    @AfterEach
    void stop() {
        host.close();
    }

    private RespClient resp3() {
        final RespClient client = host.client();
        assertThat(client.command("HELLO", "3")).startsWith("%{");
        return client;
    }

    @Test
    void shouldConfirmEachNameOfOneCommand_P13() {
        final RespClient client = host.client();
        client.send("SUBSCRIBE", "a", "b", "a");
        assertThat(client.read(3))
                .containsExactly(
                        "[\"subscribe\", \"a\", :1]", "[\"subscribe\", \"b\", :2]", "[\"subscribe\", \"a\", :2]");
        final RespClient three = resp3();
        three.send("SUBSCRIBE", "a", "b", "a");
        assertThat(three.read(3))
                .containsExactly(
                        ">[\"subscribe\", \"a\", :1]", ">[\"subscribe\", \"b\", :2]", ">[\"subscribe\", \"a\", :2]");
        assertThat(three.command("PING")).isEqualTo("+PONG");
    }

    @Test
    void shouldConfirmUnsubscribingFromNothing_P14_P15() {
        final RespClient client = host.client();
        assertThat(client.command("UNSUBSCRIBE")).isEqualTo("[\"unsubscribe\", $-1, :0]");
        assertThat(client.command("PUNSUBSCRIBE")).isEqualTo("[\"punsubscribe\", $-1, :0]");
        assertThat(client.command("SUNSUBSCRIBE")).isEqualTo("[\"sunsubscribe\", $-1, :0]");
        client.send("UNSUBSCRIBE", "a", "b");
        assertThat(client.read(2)).containsExactly("[\"unsubscribe\", \"a\", :0]", "[\"unsubscribe\", \"b\", :0]");
        assertThat(client.command("PING")).isEqualTo("+PONG");
    }

    @Test
    void shouldKeepChannelsAndPatternsApart_P17() {
        final RespClient client = host.client();
        assertThat(client.command("SUBSCRIBE", "a")).endsWith(":1]");
        assertThat(client.command("PSUBSCRIBE", "a")).endsWith(":2]");
        assertThat(client.command("PUNSUBSCRIBE", "a")).endsWith(":1]");
        assertThat(other.command("PUBLISH", "a", "x")).isEqualTo(":1");
        assertThat(client.read()).isEqualTo("[\"message\", \"a\", \"x\"]");
        client.expectNothing();
    }

    @Test
    void shouldAnswerPingByModeAndProtocol_P18() {
        final RespClient two = host.client();
        two.command("SUBSCRIBE", "c");
        assertThat(two.command("PING")).isEqualTo("[\"pong\", \"\"]");
        assertThat(two.command("PING", "hi")).isEqualTo("[\"pong\", \"hi\"]");
        final RespClient three = resp3();
        three.command("SUBSCRIBE", "c");
        assertThat(three.command("PING")).isEqualTo("+PONG");
        assertThat(three.command("PING", "hi")).isEqualTo("\"hi\"");
    }

    @Test
    void shouldRefuseOtherCommandsToResp2SubscribersOnly_P20() {
        final RespClient two = host.client();
        two.command("SUBSCRIBE", "c");
        for (final String name : new String[] {"get x", "hello", "multi", "echo x"}) {
            final String[] words = name.split(" ", -1);
            assertThat(two.command(words))
                    .isEqualTo("-ERR Can't execute '" + words[0] + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING /"
                            + " QUIT / RESET are allowed in this context");
        }
        final RespClient three = resp3();
        three.command("SUBSCRIBE", "c");
        assertThat(three.command("GET", "x")).isEqualTo("_");
    }

    @Test
    void shouldPutOwnMessagesBehindTheReplyOfExec_P22() {
        final RespClient client = resp3();
        client.command("SUBSCRIBE", "foo");
        client.send("MULTI")
                .send("PING")
                .send("PUBLISH", "foo", "m")
                .send("PING")
                .send("EXEC");
        assertThat(client.read(6))
                .containsExactly(
                        "+OK", "+QUEUED", "+QUEUED", "+QUEUED", "[+PONG, :1, +PONG]", ">[\"message\", \"foo\", \"m\"]");
    }

    @Test
    void shouldRefuseSubscribingInsideMulti_P23() {
        final RespClient client = host.client();
        client.send("MULTI")
                .send("SUBSCRIBE", "c1", "c2")
                .send("GET", "k")
                .send("EXEC")
                .send("PING");
        assertThat(client.read(5))
                .containsExactly(
                        "+OK",
                        "-ERR Command not allowed inside a transaction",
                        "+QUEUED",
                        "-EXECABORT Transaction discarded because of previous errors.",
                        "+PONG");
    }

    @Test
    void shouldSwallowRepliesButNoPushes_P25() {
        final RespClient client = resp3();
        client.send("CLIENT", "REPLY", "OFF").send("SUBSCRIBE", "ro");
        assertThat(client.read()).isEqualTo(">[\"subscribe\", \"ro\", :1]");
        assertThat(other.command("PUBLISH", "ro", "m1")).isEqualTo(":1");
        assertThat(client.read()).isEqualTo(">[\"message\", \"ro\", \"m1\"]");
        client.send("PING").send("CLIENT", "REPLY", "ON");
        assertThat(client.read()).isEqualTo("+OK");
        client.raw("*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$4\r\nSKIP\r\nGET x\r\nPING\r\n");
        assertThat(client.read()).isEqualTo("+PONG");
    }

    @Test
    void shouldFollowFastChangesOfMode_P26() {
        final RespClient client = host.client();
        client.send("SUBSCRIBE", "a")
                .send("UNSUBSCRIBE", "a")
                .send("SUBSCRIBE", "b")
                .send("GET", "x");
        assertThat(client.read(3))
                .containsExactly(
                        "[\"subscribe\", \"a\", :1]", "[\"unsubscribe\", \"a\", :0]", "[\"subscribe\", \"b\", :1]");
        assertThat(client.read()).startsWith("-ERR Can't execute 'get'");
        other.command("PUBLISH", "b", "m");
        assertThat(client.read()).isEqualTo("[\"message\", \"b\", \"m\"]");
    }

    @Test
    void shouldForgetEverythingAtReset_P28() {
        final RespClient client = resp3();
        client.command("CLIENT", "SETNAME", "n");
        client.command("SUBSCRIBE", "q");
        assertThat(client.command("RESET")).isEqualTo("+RESET");
        assertThat(client.command("GET", "x")).isEqualTo("$-1");
        assertThat(client.command("CLIENT", "GETNAME")).isEqualTo("$-1");
        assertThat(other.command("PUBSUB", "NUMSUB", "q")).isEqualTo("[\"q\", :0]");
        client.command("MULTI");
        assertThat(client.command("RESET")).isEqualTo("+RESET");
        assertThat(client.command("EXEC")).isEqualTo("-ERR EXEC without MULTI");
    }

    @Test
    void shouldCountClientsThatLeaveNoMore_P30() {
        for (int way = 0; way < 4; way++) {
            final RespClient client = host.client();
            client.command("SUBSCRIBE", "t");
            assertThat(other.command("PUBLISH", "t", "x")).isEqualTo(":1");
            switch (way) {
                case 0 -> client.close();
                case 1 -> client.reset();
                case 2 -> client.send("QUIT");
                default -> client.endOutput();
            }
            await().untilAsserted(() ->
                    assertThat(other.command("PUBSUB", "NUMSUB", "t")).isEqualTo("[\"t\", :0]"));
            assertThat(other.command("PUBLISH", "t", "y")).isEqualTo(":0");
        }
    }

    @Test
    void shouldCountEveryMatch_P32() {
        final RespClient a = host.client();
        a.send("SUBSCRIBE", "z", "z").send("PSUBSCRIBE", "z*", "z?", "[z]");
        a.read(5);
        final RespClient b = host.client();
        b.command("PSUBSCRIBE", "z*");
        assertThat(other.command("PUBLISH", "z", "2")).isEqualTo(":4");
        assertThat(other.command("PUBSUB", "NUMSUB", "z", "nope", "z"))
                .isEqualTo("[\"z\", :1, \"nope\", :0, \"z\", :1]");
        assertThat(other.command("PUBSUB", "NUMPAT")).isEqualTo(":3");
        assertThat(other.command("PUBSUB", "NUMSUB")).isEqualTo("[]");
        assertThat(a.read(3))
                .containsExactly(
                        "[\"message\", \"z\", \"2\"]",
                        "[\"pmessage\", \"z*\", \"z\", \"2\"]",
                        "[\"pmessage\", \"[z]\", \"z\", \"2\"]");
    }

    @Test
    void shouldDisconnectASubscriberThatDoesNotRead_P35_P37() {
        final RespClient stuck = host.client();
        final RespClient good = host.client();
        stuck.command("SUBSCRIBE", "s");
        good.command("SUBSCRIBE", "s");
        final String payload = "x".repeat(4000);
        int receivers = 2;
        for (int sent = 0; sent < 20_000 && receivers == 2; sent++) {
            receivers = Integer.parseInt(other.command("PUBLISH", "s", payload).substring(1));
            assertThat(good.read()).isEqualTo("[\"message\", \"s\", \"" + payload + "\"]");
        }
        assertThat(receivers).isEqualTo(1);
        final String delivered = stuck.readUntilClosed();
        final String frame = "*3\r\n$7\r\nmessage\r\n$1\r\ns\r\n$4000\r\n" + payload + "\r\n";
        assertThat(delivered.length()).isPositive();
        assertThat(frame.repeat(delivered.length() / frame.length() + 1)).startsWith(delivered);
    }

    @Test
    void shouldDeliverBytesAsTheyAre_P61() {
        final RespClient client = host.client();
        final String name = "\0\r\n\u00FF*";
        client.send(name(name, "SUBSCRIBE"));
        client.read();
        assertThat(other.command("PUBLISH", name, "\r\n\0")).isEqualTo(":1");
        final String frame = "*3\r\n$7\r\nmessage\r\n$5\r\n" + name + "\r\n$3\r\n\r\n\0\r\n";
        assertThat(client.readBytes(frame.length())).isEqualTo(frame.getBytes(StandardCharsets.ISO_8859_1));
        client.command("SUBSCRIBE", "");
        assertThat(other.command("PUBLISH", "", "")).isEqualTo(":1");
        assertThat(client.read()).isEqualTo("[\"message\", \"\", \"\"]");
    }

    private static byte[][] name(final String channel, final String command) {
        return new byte[][] {
            command.getBytes(StandardCharsets.ISO_8859_1), channel.getBytes(StandardCharsets.ISO_8859_1)
        };
    }

    @Test
    void shouldAnnounceKeyspaceEventsOnceEach_P64() {
        other.command("CONFIG", "SET", "notify-keyspace-events", "KEA");
        final RespClient client = host.client();
        client.command("PSUBSCRIBE", "__key*__:*");
        other.command("SET", "kk", "1");
        assertThat(client.read(2))
                .containsExactly(
                        "[\"pmessage\", \"__key*__:*\", \"__keyspace@0__:kk\", \"set\"]",
                        "[\"pmessage\", \"__key*__:*\", \"__keyevent@0__:set\", \"kk\"]");
        client.expectNothing();
    }

    @Test
    void shouldKeepShardChannelsApart_P66() {
        final RespClient client = host.client();
        client.command("SSUBSCRIBE", "c");
        assertThat(other.command("PUBLISH", "c", "x")).isEqualTo(":0");
        assertThat(other.command("SPUBLISH", "c", "y")).isEqualTo(":1");
        assertThat(client.read()).isEqualTo("[\"smessage\", \"c\", \"y\"]");
        assertThat(other.command("PUBSUB", "SHARDNUMSUB", "c")).isEqualTo("[\"c\", :1]");
        assertThat(other.command("PUBSUB", "NUMSUB", "c")).isEqualTo("[\"c\", :0]");
    }

    @Test
    void shouldDisconnectAClientWhoseOwnScriptPublishesMoreToItThanItMayLeaveUnread() {
        final RespClient client = resp3();
        client.command("SUBSCRIBE", "c");
        client.send(
                "EVAL",
                "local n; for i = 1, 100 do n = redis.call('publish', 'c', string.rep('x', 100000)) end "
                        + "redis.call('set', 'last', n)",
                "0");
        await().untilAsserted(() -> assertThat(other.command("GET", "last")).isEqualTo("\"0\""));
        assertThat(other.command("PUBSUB", "NUMSUB", "c")).isEqualTo("[\"c\", :0]");
    }
}
