// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.ClientSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** One publisher and one subscriber: the next publication goes when the last one is received and answered. */
final class ClosedLoops {
    private static final Metric DELIVERY_P50 = Metric.lower("delivery p50 µs");
    private static final Metric DELIVERY_P99 = Metric.lower("delivery p99 µs");
    private static final Metric REPLY_P50 = Metric.lower("reply p50 µs");
    private static final double AIM = 0.35;
    private static final double FLAT = 1.1;
    private static final byte[] CHANNEL = RespBytes.ascii("goblin:bench");
    private static final byte[] PING = RespBytes.command("PING");
    private static final byte[] PONG = RespBytes.ascii("+PONG\r\n");
    /** A source address has some 28,000 local ports by default. */
    private static final int CLIENTS_AN_ADDRESS = 20_000;

    private final Scale scale;

    ClosedLoops(final Scale scale) {
        this.scale = scale;
    }

    /** By size of the payload. */
    List<Case> bySize() {
        final Metric p50 = DELIVERY_P50.aimRatio(AIM);
        return scale.payloads().stream()
                .map(bytes ->
                        new Case("1→1, " + bytes + " B", List.of(p50, DELIVERY_P99, REPLY_P50), (side, sample) -> {
                            final LatencySummary summary = measure(side.port(), bytes);
                            sample.put(p50, micros(summary, 50));
                            sample.put(DELIVERY_P99, micros(summary, 99));
                            sample.put(REPLY_P50, summary.replies().getValueAtPercentile(50) / 1000.0);
                            sample.histogram("delivery", summary.deliveries());
                            sample.histogram("reply", summary.replies());
                        }))
                .toList();
    }

    /** Beside clients that do nothing, of which there are more and more within one run. */
    Case besideIdleClients() {
        final List<Integer> steps = scale.idle();
        final IntFunction<Metric> p50 = count -> Metric.lower(Series.whole(count) + " idle: delivery p50 µs");
        final List<Metric> metrics = new ArrayList<>();
        steps.forEach(count -> metrics.add(p50.apply(count)));
        final Metric growth = Metric.lower("p50 beside most to least idle").aimFigure(FLAT);
        metrics.add(growth);
        return new Case("1→1, 16 B", metrics, (side, sample) -> {
            final List<ProbeConnection> idle = new ArrayList<>();
            double first = 0;
            double last = 0;
            try {
                for (final int count : steps) {
                    while (idle.size() < count) {
                        idle.add(idleClient(side.port(), idle.size()));
                    }
                    final LatencySummary summary = measure(side.port(), Scale.PAYLOAD);
                    last = micros(summary, 50);
                    first = first == 0 ? last : first;
                    sample.put(p50.apply(count), last);
                    sample.histogram(count + " idle", summary.deliveries());
                }
            } finally {
                idle.forEach(connection -> {
                    connection.socket().closeAbruptly();
                    connection.close();
                });
            }
            sample.put(growth, last / first);
        });
    }

    private LatencySummary measure(final int port, final int payload) throws Failure {
        try (ProbeConnection subscriber = ProbeConnection.open(Server.ADDRESS, port);
                ProbeConnection publisher = ProbeConnection.open(Server.ADDRESS, port)) {
            subscriber.exchange(RespBytes.subscribe(CHANNEL), RespBytes.confirmation("subscribe", CHANNEL, 1));
            try (LatencyLoop loop = new LatencyLoop(publisher, subscriber, CHANNEL, payload, 1)) {
                loop.measureFor(scale.warmNs());
                final LatencySummary summary = loop.measureFor(scale.runNs());
                Barrier.check(subscriber);
                return summary;
            }
        }
    }

    private static ProbeConnection idleClient(final int port, final int number) throws Failure {
        final ProbeConnection connection = ProbeConnection.open(
                Server.ADDRESS, port, new ClientSocket.Tuning(source(number / CLIENTS_AN_ADDRESS), 0, 0));
        try {
            connection.exchange(PING, PONG);
            return connection;
        } catch (final Failure failure) {
            connection.close();
            throw failure;
        }
    }

    /** An address of this machine's loopback network; for 0 none, which leaves the choice to the kernel. */
    static InetAddress source(final int number) {
        if (number == 0) {
            return null;
        }
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (number + 1)});
        } catch (final UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static double micros(final LatencySummary summary, final double percentile) {
        return summary.deliveries().getValueAtPercentile(percentile) / 1000.0;
    }
}
