// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.List;

/** Memory of subscribers at the edge and at redis-server. */
final class MemoryComparison {
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
     * @param possible more than this cannot be opened: they are extrapolated from the two largest steps before
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
            final List<Step> measured = new ArrayList<>();
            final long pid = server.program().pid();
            try (IdleSubscribers subscribers = new IdleSubscribers(server.port())) {
                // The first client makes the server load and allocate what every server needs once.
                subscribers.growTo(1, channels, 0);
                final Footprint before = Footprint.of(pid, java);
                for (final int count : steps) {
                    if (count + 1 > possible) {
                        extrapolated(table, name, count, measured);
                        continue;
                    }
                    subscribers.growTo(count + 1, channels, 0);
                    final Footprint now = Footprint.of(pid, java);
                    measured.add(new Step(count, now));
                    row(table, whole(count), name, now.rssBytes(), now.per(before, count));
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

    private record Step(int count, Footprint footprint) {}

    private static void extrapolated(final Table table, final String name, final int count, final List<Step> measured) {
        if (measured.size() < 2) {
            return;
        }
        final Step last = measured.getLast();
        final Step before = measured.get(measured.size() - 2);
        final Footprint each = last.footprint.per(before.footprint, last.count - (long) before.count);
        final long rss = last.footprint.rssBytes() + (count - (long) last.count) * each.rssBytes();
        row(table, "~" + whole(count), name, rss, each);
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
