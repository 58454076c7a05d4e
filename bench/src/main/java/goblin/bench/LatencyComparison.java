// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.List;

/** Latencies of the edge and of Redis, measured in turn in one run. */
final class LatencyComparison {
    private static final String DELIVERY = "delivery";
    private static final String REPLY = "reply";

    private final Bench bench;
    private final Report report;
    private final int alternations;
    private final int samples;
    private final int warmup;

    LatencyComparison(
            final Bench bench, final Report report, final int alternations, final int samples, final int warmup) {
        this.bench = bench;
        this.report = report;
        this.alternations = alternations;
        this.samples = samples;
        this.warmup = warmup;
    }

    /** PUBLISH and subscriber at the edge, against both at Redis. */
    void local() throws Failure {
        compare("local", "Local publication: edge and Redis, p50 in µs", () -> {
            try (Bench.Pair pair = bench.pair()) {
                return bench.localProbe(pair.edge().port(), samples, warmup, 0);
            }
        });
    }

    /** PUBLISH at the host, subscriber at the edge, against both at Redis. */
    void hostToEdge() throws Failure {
        compare("host-to-edge", "Host PUBLISH to edge subscriber, and Redis direct, p50 in µs", () -> {
            try (Bench.Pair pair = bench.pair()) {
                return bench.pairProbe(pair, samples, warmup, "host-edge");
            }
        });
    }

    /** The local probe at one edge beside so many connections that do nothing. */
    void idle(final List<Integer> counts) throws Failure {
        final List<Series> series = new ArrayList<>();
        counts.forEach(count -> series.add(new Series()));
        try (Bench.Pair pair = bench.pair()) {
            for (int round = 0; round < alternations; round++) {
                double base = 0;
                for (int i = 0; i < counts.size(); i++) {
                    final int count = counts.get(i);
                    final double p50 = bench.localProbe(pair.edge().port(), samples, warmup, count)
                            .p50(DELIVERY);
                    base = i == 0 ? p50 : base;
                    series.get(i).add(p50, base);
                    report.progress("idle " + (round + 1) + "/" + alternations + ": " + count + " clients, delivery "
                            + Series.one(p50) + " µs");
                }
            }
        }
        final Table table =
                new Table("idle clients", "delivery p50", "ratio to " + counts.get(0) + " (median)", "spread");
        for (int i = 0; i < counts.size(); i++) {
            final Series each = series.get(i);
            table.row(Series.whole(counts.get(i)), Series.one(each.our()), Series.two(each.ratio()), each.spread());
        }
        report.table("idle", "Idle clients at the edge, p50 in µs, medians of " + alternations + " rounds", table);
    }

    private void compare(final String name, final String heading, final Measurement ours) throws Failure {
        final Table pairs =
                new Table("pair", "edge delivery", "Redis delivery", "ratio", "edge reply", "Redis reply", "ratio");
        final Series deliveries = new Series();
        final Series replies = new Series();
        for (int i = 0; i < alternations; i++) {
            final boolean redisFirst = i % 2 == 0;
            final ProbeResult first = redisFirst ? redis() : ours.run();
            final ProbeResult second = redisFirst ? ours.run() : redis();
            final ProbeResult our = redisFirst ? second : first;
            final ProbeResult their = redisFirst ? first : second;
            deliveries.add(our.p50(DELIVERY), their.p50(DELIVERY));
            replies.add(our.p50(REPLY), their.p50(REPLY));
            row(pairs, Integer.toString(i + 1), our, their);
            report.progress(name + " " + (i + 1) + "/" + alternations + ": delivery " + Series.one(our.p50(DELIVERY))
                    + " and Redis " + Series.one(their.p50(DELIVERY)) + " µs");
        }
        pairs.row(
                "median",
                Series.one(deliveries.our()),
                Series.one(deliveries.their()),
                Series.two(deliveries.ratio()),
                Series.one(replies.our()),
                Series.one(replies.their()),
                Series.two(replies.ratio()));
        report.table(name, heading, pairs);
    }

    private ProbeResult redis() throws Failure {
        try (Server redis = bench.redis()) {
            return bench.localProbe(redis.port(), samples, warmup, 0);
        }
    }

    private static void row(final Table table, final String name, final ProbeResult our, final ProbeResult their) {
        table.row(
                name,
                Series.one(our.p50(DELIVERY)),
                Series.one(their.p50(DELIVERY)),
                Series.two(our.p50(DELIVERY) / their.p50(DELIVERY)),
                Series.one(our.p50(REPLY)),
                Series.one(their.p50(REPLY)),
                Series.two(our.p50(REPLY) / their.p50(REPLY)));
    }

    /** One run of a probe beside servers of its own. */
    private interface Measurement {
        ProbeResult run() throws Failure;
    }
}
