// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;

/**
 * The sender's end of one loop's ring to another. Writing never fails: what finds the ring full is spilled, and so is
 * all that follows, until {@link #flush} has moved it to the ring. While publications with a ticket are spilled the claim
 * stays at the first of them or below, so that the receiver waits for them.
 */
final class OutRing {
    private final OneToOneRingBuffer ring;
    private final Tickets tickets;
    private final int from;
    private final int to;
    private final Spill spill = new Spill();
    private int spilledTickets;

    OutRing(final OneToOneRingBuffer ring, final Tickets tickets, final int from, final int to) {
        this.ring = ring;
        this.tickets = tickets;
        this.from = from;
        this.to = to;
    }

    /**
     * A ticket is about to be taken for this ring.
     *
     * @param next {@link Tickets#next} from before it is taken
     */
    void claim(final long next) {
        if (spilledTickets == 0) {
            tickets.claimRelease(from, to, next);
        }
    }

    /** The ticket has been written. */
    void unclaim() {
        if (spilledTickets == 0) {
            tickets.claimRelease(from, to, Tickets.NONE);
        }
    }

    /**
     * Writes or spills a message.
     *
     * @return false when it was spilled
     */
    boolean write(
            final int type, final long first, final long address, final int a, final int b, final int c, final int d) {
        if (spill.isEmpty() && offer(type, first, address, a, b, c, d)) {
            return true;
        }
        if (hasTicket(type, first)) {
            spilledTickets++;
        }
        spill.add(type, first, address, a, b, c, d);
        return false;
    }

    boolean isSpilled() {
        return !spill.isEmpty();
    }

    /**
     * Moves to the ring what has room there.
     *
     * @return whether anything moved
     */
    boolean flush() {
        boolean moved = false;
        while (!spill.isEmpty()
                && offer(spill.type(), spill.first(), spill.address(), spill.a(), spill.b(), spill.c(), spill.d())) {
            final long first = spill.first();
            final boolean ticket = hasTicket(spill.type(), first);
            spill.remove();
            moved = true;
            if (ticket && spilledTickets > 0) {
                spilledTickets--;
                // The next one's ticket is larger; which one it is does not matter.
                tickets.claimRelease(from, to, spilledTickets == 0 ? Tickets.NONE : first + 1);
            }
        }
        return moved;
    }

    /** The sender ends: nobody is to wait for what it spilled. */
    void abandon() {
        spilledTickets = 0;
        tickets.claimRelease(from, to, Tickets.NONE);
    }

    /** Gives up what was never moved to the ring; the threads have ended. */
    void discard() {
        while (!spill.isEmpty()) {
            InRing.discard(spill.type(), spill.address());
            spill.remove();
        }
    }

    private boolean offer(
            final int type, final long first, final long address, final int a, final int b, final int c, final int d) {
        final int index = ring.tryClaim(type, Message.BYTES);
        if (index < 0) {
            return false;
        }
        final AtomicBuffer buffer = ring.buffer();
        buffer.putLong(index + Message.FIRST, first);
        buffer.putLong(index + Message.ADDRESS, address);
        buffer.putInt(index + Message.A, a);
        buffer.putInt(index + Message.B, b);
        buffer.putInt(index + Message.C, c);
        buffer.putInt(index + Message.D, d);
        ring.commit(index);
        return true;
    }

    private static boolean hasTicket(final int type, final long first) {
        return type == Message.PUBLICATION && first != Message.NO_TICKET;
    }
}
