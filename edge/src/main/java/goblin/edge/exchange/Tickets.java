// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.linux.Pages;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The counter that orders all publications of an edge, and the claims: for each pair of loops the smallest ticket that
 * the one may still write to the other's ring. Shared by all loops.
 *
 * <p>A sender stores its claim, then takes a ticket by a read-modify-write, writes its rings and stores {@link #NONE}, each
 * store releasing. Whoever has seen a ticket, or read the counter, therefore sees the claims of all smaller tickets, or
 * what was stored later; and whoever reads a later claim sees the ring it was stored after. So a reader that <em>first</em>
 * reads the claims and <em>then</em> looks at the rings finds there every ticket smaller than {@link #settledBelow}.
 */
class Tickets implements AutoCloseable {
    /** No ticket will be written before the next claim. */
    static final long NONE = Long.MAX_VALUE;

    /** Two lines, since a CPU may fetch them in pairs. */
    private static final int LINES = 128;

    private final int loops;
    private final int rowBytes;
    private final long address;
    private final int bytes;
    private final UnsafeBuffer buffer;

    Tickets(final int loops) {
        this.loops = loops;
        rowBytes = (loops * Long.BYTES + LINES - 1) / LINES * LINES;
        bytes = LINES + loops * rowBytes;
        address = Pages.map(bytes);
        buffer = new UnsafeBuffer(address, bytes);
        for (int from = 0; from < loops; from++) {
            for (int to = 0; to < loops; to++) {
                buffer.putLong(claim(from, to), NONE);
            }
        }
    }

    /** Takes the next ticket; the claims for the rings it will be written to are stored before. */
    long take() {
        return buffer.getAndAddLong(0, 1);
    }

    /** The ticket that is taken next, or one that was next a moment ago. */
    long next() {
        return buffer.getLongVolatile(0);
    }

    /** Promises that {@code from} writes no ticket smaller than {@code ticket} to {@code to} until told otherwise. */
    void claimRelease(final int from, final int to, final long ticket) {
        buffer.putLongRelease(claim(from, to), ticket);
    }

    /**
     * Reads the claims of all others on {@code to}.
     *
     * @param limit a ticket that the caller has seen, or {@link #next}
     * @return the largest ticket, at most {@code limit}, below which every ticket for {@code to} stands in its ring or has
     *     stood there
     */
    long settledBelow(final int to, final long limit) {
        long settled = limit;
        for (int from = 0; from < loops; from++) {
            if (from != to) {
                settled = Math.min(settled, buffer.getLongVolatile(claim(from, to)));
            }
        }
        return settled;
    }

    @Override
    public void close() {
        Pages.unmap(address, bytes);
    }

    private int claim(final int from, final int to) {
        return LINES + from * rowBytes + to * Long.BYTES;
    }
}
