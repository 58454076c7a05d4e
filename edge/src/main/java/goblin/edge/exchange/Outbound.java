// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

/** What one loop sends to the others: the steps of a publication, spills, and whom to wake. */
final class Outbound {
    private final int loop;
    /** By receiver; null at the loop's own place. */
    private final OutRing[] rings;

    private final Tickets tickets;
    private final Sleepers sleepers;
    private final ExchangeCounters counters;
    /** Mask of the loops that were written to and not woken. */
    private long written;
    /** Mask of the loops for which messages are spilled. */
    private long spilled;

    Outbound(
            final int loop,
            final OutRing[] rings,
            final Tickets tickets,
            final Sleepers sleepers,
            final ExchangeCounters counters) {
        this.loop = loop;
        this.rings = rings;
        this.tickets = tickets;
        this.sleepers = sleepers;
        this.counters = counters;
    }

    /** First step of a publication: claims the rings it will be written to. */
    void claim(final long loops) {
        final long next = tickets.next();
        for (long left = loops; left != 0; left &= left - 1) {
            rings[Long.numberOfTrailingZeros(left)].claim(next);
        }
    }

    /** Second step. */
    long takeTicket() {
        return tickets.take();
    }

    /** Last step, for each ring: writes the publication and ends the claim. */
    void publish(
            final int to, final long ticket, final Shipment<?, ?> shipment, final int b, final int c, final int d) {
        send(to, Message.PUBLICATION, ticket, shipment.bytes.address(), shipment.token, b, c, d);
        rings[to].unclaim();
    }

    void send(
            final int to,
            final int type,
            final long first,
            final long address,
            final int a,
            final int b,
            final int c,
            final int d) {
        if (to == loop) {
            throw new IllegalArgumentException("loop " + loop + " sends to itself");
        }
        written |= 1L << to;
        if (!rings[to].write(type, first, address, a, b, c, d)) {
            spilled |= 1L << to;
            counters.increment(ExchangeCounter.MESSAGES_SPILLED);
        }
    }

    boolean isSpilled() {
        return spilled != 0;
    }

    /** Moves what was spilled to rings with room. */
    void flushSpills() {
        for (long left = spilled; left != 0; left &= left - 1) {
            final int to = Long.numberOfTrailingZeros(left);
            if (rings[to].flush()) {
                written |= 1L << to;
            }
            if (!rings[to].isSpilled()) {
                spilled &= ~(1L << to);
            }
        }
    }

    /** Wakes the sleeping among those written to. */
    void wake() {
        if (written != 0) {
            for (int woken = sleepers.wake(written); woken > 0; woken--) {
                counters.increment(ExchangeCounter.LOOPS_WOKEN);
            }
            written = 0;
        }
    }

    /** The loop ends: the others need not wait for it. */
    void abandon() {
        for (final OutRing ring : rings) {
            if (ring != null) {
                ring.abandon();
            }
        }
    }

    void discard() {
        for (final OutRing ring : rings) {
            if (ring != null) {
                ring.discard();
            }
        }
    }
}
