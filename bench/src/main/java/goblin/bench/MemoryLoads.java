// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.ClientSocket;
import goblin.net.linux.Limits;
import java.util.ArrayList;
import java.util.List;

/** What subscribers cost in resident memory: those that have little to read, and those that do not read. */
final class MemoryLoads {
    private static final String CHANNEL = "goblin:bench";
    private static final double MIB = 1 << 20;
    private static final int SPARE_DESCRIPTORS = 300;
    private static final int CLIENTS_AN_ADDRESS = 20_000;
    private static final int STALLED_PAYLOAD = 1024;

    private final Scale scale;

    MemoryLoads(final Scale scale) {
        this.scale = scale;
    }

    /** Subscribers of one channel, each of which has received some publications. */
    Case subscribers() {
        final List<Integer> steps = scale.subscribers();
        final List<Metric> resident = steps.stream()
                .map(count -> Metric.lower("RSS MiB, " + Series.whole(count)))
                .toList();
        final Metric each = Metric.lower("bytes for each of " + Series.whole(steps.getLast()));
        final Metric host = Metric.lower("RSS MiB of its host then");
        final List<Metric> metrics = new ArrayList<>(resident);
        metrics.addAll(List.of(each, host));
        return new Case("subscribers, served", metrics, (side, sample) -> {
            checkDescriptors(steps.getLast());
            final List<Crowd> crowds = new ArrayList<>();
            try {
                int count = 0;
                for (int i = 0; i < steps.size(); i++) {
                    while (count < steps.get(i)) {
                        final int more =
                                Math.min(steps.get(i) - count, CLIENTS_AN_ADDRESS - count % CLIENTS_AN_ADDRESS);
                        crowds.add(crowd(side.port(), more, count / CLIENTS_AN_ADDRESS));
                        count += more;
                    }
                    serve(side.port(), crowds, count);
                    sample.put(resident.get(i), residentMiB(side.server()));
                }
            } finally {
                crowds.forEach(Crowd::close);
            }
            final double grown =
                    sample.figures().get(resident.getLast()) - sample.figures().get(resident.getFirst());
            sample.put(each, grown * MIB / (steps.getLast() - steps.getFirst()));
            if (side.servers().size() > 1) {
                sample.put(host, residentMiB(side.servers().getFirst()));
            }
        });
    }

    /** Subscribers that do not read, beside some that do. */
    List<Case> stalled() {
        return List.of(stalled(2000));
    }

    private Case stalled(final int kib) {
        final Metric grown = Metric.lower("RSS MiB grown");
        final Metric rate = Metric.higher("publications/s, the others served");
        final Metric left = Metric.higher("stalled still connected");
        final String name = Series.whole(scale.stalled()) + " stalled, " + Series.whole(kib) + " KiB unread by each";
        return new Case(name, List.of(grown, rate, left), (side, sample) -> {
            checkDescriptors(scale.stalled());
            final StalledReaders.Result result = new StalledReaders(
                            side.server(), STALLED_PAYLOAD, kib * 1024 / STALLED_PAYLOAD)
                    .run(scale.stalled());
            sample.put(grown, result.rssGrowth() / MIB);
            sample.put(rate, result.perSecond());
            sample.put(left, (double) result.left());
        });
    }

    private static Crowd crowd(final int port, final int count, final int source) throws Failure {
        try (Publications publications = Publications.toChannels(CHANNEL, 1, Scale.PAYLOAD, 1, 1)) {
            return new Crowd(
                    port,
                    count,
                    publications.subscriptions(),
                    new ClientSocket.Tuning(ClosedLoops.source(source), 0, 0));
        }
    }

    /** Each receives some publications: what is made at the first one is there then. */
    private static void serve(final int port, final List<Crowd> crowds, final int count) throws Failure {
        try (Publications publications = Publications.toChannels(CHANNEL, 1, Scale.PAYLOAD, Scale.WINDOW, count);
                ProbeConnection publisher = ProbeConnection.open(Server.ADDRESS, port)) {
            for (int i = 0; i < 4; i++) {
                publications.next();
                publisher.send(publications.commands(), publications.commandsLength());
                expect(publisher, crowds, publications);
                publisher.expect(publications.replies());
            }
        }
    }

    private static void expect(
            final ProbeConnection publisher, final List<Crowd> crowds, final Publications publications) throws Failure {
        try {
            for (final Crowd crowd : crowds) {
                crowd.expect(publications.frames(), publications.framesLength(), false);
            }
        } catch (final Failure failure) {
            throw publisher.explain(failure);
        }
    }

    private static void checkDescriptors(final int clients) throws Failure {
        final long limit = Limits.raiseOpenFiles();
        if (clients + SPARE_DESCRIPTORS > limit) {
            throw new Failure("needs LimitNOFILE=" + (clients + SPARE_DESCRIPTORS) + ", it is " + limit);
        }
    }

    private static double residentMiB(final Server server) throws Failure {
        return Footprint.rss(server.program().pid()) / MIB;
    }
}
