// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Iovec;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import java.util.Arrays;

/**
 * The data of the PDU that is being received: its pieces and the segments they hold, until its digest is known to be right
 * and they become the request's. Inline for {@link #INLINE} pieces; a larger one stays for the connection's life.
 */
final class PduVector {
    /** Pieces that fit without growth. */
    static final int INLINE = 16;

    private final VectorMemory memory;
    private final long inline;
    private long iovecs;
    private int capacity = INLINE;
    private int count;
    private long bytes;
    private ReceiveSegment[] segments = new ReceiveSegment[INLINE];
    private int segmentCount;

    PduVector(final VectorMemory memory) {
        this.memory = memory;
        inline = Memory.allocate((long) INLINE * Iovec.BYTES);
        iovecs = inline;
    }

    int capacity() {
        return capacity;
    }

    int count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    long address(final int index) {
        return Iovec.address(iovecs, index);
    }

    long length(final int index) {
        return Iovec.length(iovecs, index);
    }

    int segmentCount() {
        return segmentCount;
    }

    ReceiveSegment segment(final int index) {
        return segments[index];
    }

    /** Whether a piece needs an entry of its own. */
    boolean continues(final long address) {
        return count > 0 && address(count - 1) + length(count - 1) == address;
    }

    /** Whether the segment is the one held last. */
    boolean holds(final ReceiveSegment segment) {
        return segmentCount > 0 && segments[segmentCount - 1] == segment;
    }

    /** Makes room for that many entries; false when there is no memory. */
    boolean grow(final int entries) {
        final long larger = memory.allocate((long) entries * Iovec.BYTES);
        if (larger == 0) {
            return false;
        }
        Memory.copy(iovecs, larger, (long) count * Iovec.BYTES);
        if (iovecs != inline) {
            memory.free(iovecs);
        }
        iovecs = larger;
        capacity = entries;
        segments = Arrays.copyOf(segments, entries);
        return true;
    }

    /** Appends bytes; there is room. */
    void append(final long address, final long length) {
        if (continues(address)) {
            final int last = count - 1;
            Iovec.put(iovecs, last, address(last), length(last) + length);
        } else {
            if (count == capacity) {
                throw new IllegalStateException("the PDU's vector is full");
            }
            Iovec.put(iovecs, count++, address, length);
        }
        bytes += length;
    }

    /** Keeps a segment until it is handed on or {@link #drop}ped. */
    void hold(final ReceiveSegment segment) {
        segment.retain();
        segments[segmentCount++] = segment;
    }

    /** Forgets everything; the segments are somebody else's now. */
    void clear() {
        for (int i = 0; i < segmentCount; i++) {
            segments[i] = null;
        }
        segmentCount = 0;
        count = 0;
        bytes = 0;
    }

    /** Gives the segments back and forgets everything. */
    void drop() {
        for (int i = 0; i < segmentCount; i++) {
            segments[i].release();
        }
        clear();
    }

    /** Gives all memory back. */
    void destroy() {
        drop();
        if (iovecs != inline) {
            memory.free(iovecs);
        }
        Memory.free(inline);
    }
}
