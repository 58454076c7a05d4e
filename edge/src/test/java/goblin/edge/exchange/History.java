// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What was published and delivered in one run of {@link Workload}s. Each loop's part is written by its own thread; with
 * causes only one thread at a time may run.
 */
final class History {
    static final int CHANNELS = 4;

    private final int loops;
    private final long[] interested = new long[CHANNELS];
    private final boolean withCauses;
    private final List<String> violations = new ArrayList<>();
    private final int most;
    private final int[] channels;
    private final boolean[] uplinks;
    private final long[] tickets;
    /** For each publication: the global number of deliveries when it began. */
    private final int[] begun;
    /** For each publication: the global number of its first delivery, 0 when there was none. */
    private final int[] firstDelivered;

    private final int[][] delivered;
    private final int[] deliveries;
    private final int[] next;
    private int clock = 1;

    History(final int loops, final int publicationsOfALoop, final boolean withCauses, final Random random) {
        this.loops = loops;
        this.withCauses = withCauses;
        for (int channel = 0; channel < CHANNELS; channel++) {
            interested[channel] = random.nextLong() & (1L << loops) - 1;
        }
        most = publicationsOfALoop;
        channels = new int[loops * most];
        uplinks = new boolean[loops * most];
        tickets = new long[loops * most];
        begun = new int[loops * most];
        firstDelivered = new int[loops * most];
        delivered = new int[loops][loops * most];
        deliveries = new int[loops];
        next = new int[loops];
    }

    long interested(final int channel) {
        return interested[channel];
    }

    boolean mayBegin(final int loop) {
        return next[loop] < most;
    }

    int begin(final int loop, final int channel, final boolean uplink) {
        final int id = loop * most + next[loop]++;
        channels[id] = channel;
        uplinks[id] = uplink;
        tickets[id] = LoopExchange.NO_TICKET;
        begun[id] = clock;
        return id;
    }

    void ticket(final int id, final long ticket) {
        tickets[id] = ticket;
    }

    int channel(final int id) {
        return channels[id];
    }

    boolean isUplink(final int id) {
        return uplinks[id];
    }

    void deliver(final int loop, final int id) {
        delivered[loop][deliveries[loop]++] = id;
        if (withCauses && firstDelivered[id] == 0) {
            firstDelivered[id] = clock++;
        }
    }

    void check(final boolean holds, final String what) {
        if (!holds) {
            synchronized (violations) {
                violations.add(what);
            }
        }
    }

    /** What was wrong, once all loops have settled. */
    List<String> violations() {
        for (int loop = 0; loop < loops; loop++) {
            checkComplete(loop);
            checkTickets(loop);
            if (withCauses) {
                checkCauses(loop);
            }
        }
        return violations;
    }

    private void checkComplete(final int loop) {
        final int[] times = new int[channels.length];
        for (int i = 0; i < deliveries[loop]; i++) {
            times[delivered[loop][i]]++;
        }
        for (int from = 0; from < loops; from++) {
            for (int id = from * most; id < from * most + next[from]; id++) {
                final long due = interested[channels[id]] >> loop & 1;
                check(times[id] == due, "loop " + loop + " has " + id + ' ' + times[id] + " times");
            }
        }
    }

    private void checkTickets(final int loop) {
        long last = -1;
        for (int i = 0; i < deliveries[loop]; i++) {
            final long ticket = tickets[delivered[loop][i]];
            if (ticket != LoopExchange.NO_TICKET) {
                check(ticket > last, "loop " + loop + " has ticket " + ticket + " after " + last);
                last = ticket;
            }
        }
    }

    /** None is delivered after one that began when it had been delivered to anybody. */
    private void checkCauses(final int loop) {
        int latest = 0;
        for (int i = 0; i < deliveries[loop]; i++) {
            final int id = delivered[loop][i];
            check(firstDelivered[id] >= latest, "loop " + loop + " has an effect before its cause " + id);
            latest = Math.max(latest, begun[id]);
        }
    }
}
