// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.List;

/** One subscriber of many channels or patterns, and publications that go to one after the other of them. */
final class Names {
    private static final String CHANNEL = "goblin:bench:" + PublicationTemplate.NAME;
    private static final String PATTERN = "goblin:bench:" + PublicationTemplate.NAME + ":*";
    private static final String MATCHING = "goblin:bench:" + PublicationTemplate.NAME + ":x";
    private static final String MISSING = "goblin:bench:" + PublicationTemplate.NAME + ";x";
    private static final Metric RATE = Metric.higher("publications/s, " + Scale.WINDOW + " at once");
    private static final Metric DELIVERY_P50 = Metric.lower("delivery p50 µs");
    private static final Metric REPLY_P50 = Metric.lower("reply p50 µs");
    private static final int MANY_PATTERNS = 8192;
    private static final double AIM = 10;

    private final Scale scale;

    Names(final Scale scale) {
        this.scale = scale;
    }

    /** How a window's publications are made. */
    private interface Maker {
        Publications make(int window);
    }

    List<Case> channels() {
        return scale.channels().stream()
                .map(count -> hit(
                        Series.whole(count) + " channels",
                        RATE,
                        DELIVERY_P50,
                        window -> Publications.toChannels(CHANNEL, count, Scale.PAYLOAD, window, 1)))
                .toList();
    }

    List<Case> patterns() {
        final List<Case> cases = new ArrayList<>();
        for (final int count : scale.patterns()) {
            final boolean many = count == MANY_PATTERNS;
            cases.add(hit(
                    Series.whole(count) + " patterns, one matches",
                    many ? RATE.aimRatio(AIM) : RATE,
                    many ? DELIVERY_P50.aimRatio(1 / AIM) : DELIVERY_P50,
                    window -> Publications.toPatterns(MATCHING, PATTERN, count, Scale.PAYLOAD, window)));
            cases.add(miss(count, many ? RATE.aimRatio(AIM) : RATE));
        }
        return cases;
    }

    private Case hit(final String name, final Metric rate, final Metric p50, final Maker maker) {
        return new Case(name, List.of(rate, p50, REPLY_P50), (side, sample) -> {
            sample.put(rate, run(side.port(), maker.make(Scale.WINDOW), false).rate());
            final FanoutLoop.Result single = run(side.port(), maker.make(1), true);
            sample.put(p50, single.deliveries().getValueAtPercentile(50) / 1000.0);
            sample.put(REPLY_P50, single.replies().getValueAtPercentile(50) / 1000.0);
            sample.histogram("delivery", single.deliveries());
        });
    }

    private Case miss(final int count, final Metric rate) {
        final Maker maker = window -> Publications.past(MISSING, PATTERN, count, Scale.PAYLOAD, window);
        return new Case(Series.whole(count) + " patterns, none matches", List.of(rate, REPLY_P50), (side, sample) -> {
            sample.put(rate, run(side.port(), maker.make(Scale.WINDOW), false).rate());
            final FanoutLoop.Result single = run(side.port(), maker.make(1), true);
            sample.put(REPLY_P50, single.replies().getValueAtPercentile(50) / 1000.0);
            sample.histogram("reply", single.replies());
        });
    }

    private FanoutLoop.Result run(final int port, final Publications made, final boolean polling) throws Failure {
        try (Publications publications = made;
                Crowd crowd = new Crowd(port, 1, publications.subscriptions());
                ProbeConnection publisher = ProbeConnection.open(Server.ADDRESS, port);
                FanoutLoop loop = new FanoutLoop(publisher, crowd, publications, polling)) {
            loop.run(scale.warmNs());
            final FanoutLoop.Result result = loop.run(scale.runNs());
            crowd.checkNothingMore();
            return result;
        }
    }
}
