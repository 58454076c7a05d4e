// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One direction of a {@link ProxiedLink}. What was read waits in a bounded queue, so a held direction pushes back on its
 * sender as a full network does. All methods may be called from any thread.
 */
public final class ProxiedFlow {
    private static final int QUEUE_BYTES = 1 << 20;
    private static final int READ_BYTES = 64 * 1024;

    private final Socket from;
    private final Socket to;
    private final Inspector inspector;
    private final Runnable onFailure;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Chunk> queue = new ArrayDeque<>();
    private long queuedBytes;
    private long receivedBytes;
    private long passedBytes;
    private long resetAfter = Long.MAX_VALUE;
    private long holdAfter = Long.MAX_VALUE;
    private long delayNs;
    private boolean held;
    private boolean byteAtATime;
    private boolean ended;
    private boolean abandoned;

    /** Sees bytes before they are queued. */
    interface Inspector {
        void inspect(byte[] bytes, int length);
    }

    /** Bytes, or the end of the stream when there are none, and when they may go on. */
    private static final class Chunk {
        private final byte[] bytes;
        private final long dueNs;

        private Chunk(final byte[] bytes, final long dueNs) {
            this.bytes = bytes;
            this.dueNs = dueNs;
        }
    }

    ProxiedFlow(final Socket from, final Socket to, final Inspector inspector, final Runnable onFailure) {
        this.from = from;
        this.to = to;
        this.inspector = inspector;
        this.onFailure = onFailure;
    }

    void start() {
        Thread.ofVirtual().name("chaos read").start(() -> guarded(this::read));
        Thread.ofVirtual().name("chaos write").start(() -> guarded(this::write));
    }

    /** Passes nothing on, the end of the stream included, until {@link #release}. */
    public void hold() {
        change(() -> held = true);
    }

    /**
     * Holds once that many bytes of the whole stream have passed.
     *
     * @param bytes 0 or more
     */
    public void holdAfter(final long bytes) {
        change(() -> holdAfter = bytes);
    }

    /** Ends {@link #hold} and {@link #holdAfter}. */
    public void release() {
        change(() -> {
            held = false;
            holdAfter = Long.MAX_VALUE;
        });
    }

    /**
     * Delays what comes from now on; throughput stays.
     *
     * @param delay 0 or more
     */
    public void delay(final Duration delay) {
        change(() -> delayNs = delay.toNanos());
    }

    /**
     * Passes one byte a segment, or whatever is there.
     *
     * @param on whether to cut
     */
    public void byteAtATime(final boolean on) {
        change(() -> byteAtATime = on);
    }

    /**
     * Resets both sides of the link once that many bytes of the whole stream have passed.
     *
     * @param bytes 0 or more
     */
    public void resetAfter(final long bytes) {
        change(() -> resetAfter = bytes);
    }

    /**
     * Counts what came in.
     *
     * @return bytes read from the sender
     */
    public long receivedBytes() {
        lock.lock();
        try {
            return receivedBytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts what went out.
     *
     * @return bytes written to the receiver
     */
    public long passedBytes() {
        lock.lock();
        try {
            return passedBytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Tells whether the end of the stream was passed on.
     *
     * @return true after the last byte
     */
    public boolean hasEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    void abandon() {
        change(() -> abandoned = true);
    }

    private void change(final Runnable action) {
        lock.lock();
        try {
            action.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void read() throws IOException, InterruptedException {
        final byte[] buffer = new byte[READ_BYTES];
        while (true) {
            final int count = from.getInputStream().read(buffer);
            if (count > 0) {
                inspector.inspect(buffer, count);
            }
            lock.lock();
            try {
                while (queuedBytes >= QUEUE_BYTES && !abandoned) {
                    changed.await();
                }
                final byte[] bytes = Arrays.copyOf(buffer, Math.max(0, count));
                queue.add(new Chunk(bytes, System.nanoTime() + delayNs));
                queuedBytes += bytes.length;
                receivedBytes += bytes.length;
                changed.signalAll();
                if (count < 0 || abandoned) {
                    return;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void write() throws IOException, InterruptedException {
        Chunk chunk = next();
        while (chunk != null) {
            if (chunk.bytes.length == 0) {
                to.shutdownOutput();
                change(() -> ended = true);
                return;
            }
            pass(chunk.bytes);
            chunk = next();
        }
    }

    private void pass(final byte[] bytes) throws IOException, InterruptedException {
        int done = 0;
        while (done < bytes.length) {
            final int part = permitted(bytes.length - done);
            if (part == 0) {
                return;
            }
            to.getOutputStream().write(bytes, done, part);
            done += part;
            final int passed = part;
            change(() -> {
                passedBytes += passed;
                queuedBytes -= passed;
            });
        }
    }

    /** How many bytes may pass now; waits while held; 0 when the link is over. */
    private int permitted(final int wanted) throws InterruptedException {
        final boolean over;
        lock.lock();
        try {
            while (!abandoned && (held || passedBytes >= holdAfter)) {
                changed.await();
            }
            if (abandoned) {
                return 0;
            }
            over = passedBytes >= resetAfter;
            if (!over) {
                final long bounded = Math.min(wanted, Math.min(resetAfter, holdAfter) - passedBytes);
                return byteAtATime ? 1 : (int) bounded;
            }
        } finally {
            lock.unlock();
        }
        onFailure.run();
        return 0;
    }

    private Chunk next() throws InterruptedException {
        lock.lock();
        try {
            while (!abandoned) {
                final Chunk first = queue.peek();
                final long waitNs = first == null ? Long.MAX_VALUE : first.dueNs - System.nanoTime();
                if (first == null || held || passedBytes >= holdAfter) {
                    changed.await();
                } else if (waitNs > 0) {
                    changed.await(waitNs, TimeUnit.NANOSECONDS);
                } else {
                    return queue.poll();
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void guarded(final Body body) {
        try {
            body.run();
        } catch (final IOException failed) {
            onFailure.run();
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a thread of this direction does. */
    private interface Body {
        void run() throws IOException, InterruptedException;
    }
}
