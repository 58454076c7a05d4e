// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class RespClientTest {
    private ServerSocket server;
    private RespClient client;
    private Socket accepted;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        client = RespClient.connect(server.getLocalPort());
        accepted = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        accepted.close();
        server.close();
    }

    @Test
    void shouldWriteEveryKindOfReplyAsOneLine() throws IOException {
        serve(String.join(
                "\r\n", "+OK", "-ERR no", ":-3", "$3", "a\"\0", "$-1", "*-1", "_", "*2", ":1", "*0", ">2", "$1", "x",
                "+y", "%1", "+k", ",1.5", "~1", "#t", "(99", "=7", "txt:abc", "!3", "ERR", "|1", "+a", ":1", ":2", ""));
        assertThat(client.read(15))
                .containsExactly(
                        "+OK",
                        "-ERR no",
                        ":-3",
                        "\"a\\\"\\x00\"",
                        "$-1",
                        "*-1",
                        "_",
                        "[:1, []]",
                        ">[\"x\", +y]",
                        "%{+k: ,1.5}",
                        "~[#t]",
                        "(99",
                        "=\"txt:abc\"",
                        "!\"ERR\"",
                        "|{+a: :1} :2");
    }

    @Test
    void shouldSendCommandsAndNonsenseAsTheyAre() throws IOException {
        client.send("SET", "k", "\u00ff\0").raw("*x\r\n");
        final String expected = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2\r\n\u00ff\0\r\n*x\r\n";
        assertThat(new String(accepted.getInputStream().readNBytes(expected.length()), ISO_8859_1))
                .isEqualTo(expected);
    }

    @Test
    void shouldSeeThatNothingCameOrWhatDid() throws IOException {
        serve("$7\r\nfence-1\r\n");
        client.expectNothing();
        serve("*2\r\n$4\r\npong\r\n$7\r\nfence-2\r\n");
        client.expectNothing();
        serve("+surprise\r\n");
        assertThatThrownBy(client::expectNothing)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("surprise");
    }

    @Test
    void shouldNotWaitForEver() {
        client.timeout(Duration.ofMillis(20));
        assertThatThrownBy(client::read).isInstanceOf(AssertionError.class).hasMessageContaining("20 ms");
    }

    @Test
    void shouldReadUntilTheServerCloses() throws IOException {
        serve("-ERR bye\r\n");
        accepted.close();
        assertThat(client.readUntilClosed()).isEqualTo("-ERR bye\r\n");
    }

    private void serve(final String bytes) throws IOException {
        accepted.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    }
}
