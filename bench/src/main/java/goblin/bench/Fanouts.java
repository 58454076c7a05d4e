// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.List;
import java.util.Map;

/** One publisher, many subscribers of one channel: how long until the last one has a message, and how many go through. */
final class Fanouts {
    private static final String CHANNEL = "goblin:bench";
    private static final Metric LAST_P50 = Metric.lower("last receiver p50 µs");
    private static final Metric LAST_P99 = Metric.lower("last receiver p99 µs");
    private static final Metric RATE = Metric.higher("publications/s");
    private static final Map<Integer, Double> LAST_AIMS = Map.of(64, 0.8, 1000, 0.85);
    private static final Map<Integer, Double> RATE_AIMS = Map.of(64, 1.0, 1000, 1.0);

    private final Scale scale;

    Fanouts(final Scale scale) {
        this.scale = scale;
    }

    /** One publication at a time. */
    List<Case> single() {
        return scale.fanouts().stream().map(this::single).toList();
    }

    /** So many publications in one send, the next when all are received and answered. */
    List<Case> pipelined() {
        return scale.fanouts().stream().map(this::pipelined).toList();
    }

    private Case single(final int subscribers) {
        final Metric p50 =
                LAST_AIMS.containsKey(subscribers) ? LAST_P50.aimRatio(LAST_AIMS.get(subscribers)) : LAST_P50;
        return new Case("1→" + Series.whole(subscribers), List.of(p50, LAST_P99), (side, sample) -> {
            final FanoutLoop.Result result = run(side.port(), subscribers, 1);
            sample.put(p50, result.deliveries().getValueAtPercentile(50) / 1000.0);
            sample.put(LAST_P99, result.deliveries().getValueAtPercentile(99) / 1000.0);
            sample.histogram("last receiver", result.deliveries());
        });
    }

    private Case pipelined(final int subscribers) {
        final Metric rate = RATE_AIMS.containsKey(subscribers) ? RATE.aimRatio(RATE_AIMS.get(subscribers)) : RATE;
        return new Case(
                Scale.WINDOW + " at once to " + Series.whole(subscribers),
                List.of(rate),
                (side, sample) -> sample.put(
                        rate, run(side.port(), subscribers, Scale.WINDOW).rate()));
    }

    private FanoutLoop.Result run(final int port, final int subscribers, final int window) throws Failure {
        try (Publications publications = Publications.toChannels(CHANNEL, 1, Scale.PAYLOAD, window, subscribers);
                Crowd crowd = new Crowd(port, subscribers, publications.subscriptions());
                ProbeConnection publisher = ProbeConnection.open(Server.ADDRESS, port);
                FanoutLoop loop = new FanoutLoop(publisher, crowd, publications, false)) {
            loop.run(scale.warmNs());
            final FanoutLoop.Result result = loop.run(scale.runNs());
            crowd.checkNothingMore();
            return result;
        }
    }
}
