// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.AcceptHandler;
import goblin.net.ChunkPool;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.Iovec;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.ReceiveSegment;
import goblin.net.SegmentArena;
import goblin.net.SendQueue;
import goblin.net.SharedBytes;
import goblin.net.Timer;
import goblin.net.Transport;
import goblin.net.linux.Memory;
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

/**
 * The steady state of a loop allocates no Java object: not one byte over many messages, once C2 has compiled the path. A
 * backend says how its transports are made. {@code -Dgoblin.allocation.messages=1000000} measures longer.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class SocketAllocation {
    private static final int MESSAGE_BYTES = 64;
    private static final int LONG_MESSAGE_BYTES = 10_000;
    private static final int WARM_UP_ROUND = 20_000;
    private static final int MAX_WARM_UP_ROUNDS = 50;
    private static final int MEASURED = Integer.getInteger("goblin.allocation.messages", 50_000);

    /**
     * Makes a transport.
     *
     * @param arena       its receive memory
     * @param windowBytes how much one receive may bring
     * @return a new one
     */
    protected abstract Transport newTransport(SegmentArena arena, int windowBytes);

    @Test
    void shouldAllocateNothingForReceiveAndSend() throws IOException {
        final long[] timerRuns = new long[1];
        final Transport transport = newTransport(new SegmentArena(), SegmentArena.DEFAULT_SEGMENT_BYTES);
        final EventLoop loop = new EventLoop("echo", transport, IdlePolicy.SPIN);
        final Timer[] timer = new Timer[1];
        timer[0] = loop.newTimer(() -> {
            timerRuns[0]++;
            timer[0].arm(loop.nowNs() + 1_000_000);
        });
        timer[0].arm(loop.nowNs());
        loop.atTurnEnd(() -> timerRuns[0]++);
        assertThat(allocatedByEchoes(loop, transport, new Echo())).isZero();
    }

    @Test
    void shouldAllocateNothingForSharedMessagesThroughASendQueue() throws IOException {
        final Transport transport = newTransport(new SegmentArena(), SegmentArena.DEFAULT_SEGMENT_BYTES);
        final EventLoop loop = new EventLoop("queued echo", transport, IdlePolicy.SPIN);
        assertThat(allocatedByEchoes(loop, transport, new QueuedEcho())).isZero();
    }

    @Test
    void shouldAllocateNothingForWindowsOfSeveralSegments() throws IOException {
        final Transport transport = transport(1448, 64 * 1024);
        final EventLoop loop = new EventLoop("window echo", transport, IdlePolicy.SPIN);
        assertThat(allocatedByEchoes(loop, transport, new HoldingEcho(0), LONG_MESSAGE_BYTES))
                .isZero();
        assertThat(transport.lentBytes()).isZero();
    }

    @Test
    void shouldAllocateNothingForPlacedPayloads() throws IOException {
        final Transport transport = transport(4096, 64 * 1024);
        final EventLoop loop = new EventLoop("placed echo", transport, IdlePolicy.SPIN);
        assertThat(allocatedByEchoes(loop, transport, new HoldingEcho(24), LONG_MESSAGE_BYTES))
                .isZero();
        assertThat(transport.lentBytes()).isZero();
    }

    private Transport transport(final int segmentBytes, final int windowBytes) {
        return newTransport(new SegmentArena(4 << 20, segmentBytes, true, FaultReporter.STANDARD_ERROR), windowBytes);
    }

    private static AcceptHandler accepting(final ConnectionHandler handler) {
        return new AcceptHandler() {
            @Override
            public ConnectionHandler onAccept(final Connection connection) {
                return handler;
            }

            @Override
            public void onAcceptError(final int errno) {
                throw new AssertionError("cannot accept: " + errno);
            }
        };
    }

    private static long allocatedByEchoes(
            final EventLoop loop, final Transport transport, final ConnectionHandler handler) throws IOException {
        return allocatedByEchoes(loop, transport, handler, MESSAGE_BYTES);
    }

    private static long allocatedByEchoes(
            final EventLoop loop, final Transport transport, final ConnectionHandler handler, final int bytes)
            throws IOException {
        final Listener listener = transport.listen(
                new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0), ListenOptions.DEFAULT, accepting(handler));
        final int port = ((Endpoint.Tcp) listener.endpoint()).port();
        final Thread thread = new Thread(loop, "measured loop");
        thread.start();
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            final ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
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

    /** Keeps the pieces of a message until it is whole, pausing on the way, and answers with one gathered send. */
    private static final class HoldingEcho implements ConnectionHandler {
        private final int headerBytes;
        private final long iovecs = Memory.allocate(1024 * Iovec.BYTES);
        private final ReceiveSegment[] held = new ReceiveSegment[1024];
        private int count;
        private int received;

        HoldingEcho(final int headerBytes) {
            this.headerBytes = headerBytes;
        }

        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            segment.retain();
            Iovec.put(iovecs, count, segment.address(), segment.length());
            held[count++] = segment;
            received += segment.length();
            if (received < LONG_MESSAGE_BYTES) {
                connection.pauseReceive();
                connection.resumeReceive();
                return;
            }
            if (connection.sendGathered(iovecs, count) != received) {
                throw new AssertionError("short send");
            }
            while (count > 0) {
                held[--count].release();
            }
            received = 0;
            connection.expect(headerBytes, headerBytes == 0 ? 0 : LONG_MESSAGE_BYTES - headerBytes);
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

    /** Answers with what came. */
    private static final class Echo implements ConnectionHandler {
        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
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
