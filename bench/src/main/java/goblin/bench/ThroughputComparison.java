// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** redis-benchmark through the edge, at the host directly and at Redis, in turn. */
final class ThroughputComparison {
    private static final int SECONDS = 300;
    private static final int CLIENTS = 50;
    private static final int[] PIPELINES = {1, 16};
    private static final List<String> TESTS = List.of("SET", "GET");

    private final Bench bench;
    private final Report report;
    private final int alternations;
    private final int requests;
    private final Map<String, Series> edge = new LinkedHashMap<>();
    private final Map<String, Series> host = new LinkedHashMap<>();

    /**
     * Prepares it.
     *
     * @param requests of each run with 16 in a pipeline; without a pipeline a quarter of it
     */
    ThroughputComparison(final Bench bench, final Report report, final int alternations, final int requests) {
        this.bench = bench;
        this.report = report;
        this.alternations = alternations;
        this.requests = requests;
    }

    void run() throws Failure {
        for (int i = 0; i < alternations; i++) {
            final Map<String, Double> theirs;
            final Map<String, Double> direct;
            final Map<String, Double> through;
            try (Server redis = bench.redis()) {
                theirs = measure(redis.port());
            }
            try (Server alone = bench.hostAlone()) {
                direct = measure(alone.port());
            }
            try (Bench.Pair pair = bench.pair()) {
                through = measure(pair.edge().port());
            }
            theirs.forEach((name, rate) -> {
                edge.computeIfAbsent(name, key -> new Series()).add(through.get(name), rate);
                host.computeIfAbsent(name, key -> new Series()).add(direct.get(name), rate);
            });
            report.progress("throughput " + (i + 1) + "/" + alternations + ": edge " + through + ", host " + direct
                    + ", Redis " + theirs);
        }
        final Table table = new Table(
                "redis-benchmark -c " + CLIENTS, "edge", "host direct", "Redis direct", "edge ratio", "host ratio");
        edge.forEach((name, series) -> table.row(
                name,
                Series.whole(series.our()),
                Series.whole(host.get(name).our()),
                Series.whole(series.their()),
                Series.two(series.ratio()),
                Series.two(host.get(name).ratio())));
        report.table("throughput", "Requests/s, medians of " + alternations + " rounds", table);
    }

    private Map<String, Double> measure(final int port) throws Failure {
        final Map<String, Double> rates = new LinkedHashMap<>();
        // What a JVM has not compiled yet would be measured otherwise; Redis gets the same.
        benchmark(port, 16, requests);
        for (final int pipeline : PIPELINES) {
            benchmark(port, pipeline, pipeline == 1 ? requests / 4 : requests)
                    .forEach((test, rate) -> rates.put(test + " -P " + pipeline, rate));
        }
        return rates;
    }

    private Map<String, Double> benchmark(final int port, final int pipeline, final int count) throws Failure {
        final List<String> command =
                RedisBenchmark.command(port, CLIENTS, pipeline, Math.max(CLIENTS, count), "-t", "set,get");
        return parse(bench.run(RedisBenchmark.NAME, command, SECONDS));
    }

    /** Requests/s by test of redis-benchmark's CSV; refuses any output that speaks of an error. */
    static Map<String, Double> parse(final String output) throws Failure {
        final Map<String, Double> rates = RedisBenchmark.parse(output);
        if (!rates.keySet().containsAll(TESTS)) {
            throw new Failure("redis-benchmark printed no figures: " + output.strip());
        }
        return rates;
    }
}
