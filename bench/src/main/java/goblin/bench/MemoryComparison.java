// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Memory of subscribers at the edge and at redis-server. */
final class MemoryComparison {
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(5);

    private final Bench bench;
    private final Report report;
    private final int channels;

    MemoryComparison(final Bench bench, final Report report, final int channels) {
        this.bench = bench;
        this.report = report;
        this.channels = channels;
    }

    /** One way to have a server started and looked at. */
    private interface Use {
        void use(String name, Server server, boolean java) throws Failure;
    }

    /**
     * Idle subscribers, one step after the other at the same server.
     *
     * @param steps    how many, ascending
     * @param possible more than this cannot be opened: they are extrapolated from the largest step before
     */
    void idle(final List<Integer> steps, final long possible) throws Failure {
        final Table table = new Table(
                "idle subscribers",
                "server",
                "resident MiB",
                "resident bytes each",
                "Java bytes each",
                "locked bytes each",
                "kernel bytes each (both ends)");
        edgeAndRedis((name, server, java) -> {
            Step last = null;
            final long pid = server.program().pid();
            try (IdleSubscribers subscribers = new IdleSubscribers(server.port())) {
                // The first client makes the server load and allocate what every server needs once.
                subscribers.growTo(1, channels, 0);
                final Footprint before = Footprint.of(pid, java);
                for (final int count : steps) {
                    if (count + 1 > possible) {
                        if (last != null) {
                            extrapolated(table, name, count, last);
                        }
                        continue;
                    }
                    subscribers.growTo(count + 1, channels, 0);
                    settle();
                    final Footprint now = Footprint.of(pid, java);
                    last = new Step(count, now.rssBytes(), now.per(before, count));
                    row(table, whole(count), name, last.rssBytes, last.each);
                    report.progress("memory: " + name + " with " + count + " subscribers, resident "
                            + (now.rssBytes() >> 20) + " MiB");
                }
            }
        });
        report.table(
                "memory-idle",
                "Memory of idle subscribers on " + channels + " channels (extrapolated where marked with ~)",
                table);
    }

    private record Step(int count, long rssBytes, Footprint each) {}

    /** What an idle client holds at the edge are Java objects; garbage that it left behind is not held. */
    private static void extrapolated(final Table table, final String name, final int count, final Step last) {
        final long bytes = last.each.javaBytes() == 0 ? last.each.rssBytes() : last.each.javaBytes();
        row(table, "~" + whole(count), name, last.rssBytes + (count - (long) last.count) * bytes, last.each);
    }

    /** Redis gives buffers of idle clients back after some seconds. */
    private static void settle() {
        LockSupport.parkNanos(SETTLE_NS);
    }

    private static void row(
            final Table table, final String count, final String name, final long rss, final Footprint each) {
        table.row(
                count,
                name,
                whole(rss >> 20),
                whole(each.rssBytes()),
                each.javaBytes() == 0 ? "" : whole(each.javaBytes()),
                whole(each.lockedBytes()),
                whole(each.kernelBytes()));
    }

    /** Subscribers that do not read, beside those that do: alternating. */
    void stalled(final List<Integer> counts, final int payloadBytes, final int messages, final int rounds)
            throws Failure {
        final Table table = new Table(
                "stalled subscribers", "server", "round", "publications/s", "resident MiB more", "stalled left");
        for (int round = 1; round <= rounds; round++) {
            for (final int count : counts) {
                final int number = round;
                edgeAndRedis((name, server, java) -> {
                    final StalledReaders.Result result = new StalledReaders(server, payloadBytes, messages).run(count);
                    table.row(
                            whole(count),
                            name,
                            whole(number),
                            whole((long) result.perSecond()),
                            whole(result.rssGrowth() >> 20),
                            whole(result.left()));
                    report.progress("memory: " + name + ", " + count + " stalled, round " + number);
                });
            }
        }
        report.table(
                "memory-stalled",
                messages + " publications of " + payloadBytes
                        + " bytes, 16 at once, to 16 subscribers that read and"
                        + " got everything in order, beside others that do not read",
                table);
    }

    private void edgeAndRedis(final Use use) throws Failure {
        try (Bench.Pair pair = bench.pair()) {
            use.use("edge", pair.edge(), true);
        }
        try (Server redis = bench.redis()) {
            use.use("redis-server", redis, false);
        }
    }

    private static String whole(final long value) {
        return Series.whole((double) value);
    }
}
