// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Iovec;
import goblin.nvmf.target.RequestVector;

/**
 * How large the vectors of one loop's connections are at first and at most, and the memory of those that have grown: it is
 * counted here, and what is kept of it for reuse is bounded. Objects hold their larger vector; {@link VectorRetention} says
 * when they give it back:
 *
 * <ul>
 *   <li>{@code KEEP}: when their connection ends.
 *   <li>{@code RELEASE}: when the request is done, or the PDU is whole.
 *   <li>{@code DECAY}: in steps. Once a second each larger vector is looked at. One of which no more than half was needed
 *       since the second before is halved, and goes back to its inline size when the half is no larger than that; one that
 *       is in use then, when it is given up. So the memory that a burst left halves each second, and is gone for 255 entries
 *       after three, for 1024 after five.
 * </ul>
 *
 * <p>Whatever the retention: while a loop's larger vectors take more than {@link #mostKept} together, one that has been used
 * is given back. Growth is refused by the {@link VectorMemory} alone.
 *
 * <p>One thread.
 */
final class GrownVectors {
    /** Entries that a fixed vector has, unless the limit is lower. */
    static final int FIXED_ENTRIES = 256;

    private final VectorMemory memory;
    private final TcpCounters counters;
    private final VectorRetention retention;
    private final long mostKept;
    private final int requestEntries;
    private final int requestLimit;
    private final int pduEntries;
    private final int pduLimit;
    private long bytes;
    private long mostBytes;

    GrownVectors(
            final VectorMemory memory, final TcpCounters counters, final ReceiveOptions options, final long mostKept) {
        this.memory = memory;
        this.counters = counters;
        this.mostKept = mostKept;
        retention = options.retention();
        final int fixed = Math.min(FIXED_ENTRIES, options.maxSegments());
        final boolean isFixed = options.vectors() == VectorMode.FIXED;
        requestEntries = isFixed ? fixed : RequestVector.INLINE;
        pduEntries = isFixed ? fixed : PduVector.INLINE;
        final boolean grows = options.vectors() == VectorMode.DYNAMIC;
        requestLimit = grows ? options.maxSegments() : requestEntries;
        pduLimit = grows ? options.maxSegments() : pduEntries;
    }

    /** Entries of a request's vector that has not grown. */
    int requestEntries() {
        return requestEntries;
    }

    /** The most entries of a request's vector. */
    int requestLimit() {
        return requestLimit;
    }

    /** Entries of a PDU's vector that has not grown. */
    int pduEntries() {
        return pduEntries;
    }

    /** The most entries of a PDU's vector. */
    int pduLimit() {
        return pduLimit;
    }

    VectorRetention retention() {
        return retention;
    }

    /** Whether there is anything to decay. */
    boolean decays() {
        return retention == VectorRetention.DECAY && bytes > 0;
    }

    /** Native bytes of larger vectors that may be kept while nobody needs them. */
    long mostKept() {
        return mostKept;
    }

    /** Native bytes of all larger vectors. */
    long bytes() {
        return bytes;
    }

    /** Whether more is kept than may be. */
    boolean isTooMuch() {
        return bytes > mostKept;
    }

    /** How many entries a vector is to have that needs more than it has: twice as many, until that is enough. */
    static int grown(final int capacity, final int needed, final int limit) {
        int entries = capacity;
        while (entries < needed) {
            entries *= 2;
        }
        return Math.min(limit, entries);
    }

    /** How many entries are left when a vector decays by one step. */
    static int halved(final int capacity) {
        return (capacity + 1) / 2;
    }

    /** Takes memory for a vector that grows; 0 when it is refused. */
    long grow(final int entries) {
        final long address = allocate(entries);
        counters.add(address == 0 ? TcpCounter.GROWTHS_REFUSED : TcpCounter.GROWTHS, 1);
        return address;
    }

    /** Takes memory for a vector that was larger; 0 when it is refused. */
    long allocate(final int entries) {
        final long address = memory.allocate((long) entries * Iovec.BYTES);
        if (address != 0) {
            changed((long) entries * Iovec.BYTES);
        }
        return address;
    }

    /** Gives memory back; address 0 does nothing. */
    void free(final long address, final int entries) {
        if (address != 0) {
            memory.free(address);
            changed((long) -entries * Iovec.BYTES);
        }
    }

    /** Counts a vector that was given back, whole or in part, while its object lives on. */
    void countShrunk() {
        counters.add(TcpCounter.SHRUNK, 1);
    }

    private void changed(final long by) {
        bytes += by;
        mostBytes = Math.max(mostBytes, bytes);
        counters.set(TcpCounter.GROWN_BYTES, bytes);
        counters.set(TcpCounter.GROWN_MOST_BYTES, mostBytes);
    }
}
