// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import goblin.net.Iovec;
import goblin.net.LentSegment;
import goblin.net.SegmentArena;
import goblin.net.linux.Memory;
import goblin.net.linux.SocketCalls;

/**
 * The segments into which the next receive goes, of whichever connection: primed before, so that a receive that fills few of
 * them costs nothing for the others. Segments are used from the front and added at the front, so that those released last,
 * which are in the cache, are filled first.
 */
final class ReceiveWindow {
    private final SegmentArena arena;
    private final int pieces;
    private final int segmentBytes;
    private final boolean copiesSmall;
    /** Primed from {@link #first} on; those before are empty places. */
    private final LentSegment[] segments;
    /** That of {@code segments[i]} is at {@code i + 1}, so that one more run fits before the first. */
    private final long iovecs;

    private int first;
    private long asked;
    private long copied;

    ReceiveWindow(final SegmentArena arena, final int pieces) {
        this.arena = arena;
        this.pieces = pieces;
        segmentBytes = arena.segmentBytes();
        copiesSmall = arena.hasSmall();
        segments = new LentSegment[pieces];
        iovecs = Memory.allocate((pieces + 1L) * Iovec.BYTES);
        first = pieces;
    }

    /** How many segments are primed. */
    int primed() {
        return pieces - first;
    }

    /** Primes as many segments as there are, up to the whole window; returns how many there are now. */
    int fill() {
        while (first > 0) {
            final LentSegment segment = arena.prime();
            if (segment == null) {
                break;
            }
            segments[--first] = segment;
            Iovec.put(iovecs, first + 1, segment.address(), segmentBytes);
        }
        return primed();
    }

    /** Receives into the window; at least one segment is primed. */
    long receive(final SocketCalls calls, final int descriptor) {
        final int count = primed();
        asked = (long) count * segmentBytes;
        return count == 1
                ? calls.receive(descriptor, segments[first].address(), segmentBytes)
                : calls.receiveScattered(descriptor, iovecs + (first + 1L) * Iovec.BYTES, count);
    }

    /**
     * Receives into a run and then into the window, whose first segment is used from an offset on.
     *
     * @param run    where to begin, when {@code length} is not 0
     * @param length bytes of the run
     * @param offset into the first segment, less than its size
     * @param most   most bytes to receive, at least 1
     * @return as {@link SocketCalls#receive}
     */
    long receive(
            final SocketCalls calls,
            final int descriptor,
            final long run,
            final int length,
            final int offset,
            final long most) {
        final long inRun = Math.min(length, most);
        final long behind = most - inRun;
        final int count =
                behind == 0 ? 0 : (int) Math.min(primed(), (behind + offset + segmentBytes - 1) / segmentBytes);
        final long inSegments = Math.min(behind, (long) count * segmentBytes - (count == 0 ? 0 : offset));
        asked = inRun + inSegments;
        int from = first + 1;
        if (inRun > 0) {
            from = first;
            Iovec.put(iovecs, first, run, inRun);
        }
        if (count == 0) {
            return calls.receiveScattered(descriptor, iovecs + (long) from * Iovec.BYTES, 1);
        }
        final int last = first + count;
        final long lastAddress = segments[last - 1].address();
        Iovec.put(iovecs, first + 1, segments[first].address() + offset, segmentBytes - offset);
        final long end = inSegments + offset - (count - 1L) * segmentBytes;
        final int lastOffset = count == 1 ? offset : 0;
        Iovec.put(iovecs, last, lastAddress + lastOffset, end - lastOffset);
        final long received =
                calls.receiveScattered(descriptor, iovecs + (long) from * Iovec.BYTES, count + (inRun > 0 ? 1 : 0));
        Iovec.put(iovecs, first + 1, segments[first].address(), segmentBytes);
        Iovec.put(iovecs, last, lastAddress, segmentBytes);
        return received;
    }

    /** How many bytes the last receive could have received. */
    long asked() {
        return asked;
    }

    /** Lends the first segment, which was filled, or partly. */
    LentSegment lend() {
        final LentSegment segment = segments[first];
        segments[first++] = null;
        return arena.lendPrimed(segment);
    }

    /**
     * Lends the next of what was received last: the first segment, or a small piece with a copy when it is little.
     *
     * @param left bytes received from the first segment's start on
     */
    LentSegment lend(final long left) {
        final int length = (int) Math.min(left, segmentBytes);
        copied = 0;
        if (length <= SegmentArena.SMALL_BYTES && copiesSmall) {
            // Copied before it is lent, so that its address stays the same when the handler keeps it.
            final LentSegment small = arena.takeSmall();
            if (small != null) {
                Memory.copy(segments[first].address(), small.address(), length);
                small.length(length);
                copied = length;
                return small;
            }
        }
        final LentSegment segment = lend();
        segment.length(length);
        return segment;
    }

    /** How many bytes {@link #lend(long)} copied. */
    long copied() {
        return copied;
    }

    /** Gives everything back. */
    void close() {
        while (first < pieces) {
            arena.unprime(segments[first++]);
        }
        Memory.free(iovecs);
    }
}
