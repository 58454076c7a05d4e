// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.ReceiveSegment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An event that was fetched for a connection must not reach the next one that has its descriptor. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class StaleEventTest {
    private final EpollTransport transport = new EpollTransport();
    private final List<String> events = new ArrayList<>();
    private final List<SocketChannel> fillers = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        transport.close();
        for (final SocketChannel filler : fillers) {
            filler.close();
        }
    }

    @Test
    void shouldNotDeliverAnEventOfAReusedDescriptor() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
                ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            fill(full);
            final Connection first = transport.connect(endpoint(server), new Recorder("first"));
            try (Socket peer = server.accept()) {
                while (!events.contains("first connected")) {
                    transport.poll(System.nanoTime());
                }
                peer.getOutputStream().write('x');
                // Fetches readable and writable for the first connection, and handles nothing.
                transport.await(TimeUnit.SECONDS.toNanos(10));
                first.close();
                final Connection second = transport.connect(endpoint(full), new Recorder("second"));
                assertThat(second.descriptor()).isEqualTo(first.descriptor());
                for (int turn = 0; turn < 100; turn++) {
                    transport.poll(System.nanoTime());
                }
                // Nobody accepts: had the stale "writable" been taken for its own, it would seem established.
                assertThat(events).containsExactly("first connected");
            }
        }
    }

    /** Connects until the kernel answers no more: a connection attempt then stays open. */
    private void fill(final ServerSocket full) throws IOException {
        boolean established = true;
        while (established) {
            final SocketChannel filler = SocketChannel.open();
            fillers.add(filler);
            filler.configureBlocking(false);
            established = filler.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort()));
            final long deadlineNs = System.nanoTime() + 200_000_000;
            while (!established && deadlineNs - System.nanoTime() > 0) {
                established = filler.finishConnect();
            }
        }
    }

    private static Endpoint endpoint(final ServerSocket server) {
        return new Endpoint.Tcp(InetAddress.getLoopbackAddress(), server.getLocalPort());
    }

    private final class Recorder implements ConnectionHandler {
        private final String name;

        private Recorder(final String name) {
            this.name = name;
        }

        @Override
        public void onConnected(final Connection connection) {
            events.add(name + " connected");
        }

        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            events.add(name + " received");
        }

        @Override
        public void onEndOfStream(final Connection connection) {
            events.add(name + " ended");
        }

        @Override
        public void onWritable(final Connection connection) {
            events.add(name + " writable");
        }

        @Override
        public void onClosed(final Connection connection, final int errno) {
            events.add(name + " closed " + errno);
        }
    }
}
