// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.NetException;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Errno;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class EpollTransportTest {
    private static final Endpoint ANY_PORT = new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0);

    private final EpollTransport transport = new EpollTransport();
    private final EventLoop loop = new EventLoop("test loop", transport, IdlePolicy.BACKOFF);

    @TempDir
    private Path directory;

    @AfterEach
    void stopLoop() {
        loop.close();
    }

    @Test
    void shouldEchoThroughARunningLoop() throws IOException {
        final Listener listener = transport.listen(ANY_PORT, ListenOptions.DEFAULT, accepting(new Echo()));
        loop.start();
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), ((Endpoint.Tcp) listener.endpoint()).port())) {
            socket.getOutputStream().write("hello".getBytes(ISO_8859_1));
            assertThat(socket.getInputStream().readNBytes(5)).isEqualTo("hello".getBytes(ISO_8859_1));
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void shouldAcceptWhatWaitsWhenItFinishesListening() throws IOException {
        final int waiting = 100;
        final AtomicInteger accepted = new AtomicInteger();
        final Listener listener = transport.listen(ANY_PORT, ListenOptions.DEFAULT, accepting(new Echo(), accepted));
        final int port = ((Endpoint.Tcp) listener.endpoint()).port();
        final List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }

        listener.finish();

        assertThat(accepted).hasValue(waiting);
        loop.start();
        for (final Socket socket : sockets) {
            socket.getOutputStream().write('x');
            assertThat(socket.getInputStream().read()).isEqualTo('x');
            socket.close();
        }
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void shouldNameTheEndpointAndTheCauseWhenItCannotListen() {
        final Listener first = transport.listen(ANY_PORT, ListenOptions.DEFAULT, accepting(new Echo()));
        assertThatThrownBy(() -> transport.listen(first.endpoint(), ListenOptions.DEFAULT, accepting(new Echo())))
                .isInstanceOfSatisfying(
                        NetException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EADDRINUSE))
                .hasMessageContaining(first.endpoint().toString())
                .hasMessageContaining("address in use");
    }

    @Test
    void shouldTakeOverAStaleUnixSocketButNotALiveOneNorAnotherFile() throws IOException {
        final Endpoint.Unix endpoint = new Endpoint.Unix(directory.resolve("s"));
        final ListenOptions options = new ListenOptions(16, 0600, false);
        final Listener first = transport.listen(endpoint, options, accepting(new Echo()));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(endpoint.path())))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> transport.listen(endpoint, options, accepting(new Echo())))
                .isInstanceOf(NetException.class);

        // What a killed process leaves behind: the file of a socket nobody has open.
        final Path kept = directory.resolve("kept");
        Files.move(endpoint.path(), kept);
        first.close();
        assertThat(kept).exists();
        final Endpoint.Unix stale = new Endpoint.Unix(kept);
        final Listener second = transport.listen(stale, options, accepting(new Echo()));
        second.close();
        assertThat(kept).doesNotExist();

        Files.writeString(kept, "precious");
        assertThatThrownBy(() -> transport.listen(stale, options, accepting(new Echo())))
                .isInstanceOf(NetException.class);
        assertThat(kept).hasContent("precious");
    }

    @Test
    void shouldRefuseAUnixPathThatTheKernelWouldCut() {
        final Endpoint.Unix endpoint = new Endpoint.Unix(directory.resolve("x".repeat(108)));
        assertThatThrownBy(() -> transport.listen(endpoint, ListenOptions.DEFAULT, accepting(new Echo())))
                .isInstanceOf(NetException.class)
                .hasMessageContaining("107");
    }

    @Test
    void shouldRefuseToWorkAfterItWasClosed() {
        transport.close();
        assertThatThrownBy(() -> transport.connect(ANY_PORT, new Echo())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> transport.listen(ANY_PORT, ListenOptions.DEFAULT, accepting(new Echo())))
                .isInstanceOf(IllegalStateException.class);
        transport.wake();
    }

    static AcceptHandler accepting(final ConnectionHandler handler) {
        return accepting(handler, new AtomicInteger());
    }

    private static AcceptHandler accepting(final ConnectionHandler handler, final AtomicInteger accepted) {
        return new AcceptHandler() {
            @Override
            public ConnectionHandler onAccept(final Connection connection) {
                accepted.incrementAndGet();
                return handler;
            }

            @Override
            public void onAcceptError(final int errno) {
                throw new AssertionError(Errno.name(errno));
            }
        };
    }

    /** Sends back what comes; small messages only, the kernel takes them whole. */
    static final class Echo implements ConnectionHandler {
        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            if (connection.send(segment.address(), segment.length()) != segment.length()) {
                throw new AssertionError("short send");
            }
        }

        @Override
        public void onEndOfStream(final Connection connection) {
            connection.close();
        }

        @Override
        public void onWritable(final Connection connection) {}

        @Override
        public void onClosed(final Connection connection, final int errno) {}
    }
}
