// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Iovec;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import java.util.Arrays;

/**
 * The data of the PDU that is being received: its pieces and the segments they hold, until its digest is known to be right
 * and they become the request's. Inline for {@link #INLINE} pieces, or for more when vectors are fixed; what becomes of a larger
 * one is {@link GrownVectors}' business.
 */
final class PduVector {
    /** Pieces that fit without growth. */
    static final int INLINE = 16;

    private final GrownVectors grown;
    private final long inline;
    private final int inlineEntries;
    private long iovecs;
    private int capacity;
    private int count;
    private long bytes;
    private ReceiveSegment[] segments;
    private int segmentCount;
    /** The most entries or segments that a PDU needed since the last decay. */
    private int needed;
    /** Whether it was in use when it was to decay. */
    private boolean isDue;

    PduVector(final GrownVectors grown) {
        this.grown = grown;
        inlineEntries = grown.pduEntries();
        inline = Memory.allocate((long) inlineEntries * Iovec.BYTES);
        iovecs = inline;
        capacity = inlineEntries;
        segments = new ReceiveSegment[inlineEntries];
    }

    /** Native memory that it has now. */
    long nativeBytes() {
        return (long) inlineEntries * Iovec.BYTES + (isExtended() ? (long) capacity * Iovec.BYTES : 0);
    }

    /** Its references to segments, to be measured. */
    Object references() {
        return segments;
    }

    boolean isExtended() {
        return iovecs != inline;
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
        final long larger = grown.grow(entries);
        if (larger == 0) {
            return false;
        }
        Memory.copy(iovecs, larger, (long) count * Iovec.BYTES);
        if (isExtended()) {
            grown.free(iovecs, capacity);
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

    /** Takes bytes off the end of the last piece, which has as many; returns where they are. */
    long cut(final long length) {
        final int last = count - 1;
        final long left = length(last) - length;
        final long end = address(last) + left;
        if (left == 0) {
            count--;
        } else {
            Iovec.put(iovecs, last, address(last), left);
        }
        bytes -= length;
        return end;
    }

    /** Keeps a segment until it is handed on or {@link #drop}ped. */
    void hold(final ReceiveSegment segment) {
        segment.retain();
        segments[segmentCount++] = segment;
    }

    /** Forgets everything; the segments are somebody else's now. A larger vector is given back if it is not to be kept. */
    void clear() {
        needed = Math.max(needed, Math.max(count, segmentCount));
        for (int i = 0; i < segmentCount; i++) {
            segments[i] = null;
        }
        segmentCount = 0;
        count = 0;
        bytes = 0;
        if (!isExtended()) {
            return;
        }
        if (grown.retention() == VectorRetention.RELEASE || grown.isTooMuch()) {
            shrink(inlineEntries);
        } else if (isDue) {
            decay();
        }
    }

    /** Halves a larger vector that was not needed, now or as soon as it is empty. */
    void decay() {
        isDue = count > 0;
        if (isDue) {
            return;
        }
        final int half = GrownVectors.halved(capacity);
        if (isExtended() && needed <= half) {
            shrink(half);
        }
        needed = 0;
    }

    private void shrink(final int entries) {
        final int old = capacity;
        final long smaller = entries > inlineEntries ? grown.allocate(entries) : 0;
        grown.free(iovecs, old);
        grown.countShrunk();
        iovecs = smaller == 0 ? inline : smaller;
        capacity = smaller == 0 ? inlineEntries : entries;
        segments = new ReceiveSegment[capacity];
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
        if (isExtended()) {
            grown.free(iovecs, capacity);
        }
        Memory.free(inline);
    }
}
