// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import goblin.net.LentSegment;
import goblin.net.SegmentArena;
import goblin.net.linux.Pages;
import goblin.net.linux.SocketCalls;

/**
 * Where one connection's next bytes had better be: the payload that is expected behind a header begins at a page's start and
 * goes on without a gap, however many receives it takes. A segment that a receive left partly filled is kept, and the next
 * receive goes on in it; what it brings is lent as a piece of its own. No receive goes past the payload's end, so that what
 * follows can be placed anew.
 */
final class Placement {
    private final SegmentArena arena;

    private int headerBytes;
    private boolean started;
    /** Bytes of header and payload that are still expected; 0 when nothing is. */
    private long left;
    /** Partly filled, with a hold of ours; null when the next receive begins with a new segment. */
    private LentSegment partial;

    private int used;
    /** Whether the first of what was received last is in the partly filled segment. */
    private boolean inPartial;
    /** From where on the first segment of the window was used. */
    private int offset;

    Placement(final SegmentArena arena) {
        this.arena = arena;
    }

    /** Whether segments of an arena can begin at a page's start. */
    static boolean isPossible(final SegmentArena arena) {
        return arena.segmentBytes() % Pages.PAGE_BYTES == 0;
    }

    /** Expects other bytes than before; none when the payload is empty. */
    void expect(final int header, final int payload) {
        cancel();
        headerBytes = header;
        started = false;
        left = payload == 0 ? 0 : (long) header + payload;
    }

    /** Expects nothing any more. */
    void cancel() {
        left = 0;
        dropPartial();
    }

    boolean isActive() {
        return left > 0;
    }

    /** Whether a partly filled segment is kept. */
    boolean hasPartial() {
        return partial != null;
    }

    /** Receives; there is a partly filled segment, or one is primed. */
    long receive(final ReceiveWindow window, final SocketCalls calls, final int descriptor) {
        offset = started ? 0 : -headerBytes & Pages.PAGE_BYTES - 1;
        inPartial = partial != null;
        final long received = inPartial
                ? window.receive(calls, descriptor, partial.start() + used, partial.capacity() - used, 0, left)
                : window.receive(calls, descriptor, 0, 0, offset, left);
        started |= received > 0;
        return received;
    }

    /**
     * Lends the next of what was received last.
     *
     * @param undelivered bytes received last and not lent yet
     */
    LentSegment lend(final ReceiveWindow window, final long undelivered) {
        if (inPartial) {
            inPartial = false;
            return lendOfPartial((int) Math.min(undelivered, partial.capacity() - used));
        }
        final LentSegment segment = window.lend();
        final int length = (int) Math.min(undelivered, segment.capacity() - offset);
        segment.placed(offset, length);
        left = Math.max(0, left - length);
        if (left > 0 && length == undelivered && offset + length < segment.capacity()) {
            segment.retain();
            partial = segment;
            used = offset + length;
        }
        offset = 0;
        return segment;
    }

    private LentSegment lendOfPartial(final int length) {
        final LentSegment piece = arena.view(partial, used, length);
        used += length;
        left -= length;
        if (left == 0 || used == partial.capacity()) {
            dropPartial();
        }
        return piece;
    }

    private void dropPartial() {
        if (partial != null) {
            partial.release();
            partial = null;
        }
    }
}
