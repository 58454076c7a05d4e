// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.Memory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** redis-benchmark as load: publications with and without subscribers of ours that check them, and plain commands. */
final class BenchmarkLoads {
    private static final int CLIENTS = 50;
    private static final int SUBSCRIBERS = 50;
    private static final int SECONDS = 120;
    private static final long TURN_NS = 1_000_000;
    private static final String CHANNEL = "goblin:bench";
    private static final String PAYLOAD = "x".repeat(Scale.PAYLOAD);
    private static final Metric RATE = Metric.higher("publications/s");
    private static final Metric DELIVERIES = Metric.higher("deliveries/s");

    private final Scale scale;
    private final Path logs;
    private final Placement placement;

    /**
     * Prepares it.
     *
     * @param logs      where redis-benchmark's output goes
     * @param placement where it runs
     */
    BenchmarkLoads(final Scale scale, final Path logs, final Placement placement) {
        this.scale = scale;
        this.logs = logs;
        this.placement = placement;
    }

    List<Case> publish() {
        final String load = "redis-benchmark -c 50 -P 16 PUBLISH";
        final Metric alone = RATE.aimRatio(0.7);
        final Metric rate = RATE.aimRatio(1);
        final Metric deliveries = DELIVERIES.aimRatio(1);
        final Metric checked = Metric.higher("publications/s, all in order");
        return List.of(
                new Case(load + ", no subscribers", List.of(alone), (side, sample) -> {
                    final long requests = requests(side.port(), 16, publishing(0));
                    sample.put(alone, rate(run(side.port(), 16, requests, publishing(0))));
                }),
                new Case(load + ", " + SUBSCRIBERS + " subscribers", List.of(rate, deliveries), (side, sample) -> {
                    final List<Publications.Exchange> subscription = List.of(new Publications.Exchange(
                            RespBytes.subscribe(RespBytes.ascii(CHANNEL)),
                            RespBytes.confirmation("subscribe", RespBytes.ascii(CHANNEL), 1)));
                    try (Crowd crowd = new Crowd(side.port(), SUBSCRIBERS, subscription)) {
                        drained(side.port(), crowd, scale.quick() ? 800 : 20_000, new Sample(), rate, deliveries);
                        final double expected =
                                drained(side.port(), crowd, scale.quick() ? 800 : 100_000, sample, rate, deliveries);
                        drained(
                                side.port(),
                                crowd,
                                wholePipelines(expected * scale.runNs() / 1e9, Scale.WINDOW),
                                sample,
                                rate,
                                deliveries);
                        crowd.checkNothingMore();
                    }
                }),
                new Case(
                        "50 publishers with 16 at once, numbered, " + SUBSCRIBERS + " subscribers",
                        List.of(checked),
                        (side, sample) -> {
                            final Burst.Result result = new Burst(new Report(logs), side.port(), side.port())
                                    .run(SUBSCRIBERS, scale.runNs());
                            sample.put(checked, result.messages() * 1e9 / (result.publishNs() + result.drainNs()));
                        }));
    }

    /** SET and GET, through the edge to its host or at a server itself. */
    List<Case> keys() {
        final List<Case> cases = new ArrayList<>();
        for (final int pipeline : new int[] {1, 16, 128}) {
            final List<Metric> metrics = new ArrayList<>();
            for (final String test : List.of("SET", "GET")) {
                metrics.add(Metric.higher(test + "/s"));
            }
            cases.add(new Case("redis-benchmark -c 50 -P " + pipeline, metrics, (side, sample) -> {
                final String[] tests = {"-t", "set,get"};
                final long requests = requests(side.port(), pipeline, tests);
                final Map<String, Double> rates = run(side.port(), pipeline, requests, tests);
                for (final Metric metric : metrics) {
                    final String test = metric.name().replace("/s", "");
                    if (!rates.containsKey(test)) {
                        throw new Failure("redis-benchmark printed no figure for " + test);
                    }
                    sample.put(metric, rates.get(test));
                }
            }));
        }
        return cases;
    }

    /** Publishes through redis-benchmark while the crowd reads and compares; returns publications/s. */
    private double drained(
            final int port,
            final Crowd crowd,
            final long requests,
            final Sample sample,
            final Metric rate,
            final Metric deliveries)
            throws Failure {
        final byte[] frame = RespBytes.message(RespBytes.ascii(CHANNEL), RespBytes.ascii(PAYLOAD));
        final int copies = Crowd.BUFFER_BYTES / frame.length + 2;
        final long frames = Memory.allocate((long) copies * frame.length);
        final List<String> command =
                RedisBenchmark.command(port, CLIENTS, Scale.WINDOW, requests, publishing(SUBSCRIBERS));
        try (Program program = Program.start(RedisBenchmark.NAME, logs, placement, command)) {
            for (int i = 0; i < copies; i++) {
                Memory.copyIn(frame, 0, frames + (long) i * frame.length, frame.length);
            }
            crowd.begin(frames, frame.length, requests * frame.length);
            long firstNs = 0;
            long lastNs = System.nanoTime();
            while (!crowd.complete()) {
                final boolean some = crowd.turn(TURN_NS);
                final long nowNs = System.nanoTime();
                if (some) {
                    firstNs = firstNs == 0 ? nowNs : firstNs;
                    lastNs = nowNs;
                } else if (nowNs - lastNs > Crowd.PATIENCE_NS) {
                    throw crowd.missing();
                }
            }
            final double reported = rate(RedisBenchmark.parse(program.output(SECONDS)));
            sample.put(rate, reported);
            sample.put(deliveries, (double) requests * SUBSCRIBERS * 1e9 / Math.max(1, lastNs - firstNs));
            return reported;
        } finally {
            Memory.free(frames);
        }
    }

    /** How many requests take as long as a run: found by a short one, which warms up as well. */
    private long requests(final int port, final int pipeline, final String... rest) throws Failure {
        final long few = scale.quick() ? 1000 : pipeline == 1 ? 20_000 : 200_000;
        final double slowest = run(port, pipeline, few, rest).values().stream()
                .mapToDouble(Double::doubleValue)
                .min()
                .orElseThrow();
        return wholePipelines(slowest * scale.runNs() / 1e9, pipeline);
    }

    /** redis-benchmark sends whole pipelines only: of others there would be more than was asked for. */
    private static long wholePipelines(final double requests, final int pipeline) {
        return Math.max(CLIENTS, (long) requests / pipeline) * pipeline;
    }

    private Map<String, Double> run(final int port, final int pipeline, final long requests, final String... rest)
            throws Failure {
        final List<String> command = RedisBenchmark.command(port, CLIENTS, pipeline, requests, rest);
        try (Program program = Program.start(RedisBenchmark.NAME, logs, placement, command)) {
            return RedisBenchmark.parse(program.output(SECONDS));
        }
    }

    private static double rate(final Map<String, Double> rates) {
        return rates.values().iterator().next();
    }

    private static String[] publishing(final int subscribers) {
        return new String[] {"PUBLISH", subscribers == 0 ? CHANNEL + ":nobody" : CHANNEL, PAYLOAD};
    }
}
