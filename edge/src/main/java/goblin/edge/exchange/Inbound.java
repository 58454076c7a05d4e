// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

/**
 * What the other loops send to one: merges their rings by ticket. A message without a ticket is handled as soon as it is
 * the first of its ring.
 */
class Inbound {
    private final int loop;
    private final InRing[] rings;
    private final Tickets tickets;
    /** Set by {@link #advance}. */
    long settled;

    Inbound(final int loop, final InRing[] rings, final Tickets tickets) {
        this.loop = loop;
        this.rings = rings;
        this.tickets = tickets;
    }

    /**
     * Handles, in the order of their tickets, the publications that no smaller ticket can precede any more, and what needs
     * no ticket.
     *
     * @param limit only tickets below it; one that was seen, or {@link Tickets#next}
     * @param most  messages to handle at most
     * @return messages handled; when that are fewer than {@code most}, there is none left below {@link #settled}
     */
    int advance(final long limit, final int most) {
        // The order is the point, see Tickets: first the claims, then the rings.
        settled = tickets.settledBelow(loop, limit);
        int handled = look(most);
        if (handled < most) {
            handled += merge(settled, most - handled);
        }
        return handled;
    }

    /** At most the limit of the last {@link #advance}: below it there is nothing to wait for. */
    final long settled() {
        return settled;
    }

    /**
     * Looks at the rings that were empty and handles what needs no ticket.
     *
     * @param most messages to handle at most
     * @return messages handled; when that are {@code most}, there may be rings that were not looked at
     */
    final int look(final int most) {
        int handled = 0;
        for (final InRing ring : rings) {
            if (ring.head() == InRing.EMPTY || ring.head() == InRing.UNKNOWN) {
                if (handled == most) {
                    break;
                }
                handled += ring.read(0, most - handled);
            }
        }
        return handled;
    }

    /** Whether any ring has a publication first that waits for its turn. */
    final boolean hasTicket() {
        for (final InRing ring : rings) {
            if (ring.head() != InRing.EMPTY && ring.head() != InRing.UNKNOWN) {
                return true;
            }
        }
        return false;
    }

    /**
     * Handles the publications with a ticket below a bound, in the order of their tickets. All rings were looked at.
     *
     * @param bound that was read before the rings were looked at
     * @param most  messages to handle at most
     * @return messages handled; when that are {@code most}, there may be more
     */
    final int merge(final long bound, final int most) {
        int handled = 0;
        while (handled < most) {
            InRing first = null;
            long smallest = bound;
            long second = bound;
            for (final InRing ring : rings) {
                final long head = ring.head();
                if (head < smallest) {
                    second = smallest;
                    smallest = head;
                    first = ring;
                } else if (head < second) {
                    second = head;
                }
            }
            if (first == null) {
                break;
            }
            handled += first.read(second, most - handled);
        }
        return handled;
    }

    /** While a message of a loop is handled: whether that loop's next one is here already. */
    final boolean moreFollows(final int from) {
        // Its own place is left out.
        return rings[from < loop ? from : from - 1].moreFollows();
    }

    /** Whether anything waits to be handled. */
    final boolean hasMore() {
        for (final InRing ring : rings) {
            if (ring.hasMore()) {
                return true;
            }
        }
        return false;
    }

    final void discard() {
        for (final InRing ring : rings) {
            ring.discard();
        }
    }
}
