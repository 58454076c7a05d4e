// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.Memory;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;

/**
 * How much more several loops deliver than one. Loops and load share the CPUs of a small machine, so the load is made
 * cheap and its share is told: most subscribers' bytes are dropped by the kernel, many publications at once, and the
 * CPU time of the loops' own threads gives what they would deliver if none had to share.
 */
final class LoopLoads {
    private static final String CHANNEL = "goblin:bench";
    /** The names of an edge's loops begin so. */
    private static final String LOOPS = "edge";

    private static final int COMPARED_EVERY = 16;
    private static final int WINDOWS_IN_FLIGHT = 8;
    private static final int WINDOWS_A_SWEEP = 16;
    private static final int PERIOD_WINDOWS = 256;
    private static final double AIM = 1.6;
    private static final Metric RATE = Metric.higher("deliveries/s").aimRatio(AIM);
    private static final Metric CAPACITY =
            Metric.higher("deliveries/s of CPU time of the busiest loop").aimRatio(AIM);
    private static final Metric COST = Metric.lower("loops' CPU ns a delivery");
    private static final Metric LOOP_SHARE = Metric.higher("busiest loop's share of a CPU, %");
    private static final Metric LOAD_SHARE = Metric.lower("load's share of a CPU, %");

    private final Scale scale;
    private final int subscribers;

    LoopLoads(final Scale scale) {
        this.scale = scale;
        this.subscribers = scale.quick() ? 32 : 512;
    }

    Case fanout() {
        return new Case(
                "pipelined to " + subscribers, List.of(RATE, CAPACITY, COST, LOOP_SHARE, LOAD_SHARE), this::run);
    }

    private void run(final Contender side, final Sample sample) throws Failure {
        try (Publications publications = Publications.toChannels(CHANNEL, 1, Scale.PAYLOAD, Scale.WINDOW, subscribers);
                Crowd crowd = new Crowd(side.port(), subscribers, publications.subscriptions());
                ProbeConnection publisher = ProbeConnection.open(Server.ADDRESS, side.port());
                Period period = new Period(publications)) {
            crowd.compare(COMPARED_EVERY, publications.framesLength());
            final int few = WINDOWS_A_SWEEP * 2;
            final long startNs = System.nanoTime();
            publish(publisher, crowd, publications, period, few);
            final double windowNs = (System.nanoTime() - startNs) / (double) few;
            publish(publisher, crowd, publications, period, windows(scale.warmNs(), windowNs));
            measure(side, sample, () -> {
                final int windows = windows(scale.runNs(), windowNs);
                publish(publisher, crowd, publications, period, windows);
                return (long) windows * Scale.WINDOW * subscribers;
            });
            crowd.checkNothingMore();
        }
    }

    /** Publishes and says how many deliveries there were. */
    private interface Load {
        long run() throws Failure;
    }

    private static void measure(final Contender side, final Sample sample, final Load load) throws Failure {
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        final long pid = side.server().program().pid();
        final Map<String, Long> before = ThreadTimes.of(pid, LOOPS);
        final long ownNs = threads.getCurrentThreadCpuTime();
        final long startNs = System.nanoTime();
        final long deliveries = load.run();
        final double elapsedNs = System.nanoTime() - startNs;
        final double loadNs = threads.getCurrentThreadCpuTime() - ownNs;
        final LongSummaryStatistics loops = ThreadTimes.since(before, ThreadTimes.of(pid, LOOPS)).stream()
                .mapToLong(Long::longValue)
                .summaryStatistics();
        final double busiestNs = loops.getMax();
        sample.put(RATE, deliveries * 1e9 / elapsedNs);
        sample.put(CAPACITY, deliveries * 1e9 / busiestNs);
        sample.put(COST, loops.getSum() / (double) deliveries);
        sample.put(LOOP_SHARE, 100 * busiestNs / elapsedNs);
        sample.put(LOAD_SHARE, 100 * loadNs / elapsedNs);
    }

    /** Several windows are on their way at a time, so that no loop waits for this program. */
    private static void publish(
            final ProbeConnection publisher,
            final Crowd crowd,
            final Publications publications,
            final Period period,
            final int windows)
            throws Failure {
        crowd.begin(period.frames, period.length, (long) windows * publications.framesLength());
        for (int i = 0; i < windows; i++) {
            publisher.send(period.command(i), publications.commandsLength());
            if (i >= WINDOWS_IN_FLIGHT) {
                publisher.expect(period.replies, period.repliesLength);
            }
            if (i % WINDOWS_A_SWEEP == WINDOWS_A_SWEEP - 1) {
                while (crowd.turn(0)) {
                    Thread.onSpinWait();
                }
            }
        }
        for (int i = 0; i < Math.min(windows, WINDOWS_IN_FLIGHT); i++) {
            publisher.expect(period.replies, period.repliesLength);
        }
        while (!crowd.complete()) {
            if (!crowd.turn(Crowd.PATIENCE_NS)) {
                throw crowd.missing();
            }
        }
    }

    private static int windows(final long durationNs, final double windowNs) {
        return Math.max(1, (int) (durationNs / windowNs / PERIOD_WINDOWS)) * PERIOD_WINDOWS;
    }

    /** So many windows made beforehand, after which the same come again. */
    private static final class Period implements AutoCloseable {
        private final long frames;
        private final int length;
        private final long commands;
        private final int commandsLength;
        private final long replies;
        private final int repliesLength;

        Period(final Publications publications) {
            final int window = publications.framesLength();
            length = PERIOD_WINDOWS * window;
            commandsLength = publications.commandsLength();
            commands = Memory.allocate((long) PERIOD_WINDOWS * commandsLength);
            frames = Memory.allocate(length + (long) Crowd.BUFFER_BYTES);
            for (int i = 0; i < PERIOD_WINDOWS; i++) {
                publications.next();
                Memory.copy(publications.commands(), commands + (long) i * commandsLength, commandsLength);
                Memory.copy(publications.frames(), frames + (long) i * window, window);
            }
            for (int copied = 0; copied < Crowd.BUFFER_BYTES; copied += length) {
                Memory.copy(frames, frames + length + copied, Math.min(length, Crowd.BUFFER_BYTES - copied));
            }
            final byte[] bytes = publications.replies();
            repliesLength = bytes.length;
            replies = Memory.allocate(repliesLength);
            Memory.copyIn(bytes, 0, replies, repliesLength);
        }

        long command(final int window) {
            return commands + (long) (window % PERIOD_WINDOWS) * commandsLength;
        }

        @Override
        public void close() {
            Memory.free(frames);
            Memory.free(commands);
            Memory.free(replies);
        }
    }
}
