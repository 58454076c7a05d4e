// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.bench.ProbeConnection.Waiting;
import goblin.net.linux.Memory;
import org.HdrHistogram.Histogram;

/**
 * Publishes windows, each when the last one has reached every subscriber and been answered. Nothing is allocated in the
 * loop once it is compiled.
 */
final class FanoutLoop implements AutoCloseable {
    private static final int WINDOWS_BETWEEN_CLOCK_READS = 8;

    private final ProbeConnection publisher;
    private final Crowd crowd;
    private final Publications publications;
    private final boolean polling;
    private final long replies;
    private final int repliesLength;
    private final Histogram deliveries = LatencyLoop.histogram();
    private final Histogram answers = LatencyLoop.histogram();

    /**
     * Prepares a loop over connections that stay their owner's.
     *
     * @param polling whether deliveries are polled for, or awaited in the kernel
     */
    FanoutLoop(
            final ProbeConnection publisher,
            final Crowd crowd,
            final Publications publications,
            final boolean polling) {
        this.publisher = publisher;
        this.crowd = crowd;
        this.publications = publications;
        this.polling = polling;
        // A host beside the edge needs this CPU to answer.
        publisher.waiting(polling ? Waiting.YIELDING : Waiting.BLOCKING);
        final byte[] bytes = publications.replies();
        repliesLength = bytes.length;
        replies = Memory.allocate(repliesLength);
        Memory.copyIn(bytes, 0, replies, repliesLength);
    }

    /**
     * What a run found.
     *
     * @param deliveries nanoseconds from before the send to the last receiver's last message; empty without receivers
     * @param replies    nanoseconds from before the send to the last reply
     * @param rate       publications a second
     */
    record Result(Histogram deliveries, Histogram replies, double rate) {}

    /** Publishes for a time, one window at least. */
    Result run(final long durationNs) throws Failure {
        deliveries.reset();
        answers.reset();
        deliveries.setStartTimeStamp(System.currentTimeMillis());
        answers.setStartTimeStamp(System.currentTimeMillis());
        final long startNs = System.nanoTime();
        long windows = 0;
        long nowNs;
        do {
            for (int i = 0; i < WINDOWS_BETWEEN_CLOCK_READS; i++) {
                window();
            }
            windows += WINDOWS_BETWEEN_CLOCK_READS;
            nowNs = System.nanoTime();
        } while (nowNs - startNs < durationNs);
        deliveries.setEndTimeStamp(System.currentTimeMillis());
        answers.setEndTimeStamp(System.currentTimeMillis());
        return new Result(deliveries.copy(), answers.copy(), windows * publications.window() * 1e9 / (nowNs - startNs));
    }

    private void window() throws Failure {
        publications.next();
        final long startNs = System.nanoTime();
        publisher.send(publications.commands(), publications.commandsLength());
        if (publications.framesLength() > 0) {
            expectFrames();
            deliveries.recordValue(System.nanoTime() - startNs);
        }
        publisher.expect(replies, repliesLength);
        answers.recordValue(System.nanoTime() - startNs);
    }

    private void expectFrames() throws Failure {
        try {
            crowd.expect(publications.frames(), publications.framesLength(), polling);
        } catch (final Failure failure) {
            throw publisher.explain(failure);
        }
    }

    @Override
    public void close() {
        Memory.free(replies);
    }
}
