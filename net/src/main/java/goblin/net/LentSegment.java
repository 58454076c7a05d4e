// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A piece of a {@link SegmentArena}: a receive segment as the transport sees it. The transport takes it, fills it,
 * lends it for one callback and releases its own hold; the bytes stay where they are until the last holder releases.
 */
public final class LentSegment implements ReceiveSegment {
    private static final VarHandle FOREIGN_RELEASES;

    static {
        try {
            FOREIGN_RELEASES = MethodHandles.lookup().findVarHandle(LentSegment.class, "foreignReleases", int.class);
        } catch (final ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final long address;
    final int capacity;
    final boolean small;
    /** Next in the arena's free list, in the list of segments released by other threads, or in a {@link SegmentQueue}. */
    LentSegment next;

    /** Whose bytes these are, for a view of another segment's. */
    LentSegment parent;

    private final SegmentArena arena;
    private long first;
    private int length;
    private int holds;

    @SuppressWarnings("unused") // by FOREIGN_RELEASES
    private volatile int foreignReleases;

    LentSegment(final SegmentArena arena, final long address, final int capacity, final boolean small) {
        this.arena = arena;
        this.address = address;
        this.capacity = capacity;
        this.small = small;
    }

    @Override
    public long address() {
        return first;
    }

    @Override
    public int length() {
        return length;
    }

    /**
     * Says how many bytes were received.
     *
     * @param received 1 to {@link #capacity}
     */
    public void length(final int received) {
        length = received;
    }

    /**
     * Says where the received bytes are.
     *
     * @param offset   of the first one, from the segment's start
     * @param received how many, at least 1; all within {@link #capacity}
     */
    public void placed(final int offset, final int received) {
        first = address + offset;
        length = received;
    }

    /**
     * How many bytes fit.
     *
     * @return at least 1; for a view as many as it has
     */
    public int capacity() {
        return parent == null ? capacity : length;
    }

    /**
     * Where the segment begins, wherever the received bytes are.
     *
     * @return a native address
     */
    public long start() {
        return address;
    }

    /**
     * Tells whether this is a small piece, into which the transport copied what it had received.
     *
     * @return false for a segment
     */
    public boolean isSmall() {
        return small;
    }

    @Override
    public void retain() {
        if (holds <= 0) {
            throw new IllegalStateException("a segment that was given back cannot be retained");
        }
        holds++;
    }

    @Override
    public void release() {
        if (!arena.isOwner()) {
            if ((int) FOREIGN_RELEASES.getAndAdd(this, 1) == 0) {
                arena.releasedElsewhere(this);
            }
            return;
        }
        release(1);
    }

    /** Takes the releases of other threads over; the segment may be put on their list again from now on. */
    void applyForeignReleases() {
        release((int) FOREIGN_RELEASES.getAndSet(this, 0));
    }

    /** Leaves the free list: whole, and nobody's. */
    void fresh() {
        next = null;
        first = address;
        length = 0;
    }

    /** Gets its first holder. */
    void take() {
        holds = 1;
    }

    /** Becomes a view, with one hold, of bytes of a segment that it keeps. */
    void view(final LentSegment of, final long from, final int bytes) {
        parent = of;
        holds = 1;
        first = from;
        length = bytes;
    }

    /** Gives up one hold, on the owner's thread. */
    void releaseHere() {
        release(1);
    }

    private void release(final int howOften) {
        if (holds < howOften) {
            throw new IllegalStateException("a segment was released more often than retained");
        }
        holds -= howOften;
        if (holds == 0) {
            arena.giveBack(this);
        }
    }
}
