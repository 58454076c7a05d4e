// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import goblin.net.linux.Memory;
import goblin.net.linux.Pages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The receive memory of one transport: page-aligned segments of 64 KiB, and an eighth of the whole cut into pieces of
 * 2 KiB, so that a few retained bytes do not pin a large segment. Memory is mapped once and gets its pages when it is
 * first used, or at once by {@link #prepare}; the segment given back last is taken first, because it is in the cache. When
 * nothing is left the transport pauses reading.
 *
 * <p>Everything but {@link ReceiveSegment#release} runs on the owner's thread.
 */
public final class SegmentArena implements AutoCloseable {
    /** Bytes of a segment. */
    public static final int SEGMENT_BYTES = 64 * 1024;

    /** Bytes of a small piece. */
    public static final int SMALL_BYTES = 2 * 1024;

    /** Bytes of an arena when its maker does not say. */
    public static final long DEFAULT_BYTES = 64L << 20;

    private static final byte POISON = (byte) 0xDB;
    private static final VarHandle RELEASED;

    static {
        try {
            RELEASED = MethodHandles.lookup().findVarHandle(SegmentArena.class, "released", LentSegment.class);
        } catch (final ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final long bytes;
    private final long base;
    private final boolean checking;
    private final FaultReporter faults;

    private LentSegment free;
    private int freeCount;
    private LentSegment freeSmall;
    /** Where memory that was never used begins, and ends: small pieces in front, segments behind. */
    private long freshSmall;

    private final long smallEnd;
    private long fresh;
    private long lentBytes;
    private boolean closed;

    private volatile Thread owner;
    private volatile Runnable onForeignRelease = () -> {};

    @SuppressWarnings("unused") // by RELEASED
    private volatile LentSegment released;

    /** Makes an arena of {@link #DEFAULT_BYTES}. */
    public SegmentArena() {
        this(DEFAULT_BYTES);
    }

    /**
     * Makes an arena.
     *
     * @param bytes its size, rounded up to whole segments, at least two
     */
    public SegmentArena(final long bytes) {
        this(bytes, false, FaultReporter.STANDARD_ERROR);
    }

    /**
     * Makes an arena.
     *
     * @param bytes    its size, rounded up to whole segments, at least two
     * @param checking whether what is given back is overwritten, so that tests see who reads it too late
     * @param faults   told when another thread released more often than it retained
     */
    public SegmentArena(final long bytes, final boolean checking, final FaultReporter faults) {
        final long segments = Math.max(2, (bytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES);
        this.bytes = segments * SEGMENT_BYTES;
        this.checking = checking;
        this.faults = faults;
        base = Pages.map(this.bytes);
        freshSmall = base;
        smallEnd = base + Math.max(1, segments / 8) * SEGMENT_BYTES;
        fresh = smallEnd;
    }

    /**
     * Gives the memory its pages at once, huge ones where the kernel has them, and locks it into RAM. Before first use.
     *
     * @return whether it is locked; the kernel refuses past the limit of locked memory
     */
    public boolean prepare() {
        Pages.adviseHuge(base, bytes);
        Pages.prefault(base, bytes);
        return Pages.lock(base, bytes);
    }

    /**
     * All its memory.
     *
     * @return bytes
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Makes the calling thread the one whose releases take effect at once.
     *
     * @param onRelease called on any other thread after it released a segment, to wake the owner
     */
    public void own(final Runnable onRelease) {
        owner = Thread.currentThread();
        onForeignRelease = onRelease;
    }

    /**
     * Tells whether the caller owns the arena.
     *
     * @return whether the calling thread called {@link #own} last
     */
    public boolean isOwner() {
        return Thread.currentThread() == owner;
    }

    /**
     * Takes a segment of {@link #SEGMENT_BYTES} for receiving; the taker holds it.
     *
     * @return the segment, or null when none is left
     */
    public LentSegment take() {
        LentSegment segment = free;
        if (segment != null) {
            free = segment.next;
            freeCount--;
        } else if (fresh < base + bytes) {
            segment = new LentSegment(this, fresh, SEGMENT_BYTES);
            fresh += SEGMENT_BYTES;
        } else {
            return null;
        }
        return lend(segment);
    }

    /**
     * Takes a piece of {@link #SMALL_BYTES}; the taker holds it.
     *
     * @return the piece, or null when none is left
     */
    public LentSegment takeSmall() {
        LentSegment piece = freeSmall;
        if (piece != null) {
            freeSmall = piece.next;
        } else if (freshSmall < smallEnd) {
            piece = new LentSegment(this, freshSmall, SMALL_BYTES);
            freshSmall += SMALL_BYTES;
        } else {
            return null;
        }
        return lend(piece);
    }

    /**
     * Counts the segments that can be taken.
     *
     * @return 0 when reading must pause; small pieces do not count
     */
    public int freeSegments() {
        return freeCount + (int) ((base + bytes - fresh) / SEGMENT_BYTES);
    }

    /**
     * Takes over what other threads released.
     *
     * @return whether there was anything
     */
    public boolean collect() {
        if (released == null) {
            return false;
        }
        LentSegment segment = (LentSegment) RELEASED.getAndSet(this, (LentSegment) null);
        while (segment != null) {
            // Read first: once its releases are applied, another thread may link the segment anew.
            final LentSegment following = segment.next;
            segment.next = null;
            try {
                segment.applyForeignReleases();
            } catch (final IllegalStateException tooOften) {
                faults.report("receive memory", tooOften);
            }
            segment = following;
        }
        return true;
    }

    /**
     * Memory in the hands of holders.
     *
     * @return bytes by capacity, 0 when everything was given back
     */
    public long lentBytes() {
        return lentBytes;
    }

    /** Unmaps the memory, or leaves it to the holders of segments that are still out. Idempotent. */
    @Override
    public void close() {
        collect();
        if (!closed) {
            closed = true;
            unmapWhenUnused();
        }
    }

    void giveBack(final LentSegment segment) {
        lentBytes -= segment.capacity;
        if (checking && !closed) {
            Memory.fill(segment.address, segment.capacity, POISON);
        }
        if (segment.capacity == SEGMENT_BYTES) {
            segment.next = free;
            free = segment;
            freeCount++;
        } else {
            segment.next = freeSmall;
            freeSmall = segment;
        }
        if (closed) {
            unmapWhenUnused();
        }
    }

    void releasedElsewhere(final LentSegment segment) {
        LentSegment first;
        do {
            first = released;
            segment.next = first;
        } while (!RELEASED.compareAndSet(this, first, segment));
        onForeignRelease.run();
    }

    private LentSegment lend(final LentSegment segment) {
        segment.next = null;
        segment.take();
        lentBytes += segment.capacity;
        return segment;
    }

    private void unmapWhenUnused() {
        if (lentBytes == 0) {
            Pages.unmap(base, bytes);
            free = null;
            freeCount = 0;
            freeSmall = null;
            fresh = base + bytes;
            freshSmall = smallEnd;
        }
    }
}
