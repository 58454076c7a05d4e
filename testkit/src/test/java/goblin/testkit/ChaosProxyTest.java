// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ChaosProxyTest {
    private ServerSocket server;
    private ChaosProxy proxy;
    private Socket client;
    private Socket accepted;

    @BeforeEach
    void startProxy() throws IOException {
        server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        proxy = ChaosProxy.to(server.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
        for (final Socket socket : new Socket[] {client, accepted}) {
            if (socket != null) {
                socket.close();
            }
        }
    }

    @Test
    void shouldPassBytesAndEndsBothWays() throws IOException {
        connect();
        send(client, "to the server");
        assertThat(receive(accepted, 13)).isEqualTo("to the server");
        send(accepted, "back");
        assertThat(receive(client, 4)).isEqualTo("back");
        client.shutdownOutput();
        assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        accepted.close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        await().until(() -> !proxy.links().getFirst().isOpen());
    }

    @Test
    void shouldHoldOneDirectionUntilItIsReleased() throws IOException {
        connect();
        final ProxiedLink link = proxy.awaitLink(ProxiedLink::isOpen);
        link.toServer().hold();
        send(client, "held");
        await().until(() -> link.toServer().receivedBytes() == 4);
        send(accepted, "free");
        assertThat(receive(client, 4)).isEqualTo("free");
        assertThat(link.toServer().passedBytes()).isZero();
        assertThat(accepted.getInputStream().available()).isZero();
        link.toServer().release();
        assertThat(receive(accepted, 4)).isEqualTo("held");
    }

    @Test
    void shouldHoldAndResetAtAnExactByte() throws IOException {
        connect();
        final ProxiedLink link = proxy.awaitLink(ProxiedLink::isOpen);
        link.toServer().holdAfter(3);
        send(client, "abcdef");
        assertThat(receive(accepted, 3)).isEqualTo("abc");
        await().until(() -> link.toServer().passedBytes() == 3);
        link.toServer().resetAfter(5);
        link.toServer().release();
        Assertions.assertThatThrownBy(() -> accepted.getInputStream().readNBytes(6))
                .isInstanceOf(SocketException.class);
        assertThat(link.toServer().passedBytes()).isEqualTo(5);
        await().until(() -> !link.isOpen());
    }

    @Test
    void shouldPassOneByteAtATime() throws IOException {
        proxy.onLink(link -> link.toServer().byteAtATime(true));
        connect();
        send(client, "slowly");
        assertThat(receive(accepted, 6)).isEqualTo("slowly");
    }

    @Test
    void shouldDelayWithoutReordering() throws IOException {
        connect();
        final ProxiedFlow flow = proxy.awaitLink(ProxiedLink::isOpen).toServer();
        flow.delay(Duration.ofMillis(50));
        final long start = System.nanoTime();
        send(client, "first");
        await().until(() -> flow.receivedBytes() == 5);
        flow.delay(Duration.ZERO);
        send(client, "second");
        assertThat(receive(accepted, 11)).isEqualTo("firstsecond");
        assertThat(System.nanoTime() - start)
                .isGreaterThan(Duration.ofMillis(50).toNanos());
    }

    @Test
    void shouldTellLinksByTheirFirstBytesBeforePassingThem() throws IOException {
        proxy.onLink(link -> {
            if (link.kind() == ProxiedLink.Kind.AGGREGATE) {
                link.toServer().hold();
            }
        });
        connect();
        final byte[] registration = new byte[8 + 4 + 8 + 16 + 1];
        System.arraycopy("GOBLINS!".getBytes(US_ASCII), 0, registration, 0, 8);
        registration[registration.length - 1] = 1;
        client.getOutputStream().write(registration, 0, 20);
        assertThat(accepted.getInputStream().readNBytes(20)).hasSize(20);
        client.getOutputStream().write(registration, 20, registration.length - 20);
        final ProxiedLink aggregate = proxy.awaitLink(ProxiedLink.Kind.AGGREGATE);
        await().until(() -> aggregate.toServer().receivedBytes() == registration.length);
        assertThat(aggregate.toServer().passedBytes()).isEqualTo(20);

        try (Socket resp = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            send(resp, "G");
            send(resp, "ET");
            assertThat(proxy.awaitLink(ProxiedLink.Kind.RESP).isOpen()).isTrue();
        }
    }

    private void connect() throws IOException {
        client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        accepted = server.accept();
    }

    private static void send(final Socket socket, final String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private static String receive(final Socket socket, final int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), US_ASCII);
    }
}
