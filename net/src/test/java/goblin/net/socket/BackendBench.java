// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.ReceiveSegment;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Affinity;
import goblin.net.uring.UringTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * Measures both backends over loopback by turns: an echo of 64 bytes, and messages of 128 KiB that are answered by a byte.
 * Both sides spin, on CPU 0 and 1. Arguments: rounds, samples a round.
 */
final class BackendBench {
    private static final int SMALL = 64;
    private static final int LARGE = 128 * 1024;

    private BackendBench() {}

    public static void main(final String[] arguments) throws IOException {
        final int rounds = Integer.parseInt(arguments[0]);
        final int samples = Integer.parseInt(arguments[1]);
        Affinity.pinCurrentThread(0);
        for (int round = 0; round < rounds; round++) {
            for (final boolean uring : new boolean[] {false, true}) {
                try (Server server = new Server(uring)) {
                    server.measure(SMALL, SMALL, samples);
                    server.measure(LARGE, 1, samples / 10);
                }
            }
        }
    }

    private static final class Server implements AutoCloseable {
        private final String name;
        private final EventLoop loop;
        private final SocketChannel channel;
        private final Answering handler = new Answering();

        Server(final boolean uring) throws IOException {
            name = uring ? "io_uring" : "epoll";
            final SegmentArena arena = new SegmentArena();
            final Transport transport = uring
                    ? new UringTransport(arena, FaultReporter.STANDARD_ERROR)
                    : new EpollTransport(arena, FaultReporter.STANDARD_ERROR);
            loop = new EventLoop(name, transport, IdlePolicy.SPIN, 1);
            final Listener listener = transport.listen(
                    new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0), ListenOptions.DEFAULT, handler);
            loop.start();
            channel = SocketChannel.open(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), ((Endpoint.Tcp) listener.endpoint()).port()));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
        }

        void measure(final int message, final int answer, final int samples) throws IOException {
            loop.execute(() -> handler.size(message, answer));
            final ByteBuffer out = ByteBuffer.allocateDirect(message);
            final ByteBuffer in = ByteBuffer.allocateDirect(answer);
            final long[] tookNs = new long[samples];
            for (int i = -samples / 10; i < samples; i++) {
                final long start = System.nanoTime();
                out.clear();
                while (out.hasRemaining()) {
                    channel.write(out);
                }
                in.clear();
                while (in.hasRemaining() && channel.read(in) >= 0) {
                    Thread.onSpinWait();
                }
                if (i >= 0) {
                    tookNs[i] = System.nanoTime() - start;
                }
            }
            Arrays.sort(tookNs);
            System.out.printf(
                    "%-8s %6d B: p10 %.1f µs, p50 %.1f µs, p90 %.1f µs, p99 %.1f µs%n",
                    name,
                    message,
                    tookNs[samples / 10] / 1e3,
                    tookNs[samples / 2] / 1e3,
                    tookNs[samples * 9 / 10] / 1e3,
                    tookNs[samples * 99 / 100] / 1e3);
        }

        @Override
        public void close() throws IOException {
            channel.close();
            loop.close();
        }
    }

    /** Answers each message, however it was cut, with its last bytes. */
    private static final class Answering implements ConnectionHandler, AcceptHandler {
        private int message = SMALL;
        private int answer = SMALL;
        private int missing = SMALL;

        void size(final int messageBytes, final int answerBytes) {
            message = messageBytes;
            answer = answerBytes;
            missing = messageBytes;
        }

        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            missing -= segment.length();
            if (missing == 0) {
                missing = message;
                connection.send(segment.address() + segment.length() - answer, answer);
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

        @Override
        public ConnectionHandler onAccept(final Connection connection) {
            return this;
        }

        @Override
        public void onAcceptError(final int errno) {}
    }
}
