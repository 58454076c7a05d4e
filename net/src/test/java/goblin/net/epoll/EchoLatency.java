// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.ReceiveSegment;
import goblin.net.linux.SocketCalls;
import goblin.net.linux.SocketOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * Measures an echo of 64 bytes over loopback: both sides spin. Arguments: samples, then {@code carried} (acknowledgements
 * travel with the answer, as the transport does it) or {@code armed} (TCP_QUICKACK is set after every receive).
 */
final class EchoLatency {
    private static final int MESSAGE_BYTES = 64;

    private EchoLatency() {}

    public static void main(final String[] arguments) throws IOException {
        final int samples = Integer.parseInt(arguments[0]);
        final boolean armed = arguments[1].equals("armed");
        final EpollTransport transport = new EpollTransport();
        final EventLoop loop = new EventLoop("echo", transport, IdlePolicy.SPIN);
        final Listener listener = transport.listen(
                new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0),
                ListenOptions.DEFAULT,
                EpollTransportTest.accepting(armed ? new ArmingEcho() : new EpollTransportTest.Echo()));
        loop.start();
        final int port = ((Endpoint.Tcp) listener.endpoint()).port();
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            measure(channel, samples);
            report(arguments[1], measure(channel, samples));
        } finally {
            loop.close();
        }
    }

    private static long[] measure(final SocketChannel channel, final int samples) throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        final long[] tookNs = new long[samples];
        for (int i = 0; i < samples; i++) {
            final long start = System.nanoTime();
            buffer.clear();
            channel.write(buffer);
            buffer.clear();
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                Thread.onSpinWait();
            }
            tookNs[i] = System.nanoTime() - start;
        }
        return tookNs;
    }

    private static void report(final String how, final long[] tookNs) {
        Arrays.sort(tookNs);
        System.out.printf(
                "%s: p50 %.1f µs, p90 %.1f µs, p99 %.1f µs%n",
                how,
                tookNs[tookNs.length / 2] / 1e3,
                tookNs[tookNs.length * 9 / 10] / 1e3,
                tookNs[tookNs.length * 99 / 100] / 1e3);
    }

    /** Asks for an acknowledgement before it answers. */
    private static final class ArmingEcho implements ConnectionHandler {
        private final SocketCalls calls = new SocketCalls();

        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            calls.setOption(connection.descriptor(), SocketOption.TCP_QUICK_ACK, 1);
            connection.send(segment.address(), segment.length());
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
