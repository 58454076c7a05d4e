// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.testkit.RespClient;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SessionTest {
    private final HostUnderTest host = HostUnderTest.start();

    @AfterEach
    void stop() {
        host.close();
    }

    @Test
    void shouldAnswerPipelinesInOrderWhereverTheyAreCut_P04() {
        final String requests =
                "*3\r\n$3\r\nSET\r\n$1\r\ne\r\n$0\r\n\r\n*2\r\n$3\r\nGET\r\n$1\r\ne\r\n*1\r\n$4\r\nPING\r\n";
        final String replies = "+OK\r\n$0\r\n\r\n+PONG\r\n";
        for (int cut = 1; cut < requests.length(); cut++) {
            final RespClient client = host.client();
            client.raw(requests.substring(0, cut));
            client.raw(requests.substring(cut));
            assertThat(new String(client.readBytes(replies.length()), StandardCharsets.ISO_8859_1))
                    .isEqualTo(replies);
            client.close();
        }
    }

    @Test
    void shouldAcceptALegalLengthLineAtEveryCut_P01() {
        final String head = "*6\r\n$4\r\nHSET\r\n$1\r\nh\r\n$1\r\nf\r\n$70000\r\n" + "x".repeat(70_000) + "\r\n";
        final String tail = "$2\r\nf2\r\n$1\r\nv\r\n";
        for (final int shift : new int[] {-1, 0, 1}) {
            final RespClient client = host.client();
            client.command("DEL", "h");
            final String all = head + tail;
            client.raw(all.substring(0, head.length() + shift));
            await().untilAsserted(() -> assertThat(host.client().command("CLIENT", "LIST"))
                    .containsPattern("qbuf=" + (head.length() + shift)));
            client.raw(all.substring(head.length() + shift));
            assertThat(client.read()).isEqualTo(":2");
        }
    }

    @Test
    void shouldAnswerWhatCameBeforeAProtocolErrorAndClose_P07() {
        final RespClient client = host.client();
        client.raw("*1\r\n$4\r\nPING\r\n*2\r\n$4\r\nECHO\r\n$-1\r\n");
        assertThat(client.readUntilClosed()).isEqualTo("+PONG\r\n-ERR Protocol error: invalid bulk length\r\n");
    }

    @Test
    void shouldCloseHttpRequestsWithoutAReply() {
        final RespClient client = host.client();
        client.raw("POST / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(client.readUntilClosed()).isEmpty();
    }

    @Test
    void shouldCarryValuesOfAHundredMebibytes() {
        final RespClient client = host.client().timeout(java.time.Duration.ofSeconds(60));
        final byte[] value = new byte[100 << 20];
        Arrays.fill(value, (byte) 'v');
        client.raw("*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$" + value.length + "\r\n");
        client.raw(value);
        client.raw("\r\n");
        assertThat(client.read()).isEqualTo("+OK");
        client.send("GET", "big");
        final String header = "$" + value.length + "\r\n";
        assertThat(client.readBytes(header.length())).isEqualTo(header.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(client.readBytes(value.length)).isEqualTo(value);
        assertThat(client.readBytes(2)).isEqualTo(new byte[] {'\r', '\n'});
    }

    @Test
    void shouldSendRepliesOfAClientThatEndedItsSide() {
        final RespClient client = host.client();
        client.send("SET", "k", "v");
        client.send("GET", "k");
        client.endOutput();
        assertThat(client.readUntilClosed()).isEqualTo("+OK\r\n$1\r\nv\r\n");
    }

    @Test
    void shouldPopNothingForAClientThatEndedItsSide_P56() {
        final RespClient blocked = host.client();
        final RespClient other = host.client();
        blocked.send("BLPOP", "l", "0");
        await().untilAsserted(() -> assertThat(other.command("INFO", "clients")).contains("blocked_clients:1"));
        blocked.endOutput();
        await().untilAsserted(() -> assertThat(other.command("INFO", "clients")).contains("blocked_clients:0"));
        assertThat(other.command("RPUSH", "l", "v")).isEqualTo(":1");
        assertThat(other.command("LLEN", "l")).isEqualTo(":1");
    }

    @Test
    void shouldAnswerEveryWaitOfAClientThatEndedItsSide_P56() {
        final RespClient blocked = host.client();
        final RespClient other = host.client();
        blocked.send("BLPOP", "l", "0").send("BLPOP", "m", "0").send("SET", "done", "1");
        await().untilAsserted(() -> assertThat(other.command("INFO", "clients")).contains("blocked_clients:1"));
        blocked.endOutput();
        await().untilAsserted(() -> assertThat(other.command("EXISTS", "done")).isEqualTo(":1"));
        assertThat(other.command("RPUSH", "m", "v")).isEqualTo(":1");
        assertThat(other.command("LLEN", "m")).isEqualTo(":1");
        assertThat(blocked.readUntilClosed()).endsWith("*-1\r\n+OK\r\n");
    }

    @Test
    void shouldGoOnWithThePipelineBehindABlockingCommand_P55() {
        final RespClient blocked = host.client();
        final RespClient other = host.client();
        blocked.send("BLPOP", "l", "0").send("PING");
        await().untilAsserted(() -> assertThat(other.command("INFO", "clients")).contains("blocked_clients:1"));
        assertThat(other.command("RPUSH", "l", "v")).isEqualTo(":1");
        assertThat(blocked.read(2)).containsExactly("[\"l\", \"v\"]", "+PONG");
    }

    @Test
    void shouldEndAWaitAtItsTimeout() {
        assertThat(host.client().command("BLPOP", "nolist", "0.05")).isEqualTo("*-1");
    }

    @Test
    void shouldStopExecutingForAClientThatDoesNotReadItsReplies() {
        final RespClient greedy = host.client();
        final RespClient other = host.client();
        other.command("SET", "v", "x".repeat(1 << 20));
        for (int i = 0; i < 200; i++) {
            greedy.send("GET", "v");
        }
        greedy.send("SET", "done", "1");
        await().untilAsserted(() -> assertThat(other.command("CLIENT", "LIST")).containsPattern("omem=[0-9]{8}"));
        assertThat(other.command("EXISTS", "done")).isEqualTo(":0");
        for (int i = 0; i < 200; i++) {
            greedy.readBytes("$1048576\r\n".length() + (1 << 20) + 2);
        }
        assertThat(greedy.read()).isEqualTo("+OK");
    }

    @Test
    void shouldReleaseMemoryOfClientsThatLeft() {
        final RespClient other = host.client();
        for (int i = 0; i < 50; i++) {
            final RespClient client = host.client();
            client.command("SUBSCRIBE", "c" + i);
            client.close();
        }
        await().untilAsserted(
                        () -> assertThat(other.command("PUBSUB", "CHANNELS")).isEqualTo("[]"));
        assertThat(other.command("CLIENT", "LIST").split("id=", -1)).hasSize(2);
    }

    @Test
    void shouldPopNothingForAClientThatIsBeingClosed() {
        final RespClient blocked = host.client();
        final RespClient other = host.client();
        final String id = blocked.command("CLIENT", "ID").substring(1);
        blocked.send("BLPOP", "l", "0");
        await().untilAsserted(() -> assertThat(other.command("INFO", "clients")).contains("blocked_clients:1"));
        other.raw("CLIENT KILL ID " + id + "\r\nRPUSH l v\r\nLLEN l\r\n");
        assertThat(other.read(3)).containsExactly(":1", ":1", ":1");
    }

    @Test
    void shouldKeepWatchingForCommandsReceivedBeforeAClientEndedItsSide() {
        final RespClient watching = host.client();
        final RespClient other = host.client();
        watching.raw("WATCH k\r\nBLPOP x 0\r\nMULTI\r\nSET k 2\r\nEXEC\r\n");
        await().untilAsserted(() -> assertThat(other.command("INFO", "clients")).contains("blocked_clients:1"));
        assertThat(other.command("SET", "k", "1")).isEqualTo("+OK");
        watching.endOutput();
        assertThat(watching.readUntilClosed()).endsWith("+QUEUED\r\n*-1\r\n");
        assertThat(other.command("GET", "k")).isEqualTo("\"1\"");
    }

    @Test
    void shouldEndAClientWhoseCommandFailsWhenItGoesOnAndRunThatCommandOnce() {
        final AtomicInteger runs = new AtomicInteger();
        host.host().server().table().add("overflow", 1, _ -> {
            runs.incrementAndGet();
            throw new StackOverflowError();
        });
        final RespClient waiting = host.client();
        final RespClient other = host.client();
        waiting.send("BLPOP", "l", "0").send("OVERFLOW");
        await().untilAsserted(() -> assertThat(other.command("INFO", "clients")).contains("blocked_clients:1"));
        assertThat(other.command("RPUSH", "l", "v")).isEqualTo(":1");
        assertThat(waiting.readUntilClosed()).isIn("", "*2\r\n$1\r\nl\r\n$1\r\nv\r\n");
        assertThat(other.command("PING")).isEqualTo("+PONG");
        assertThat(runs).hasValue(1);
    }
}
