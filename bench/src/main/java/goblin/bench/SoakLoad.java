// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.bench.SoakConnection.Vanishing;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The clients of the soak: they publish, subscribe and forward at edge and host, vanish, and are replaced. */
final class SoakLoad implements AutoCloseable {
    private static final int PUBLISHERS_A_SIDE = 6;
    private static final int SUBSCRIBERS_AT_EDGE = 40;
    private static final int SUBSCRIBERS_AT_HOST = 10;
    private static final int FORWARDERS = 12;
    private static final long SUBSCRIBER_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PUBLISHER_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long SUBSCRIBING_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(45);

    private final LoadLoop loop = new LoadLoop();
    private final InvariantChecker checker = new InvariantChecker();
    private final SoakForwarder.Counter forwarded = new SoakForwarder.Counter();
    private final Random random;
    private final boolean scripts;
    private final boolean steady;
    private final int edgePort;
    private final int hostPort;
    private final List<Member> members = new ArrayList<>();
    private final List<SoakConnection> leaving = new ArrayList<>();
    private int born;
    private long vanished;

    /** Makes the next client of a kind. */
    private interface Maker {
        SoakConnection make(int number) throws Failure;
    }

    /** A place among the clients, taken by one after the other. */
    private static final class Member {
        private final Maker maker;
        private final long pauseNs;
        private SoakConnection client;
        private long actsAtNs;

        private Member(final Maker maker, final long pauseNs) {
            this.maker = maker;
            this.pauseNs = pauseNs;
        }
    }

    /**
     * Prepares the clients.
     *
     * @param steady whether subscriptions stay as they are after some seconds
     */
    SoakLoad(
            final int edgePort,
            final int hostPort,
            final long seed,
            final int mostChanges,
            final boolean scripts,
            final boolean steady)
            throws Failure {
        this.edgePort = edgePort;
        this.hostPort = hostPort;
        this.random = new Random(seed);
        this.scripts = scripts;
        this.steady = steady;
        for (int i = 0; i < PUBLISHERS_A_SIDE; i++) {
            member(number -> new SoakPublisher(loop, checker, "edge", edgePort), PUBLISHER_PAUSE_NS);
            member(number -> new SoakPublisher(loop, checker, "host", hostPort), PUBLISHER_PAUSE_NS);
        }
        for (int i = 0; i < SUBSCRIBERS_AT_EDGE; i++) {
            member(
                    number -> new SoakSubscriber(loop, checker, "edge", number, edgePort, number % 2 == 0, mostChanges),
                    SUBSCRIBER_PAUSE_NS);
        }
        for (int i = 0; i < SUBSCRIBERS_AT_HOST; i++) {
            member(
                    number -> new SoakSubscriber(loop, checker, "host", number, hostPort, number % 2 == 0, mostChanges),
                    SUBSCRIBER_PAUSE_NS);
        }
        for (int i = 0; i < FORWARDERS; i++) {
            member(number -> new SoakForwarder(loop, forwarded, number, edgePort, scripts), PUBLISHER_PAUSE_NS);
        }
    }

    private void member(final Maker maker, final long pauseNs) {
        members.add(new Member(maker, pauseNs));
    }

    InvariantChecker checker() {
        return checker;
    }

    long forwarded() {
        return forwarded.commands();
    }

    long vanished() {
        return vanished;
    }

    /** Runs for a time, so many clients vanishing each second, and drains: every client has left at the end. */
    void run(final long durationNs, final int vanishPerSecond) throws Failure {
        for (final Member member : members) {
            member.client = member.maker.make(born++);
        }
        final long startNs = System.nanoTime();
        final long restNs = steady ? startNs + SUBSCRIBING_NS : Long.MAX_VALUE;
        final long vanishPauseNs = TimeUnit.SECONDS.toNanos(1) / Math.max(1, vanishPerSecond);
        long vanishAtNs = startNs;
        for (long nowNs = startNs; nowNs - startNs < durationNs; nowNs = System.nanoTime()) {
            loop.turn(1);
            for (final Member member : members) {
                if (nowNs - member.actsAtNs >= 0 && (nowNs < restNs || !(member.client instanceof SoakSubscriber))) {
                    member.actsAtNs = nowNs + random.nextLong(2 * member.pauseNs);
                    member.client.act(random);
                }
            }
            if (vanishPerSecond > 0 && nowNs - vanishAtNs >= 0) {
                vanishAtNs = nowNs + random.nextLong(2 * vanishPauseNs);
                vanishOne();
            }
            leaving.removeIf(SoakConnection::gone);
        }
        drain();
    }

    private void vanishOne() throws Failure {
        final Vanishing[] ways = Vanishing.values();
        final Vanishing how = ways[random.nextInt(ways.length)];
        vanished++;
        if (random.nextInt(10) == 0) {
            // One that comes, begins a command and is gone.
            final SoakConnection stranger =
                    new SoakForwarder(loop, forwarded, born++, random.nextBoolean() ? edgePort : hostPort, scripts);
            leave(stranger, how);
            return;
        }
        final Member member = members.get(random.nextInt(members.size()));
        leave(member.client, how);
        member.client = member.maker.make(born++);
    }

    private void leave(final SoakConnection client, final Vanishing how) throws Failure {
        if (client instanceof SoakSubscriber subscriber) {
            subscriber.abandon();
        }
        client.vanish(how);
        leaving.add(client);
    }

    /** All finish what they have begun, then subscribers end what they have, so that all of it is verified. */
    private void drain() throws Failure {
        await("replies", () -> members.stream().allMatch(member -> member.client.outstanding() == 0));
        for (final Member member : members) {
            if (member.client instanceof SoakSubscriber subscriber) {
                subscriber.leaveAll();
            } else if (member.client instanceof SoakForwarder forwarder) {
                forwarder.clean();
            }
        }
        await("confirmations", () -> members.stream().allMatch(member -> member.client.outstanding() == 0));
        for (final Member member : members) {
            member.client.vanish(Vanishing.FIN);
            leaving.add(member.client);
        }
        await("the end of clients that ended their side", () -> leaving.stream().allMatch(SoakConnection::gone));
        leaving.clear();
    }

    private void await(final String what, final BooleanSupplier condition) throws Failure {
        final long deadlineNs = System.nanoTime() + QUIET_NS;
        while (!condition.getAsBoolean()) {
            loop.turn(10);
            if (System.nanoTime() - deadlineNs > 0) {
                throw new Failure("waited in vain for " + what + ": "
                        + members.stream()
                                .map(member -> member.client)
                                .filter(client -> client.outstanding() > 0)
                                .map(client -> client.name() + " awaits " + client.outstanding())
                                .toList()
                        + " "
                        + leaving.stream()
                                .filter(client -> !client.gone())
                                .map(SoakConnection::name)
                                .toList());
            }
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
