// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A run in which one thread at a time goes on, chosen by chance from a seed, at every access to claims and tickets: so
 * every interleaving of these is possible, and a seed repeats it.
 */
final class ScheduledRun {
    /** What is broken on purpose. */
    enum Mutant {
        NONE,
        /** Senders do not claim. */
        NO_CLAIM,
        /** Readers do not look at claims. */
        CLAIM_NOT_READ,
        /** Readers look at the rings, then at the claims. */
        CLAIM_READ_AFTER_RING,
        /** Senders claim one ticket too high. */
        CLAIM_TOO_HIGH,
        /** A publication without a ticket is delivered at once. */
        NO_CATCHING_UP
    }

    private static final int RING_MESSAGES = 8;
    private static final int MOST_STEPS = 200_000;

    private final int loops;
    private final int publicationsOfALoop;
    private final Mutant mutant;
    private final Random random;
    private final Semaphore[] turns;
    private final Semaphore back = new Semaphore(0);
    private final boolean[] ended;
    private final AtomicReference<Throwable> thrown = new AtomicReference<>();
    private final ThreadLocal<Integer> self = new ThreadLocal<>();
    private volatile boolean aborted;

    ScheduledRun(final int loops, final int publicationsOfALoop, final Mutant mutant, final long seed) {
        this.loops = loops;
        this.publicationsOfALoop = publicationsOfALoop;
        this.mutant = mutant;
        random = new Random(seed);
        turns = new Semaphore[loops];
        ended = new boolean[loops];
    }

    /**
     * Runs to the end.
     *
     * @return what was wrong
     */
    List<String> violations() throws InterruptedException {
        final History history = new History(loops, publicationsOfALoop, true, random);
        final Tickets tickets = new SteppedTickets();
        final Exchange.Merging merging = mutant == Mutant.CLAIM_READ_AFTER_RING ? LateClaims::new : Inbound::new;
        final Exchange<Integer, Integer> exchange =
                new Exchange<>(loops, RING_MESSAGES, 1 + random.nextInt(12), 1 << 20, tickets, merging);
        final Workload[] loads = new Workload[loops];
        final Thread[] threads = new Thread[loops];
        for (int loop = 0; loop < loops; loop++) {
            turns[loop] = new Semaphore(0);
            loads[loop] = new Workload(loop, exchange, history, random.nextLong(), mutant != Mutant.NO_CATCHING_UP);
            exchange.of(loop).bind(() -> {}, loads[loop], (where, fault) -> thrown.compareAndSet(null, fault));
        }
        for (int loop = 0; loop < loops; loop++) {
            final int number = loop;
            threads[loop] = Thread.ofVirtual().start(() -> run(number, loads, history));
        }
        schedule();
        for (final Thread thread : threads) {
            thread.join();
        }
        final List<String> violations = new ArrayList<>();
        if (thrown.get() != null) {
            violations.add(thrown.get().toString());
        } else {
            violations.addAll(history.violations());
            for (final Workload load : loads) {
                if (load.exchange().liveBytes() != 0 || load.exchange().unanswered() != 0) {
                    violations.add("something was not given back");
                }
            }
        }
        for (final Workload load : loads) {
            load.close();
        }
        exchange.close();
        return violations;
    }

    private void schedule() throws InterruptedException {
        int steps = 0;
        while (true) {
            int alive = 0;
            for (int loop = 0; loop < loops; loop++) {
                if (!ended[loop]) {
                    alive++;
                }
            }
            if (alive == 0) {
                return;
            }
            int chosen = random.nextInt(alive);
            int loop = 0;
            while (ended[loop] || chosen-- > 0) {
                loop++;
            }
            if (++steps > MOST_STEPS) {
                thrown.compareAndSet(null, new IllegalStateException("does not come to an end"));
            }
            aborted = thrown.get() != null;
            turns[loop].release();
            back.acquire();
        }
    }

    private void run(final int loop, final Workload[] loads, final History history) {
        self.set(loop);
        turns[loop].acquireUninterruptibly();
        try {
            while (history.mayBegin(loop)) {
                loads[loop].act();
                step();
            }
            while (!areSettled(loads, history)) {
                loads[loop].settle();
                step();
            }
        } catch (final RuntimeException fault) {
            thrown.compareAndSet(null, fault);
        } finally {
            ended[loop] = true;
            back.release();
        }
    }

    private boolean areSettled(final Workload[] loads, final History history) {
        for (int loop = 0; loop < loops; loop++) {
            if (history.mayBegin(loop)
                    || !loads[loop].isSettled()
                    || loads[loop].exchange().liveBytes() != 0) {
                return false;
            }
        }
        return true;
    }

    /** Lets another thread go on, by chance. */
    private void step() {
        final Integer loop = self.get();
        if (loop != null) {
            back.release();
            turns[loop].acquireUninterruptibly();
            if (aborted) {
                throw new IllegalStateException("another loop has failed", thrown.get());
            }
        }
    }

    private final class SteppedTickets extends Tickets {
        SteppedTickets() {
            super(loops);
        }

        @Override
        long take() {
            step();
            final long ticket = super.take();
            step();
            return ticket;
        }

        @Override
        long next() {
            step();
            return super.next();
        }

        @Override
        void claimRelease(final int from, final int to, final long ticket) {
            step();
            if (mutant != Mutant.NO_CLAIM) {
                super.claimRelease(from, to, mutant == Mutant.CLAIM_TOO_HIGH && ticket != NONE ? ticket + 1 : ticket);
            }
        }

        @Override
        long settledBelow(final int to, final long limit) {
            step();
            final long settled = super.settledBelow(to, limit);
            step();
            return mutant == Mutant.CLAIM_NOT_READ ? limit : settled;
        }
    }

    /** The mutant: what a ring held before the claims were read. */
    private static final class LateClaims extends Inbound {
        private final int to;
        private final Tickets claims;

        LateClaims(final int loop, final InRing[] rings, final Tickets tickets) {
            super(loop, rings, tickets);
            to = loop;
            claims = tickets;
        }

        @Override
        int advance(final long limit, final int most) {
            int handled = look(most);
            settled = claims.settledBelow(to, limit);
            if (handled < most) {
                handled += merge(settled, most - handled);
            }
            return handled;
        }
    }
}
