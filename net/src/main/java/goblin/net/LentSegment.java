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

    private final SegmentArena arena;
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
        return address;
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
     * How many bytes fit.
     *
     * @return at least 1
     */
    public int capacity() {
        return capacity;
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

    void take() {
        holds = 1;
        length = 0;
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
