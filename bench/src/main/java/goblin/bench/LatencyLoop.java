// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.bench.ProbeConnection.Waiting;
import goblin.net.linux.Memory;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * The closed loop of both probes: PUBLISH on one connection, the frame on another, the integer reply on the first, and
 * only then the next. Each payload carries the number of its sample, so that no frame passes for another. Nothing is
 * allocated in the loop once it is compiled.
 */
final class LatencyLoop implements AutoCloseable {
    /** The longest latency recorded: the connections give up before. */
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int BATCH = 1000;
    private static final int SHORT_BATCH = 50;
    private static final int EXTRA_ROUNDS = 10;
    private static final int NUMBER_DIGITS = 9;

    private final ProbeConnection publisher;
    private final ProbeConnection subscriber;
    private final long command;
    private final int commandLength;
    private final long commandNumber;
    private final long frame;
    private final int frameLength;
    private final long frameNumber;
    private final int digits;
    private final long reply;
    private final int replyLength;

    private final Histogram deliveries = histogram();
    private final Histogram replies = histogram();
    private long next;

    /**
     * Prepares a loop; the subscriber is already subscribed.
     *
     * @param payload   bytes of each payload, 0 or more
     * @param receivers what PUBLISH must answer
     */
    LatencyLoop(
            final ProbeConnection publisher,
            final ProbeConnection subscriber,
            final byte[] channel,
            final int payload,
            final int receivers) {
        this.publisher = publisher;
        this.subscriber = subscriber;
        final byte[] filled = RespBytes.ascii("x".repeat(payload));
        final byte[] commandBytes = RespBytes.publish(channel, filled);
        final byte[] frameBytes = RespBytes.message(channel, filled);
        final byte[] replyBytes = RespBytes.integer(receivers);
        command = copy(commandBytes);
        commandLength = commandBytes.length;
        commandNumber = command + commandLength - payload - 2;
        frame = copy(frameBytes);
        frameLength = frameBytes.length;
        frameNumber = frame + frameLength - payload - 2;
        digits = Math.min(payload, NUMBER_DIGITS);
        reply = copy(replyBytes);
        replyLength = replyBytes.length;
    }

    static Histogram histogram() {
        return new Histogram(1, LONGEST_NS, SIGNIFICANT_DIGITS);
    }

    /**
     * Runs at least so many samples without counting them, and goes on until the compiler rests.
     *
     * @param samples  0 warms nothing up
     * @param blocking how the connections wait, here and in {@link #measure}
     */
    void warmUp(final int samples, final boolean blocking) throws Failure {
        waiting(blocking ? Waiting.BLOCKING : Waiting.YIELDING);
        run(samples);
        final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        final int round = Math.min(samples, Math.max(2 * BATCH, samples / 4));
        for (int i = 0; i < EXTRA_ROUNDS && round > 0 && compiler != null; i++) {
            final long before = compiler.getTotalCompilationTime();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            run(round);
            if (compiler.getTotalCompilationTime() == before) {
                break;
            }
        }
        waiting(blocking ? Waiting.BLOCKING : Waiting.POLLING);
    }

    /** Measures so many samples. */
    LatencySummary measure(final int samples) throws Failure {
        deliveries.reset();
        replies.reset();
        final long startNs = System.nanoTime();
        deliveries.setStartTimeStamp(System.currentTimeMillis());
        run(samples);
        final long elapsedNs = System.nanoTime() - startNs;
        deliveries.setEndTimeStamp(System.currentTimeMillis());
        return new LatencySummary(deliveries.copy(), replies.copy(), elapsedNs);
    }

    /**
     * Measures for a time, at least one sample. Deliveries are polled for; while the reply is awaited others may use
     * this CPU, as the host beside an edge must.
     */
    LatencySummary measureFor(final long durationNs) throws Failure {
        subscriber.waiting(Waiting.POLLING);
        publisher.waiting(Waiting.YIELDING);
        deliveries.reset();
        replies.reset();
        deliveries.setStartTimeStamp(System.currentTimeMillis());
        final long startNs = System.nanoTime();
        long nowNs = startNs;
        do {
            batch(SHORT_BATCH);
            nowNs = System.nanoTime();
        } while (nowNs - startNs < durationNs);
        deliveries.setEndTimeStamp(System.currentTimeMillis());
        return new LatencySummary(deliveries.copy(), replies.copy(), nowNs - startNs);
    }

    /** In batches, so that the code measured is compiled as a whole and not replaced on the stack in its middle. */
    void run(final int samples) throws Failure {
        for (int done = 0; done < samples; done += BATCH) {
            batch(Math.min(BATCH, samples - done));
        }
    }

    private void batch(final int samples) throws Failure {
        for (int i = 0; i < samples; i++) {
            number(commandNumber);
            number(frameNumber);
            next++;
            final long startNs = System.nanoTime();
            publisher.send(command, commandLength);
            subscriber.expect(frame, frameLength);
            final long deliveredNs = System.nanoTime();
            publisher.expect(reply, replyLength);
            final long repliedNs = System.nanoTime();
            deliveries.recordValue(deliveredNs - startNs);
            replies.recordValue(repliedNs - startNs);
        }
    }

    private void number(final long address) {
        long rest = next;
        for (int i = digits - 1; i >= 0; i--) {
            Memory.putByte(address + i, (byte) ('0' + rest % 10));
            rest /= 10;
        }
    }

    private void waiting(final Waiting mode) {
        publisher.waiting(mode);
        subscriber.waiting(mode);
    }

    @Override
    public void close() {
        Memory.free(command);
        Memory.free(frame);
        Memory.free(reply);
    }

    private static long copy(final byte[] bytes) {
        final long address = Memory.allocate(bytes.length);
        Memory.copyIn(bytes, 0, address, bytes.length);
        return address;
    }
}
