// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.ReceiveSegment;
import goblin.net.TransportCounter;
import goblin.net.linux.Memory;
import goblin.net.linux.SocketCalls;
import goblin.net.linux.SocketOption;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class TcpOptionsTest {
    private final EpollTransport transport = new EpollTransport();
    private final SocketCalls calls = new SocketCalls();
    private final List<Connection> accepted = new ArrayList<>();
    private final Answering server = new Answering();
    private Connection client;

    @BeforeEach
    void connect() {
        final Listener listener = transport.listen(
                new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0), ListenOptions.DEFAULT, new AcceptHandler() {
                    @Override
                    public ConnectionHandler onAccept(final Connection connection) {
                        accepted.add(connection);
                        return server;
                    }

                    @Override
                    public void onAcceptError(final int errno) {
                        throw new AssertionError(errno);
                    }
                });
        client = transport.connect(listener.endpoint(), new Answering());
        until(() -> accepted.size() == 1);
    }

    @AfterEach
    void close() {
        transport.close();
        calls.free();
    }

    @Test
    void shouldSetTheOptionsOnBothEndsOfEveryTcpConnection() {
        for (final Connection connection : List.of(client, accepted.getFirst())) {
            final int fd = connection.descriptor();
            assertThat(calls.option(fd, SocketOption.TCP_NO_DELAY)).isEqualTo(1);
            assertThat(calls.option(fd, SocketOption.KEEP_ALIVE)).isEqualTo(1);
            assertThat(calls.option(fd, SocketOption.TCP_KEEP_IDLE)).isEqualTo(60);
            assertThat(calls.option(fd, SocketOption.TCP_KEEP_INTERVAL)).isEqualTo(10);
            assertThat(calls.option(fd, SocketOption.TCP_KEEP_COUNT)).isEqualTo(3);
            assertThat(calls.option(fd, SocketOption.TCP_USER_TIMEOUT)).isEqualTo(90_000);
        }
    }

    @Test
    void shouldAskForAcknowledgementsOnlyWhereNoAnswerCarriedThem() {
        server.answers = true;
        exchange(100);
        assertThat(acknowledgementsAskedFor(server)).isZero();
        server.answers = false;
        exchange(100);
        assertThat(acknowledgementsAskedFor(server)).isEqualTo(100);
    }

    /** The client end of this test never answers, so its share is known: one for each answer it received. */
    private long acknowledgementsAskedFor(final Answering handler) {
        transport.poll(System.nanoTime());
        return transport.counter(TransportCounter.QUICK_ACKS) - handler.sent;
    }

    private void exchange(final int messages) {
        final long memory = Memory.allocate(1);
        for (int i = 0; i < messages; i++) {
            final long before = server.received;
            assertThat(client.send(memory, 1)).isEqualTo(1);
            until(() -> server.received > before);
            transport.poll(System.nanoTime());
            transport.poll(System.nanoTime());
        }
        Memory.free(memory);
    }

    private void until(final BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            transport.poll(System.nanoTime());
        }
    }

    private static final class Answering implements ConnectionHandler {
        private boolean answers;
        private long received;
        private long sent;

        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            received++;
            if (answers) {
                connection.send(segment.address(), segment.length());
                sent++;
            }
        }

        @Override
        public void onEndOfStream(final Connection connection) {}

        @Override
        public void onWritable(final Connection connection) {}

        @Override
        public void onClosed(final Connection connection, final int errno) {}
    }
}
