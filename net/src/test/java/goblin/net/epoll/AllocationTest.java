// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.ChunkPool;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.ReceiveSegment;
import goblin.net.SendQueue;
import goblin.net.SharedBytes;
import goblin.net.Timer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The steady state of a loop allocates no Java object: not one byte over many messages, once C2 has compiled the path. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AllocationTest {
    private static final int MESSAGE_BYTES = 64;
    private static final int WARM_UP_ROUND = 20_000;
    private static final int MAX_WARM_UP_ROUNDS = 50;
    private static final int MEASURED = 200_000;

    @Test
    void shouldAllocateNothingForReceiveAndSend() throws IOException {
        final long[] timerRuns = new long[1];
        final EpollTransport transport = new EpollTransport();
        final EventLoop loop = new EventLoop("echo", transport, IdlePolicy.SPIN);
        final Timer[] timer = new Timer[1];
        timer[0] = loop.newTimer(() -> {
            timerRuns[0]++;
            timer[0].arm(loop.nowNs() + 1_000_000);
        });
        timer[0].arm(loop.nowNs());
        loop.atTurnEnd(() -> timerRuns[0]++);
        assertThat(allocatedByEchoes(loop, transport, new EpollTransportTest.Echo()))
                .isZero();
    }

    @Test
    void shouldAllocateNothingForSharedMessagesThroughASendQueue() throws IOException {
        final EpollTransport transport = new EpollTransport();
        final EventLoop loop = new EventLoop("queued echo", transport, IdlePolicy.SPIN);
        assertThat(allocatedByEchoes(loop, transport, new QueuedEcho())).isZero();
    }

    private static long allocatedByEchoes(
            final EventLoop loop, final EpollTransport transport, final ConnectionHandler handler) throws IOException {
        final Listener listener = transport.listen(
                new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0),
                ListenOptions.DEFAULT,
                EpollTransportTest.accepting(handler));
        final int port = ((Endpoint.Tcp) listener.endpoint()).port();
        final Thread thread = new Thread(loop, "measured loop");
        thread.start();
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            final ByteBuffer buffer = ByteBuffer.allocateDirect(MESSAGE_BYTES);
            // Warm when a whole round allocated nothing; C1's code and the interpreter do allocate.
            long allocated = 1;
            for (int round = 0; round < MAX_WARM_UP_ROUNDS && allocated > 0; round++) {
                allocated = measure(thread, channel, buffer, WARM_UP_ROUND);
            }
            return measure(thread, channel, buffer, MEASURED);
        } finally {
            loop.close();
        }
    }

    private static long measure(
            final Thread thread, final SocketChannel channel, final ByteBuffer buffer, final int messages)
            throws IOException {
        final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long before = threads.getThreadAllocatedBytes(thread.threadId());
        for (int i = 0; i < messages; i++) {
            buffer.clear();
            channel.write(buffer);
            buffer.clear();
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                Thread.onSpinWait();
            }
        }
        return threads.getThreadAllocatedBytes(thread.threadId()) - before;
    }

    /** Answers with a shared message and a copy, a half each. */
    private static final class QueuedEcho implements ConnectionHandler {
        private final ChunkPool chunks = new ChunkPool();
        private final SharedBytes.Pool pool = new SharedBytes.Pool();
        private final SendQueue queue = new SendQueue(chunks);

        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            final int half = segment.length() / 2;
            final SharedBytes message = pool.copyOf(segment.address(), segment.length());
            queue.appendShared(message, 0, half);
            message.release();
            queue.append(segment.address() + half, segment.length() - half);
            queue.flush(connection);
        }

        @Override
        public void onEndOfStream(final Connection connection) {
            connection.close();
        }

        @Override
        public void onWritable(final Connection connection) {
            queue.flush(connection);
        }

        @Override
        public void onClosed(final Connection connection, final int errno) {}
    }
}
