// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import goblin.net.linux.Memory;
import goblin.net.linux.Pages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The receive memory of one transport: equal segments of a size that its maker chooses. Where segments have
 * {@link #SMALL_FROM_BYTES} or more and there are at least two, an eighth of the whole (at least one segment) is cut into
 * pieces of 2 KiB, so that a few retained bytes do not pin a large segment. Memory is mapped once and gets its pages when it
 * is first used, or at once by {@link #prepare}; the segment given back last is taken first, because it is in the cache.
 * When nothing is left the transport pauses reading.
 *
 * <p>Each segment begins at a multiple of 64 bytes, and at a page's start where its size is a multiple of a page. Segments of
 * other sizes have a gap behind them, so that two never touch.
 *
 * <p>A segment is free, primed (the transport's, for its stack to fill) or lent. Everything but
 * {@link ReceiveSegment#release} runs on the owner's thread.
 */
public final class SegmentArena implements AutoCloseable {
    /** Bytes of a segment when its maker does not say. */
    public static final int DEFAULT_SEGMENT_BYTES = 64 * 1024;

    /** The smallest segments beside which there are small pieces. */
    public static final int SMALL_FROM_BYTES = 16 * 1024;

    /** The largest segments. */
    public static final int LARGEST_SEGMENT_BYTES = 1 << 20;

    /** Bytes of a small piece. */
    public static final int SMALL_BYTES = 2 * 1024;

    /** Bytes of an arena when its maker does not say. */
    public static final long DEFAULT_BYTES = 64L << 20;

    private static final int ALIGNMENT = 64;
    private static final byte POISON = (byte) 0xDB;
    private static final VarHandle RELEASED;

    static {
        try {
            RELEASED = MethodHandles.lookup().findVarHandle(SegmentArena.class, "released", LentSegment.class);
        } catch (final ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int segmentBytes;
    /** From one segment to the next. */
    private final int stride;

    private final long bytes;
    private final long base;
    private final boolean checking;
    private final FaultReporter faults;

    private LentSegment free;
    private int freeCount;
    private LentSegment freeSmall;
    private LentSegment freeViews;
    /** Where memory that was never used begins, and ends: small pieces in front, segments behind. */
    private long freshSmall;

    private final long smallEnd;
    private long fresh;
    private int primed;
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
     * Makes an arena of segments of {@link #DEFAULT_SEGMENT_BYTES}.
     *
     * @param bytes its size, rounded up to whole segments, at least one
     */
    public SegmentArena(final long bytes) {
        this(bytes, false, FaultReporter.STANDARD_ERROR);
    }

    /**
     * Makes an arena of segments of {@link #DEFAULT_SEGMENT_BYTES}.
     *
     * @param bytes    its size, rounded up to whole segments, at least one
     * @param checking as below
     * @param faults   as below
     */
    public SegmentArena(final long bytes, final boolean checking, final FaultReporter faults) {
        this(bytes, DEFAULT_SEGMENT_BYTES, checking, faults);
    }

    /**
     * Makes an arena.
     *
     * @param bytes        its size with the gaps between segments, rounded up to whole segments, at least one
     * @param segmentBytes size of a segment, 1 to {@link #LARGEST_SEGMENT_BYTES}
     * @param checking     whether what is given back is overwritten, so that tests see who reads it too late
     * @param faults       told when another thread released more often than it retained
     */
    public SegmentArena(final long bytes, final int segmentBytes, final boolean checking, final FaultReporter faults) {
        if (segmentBytes < 1 || segmentBytes > LARGEST_SEGMENT_BYTES) {
            throw new IllegalArgumentException("a segment cannot have " + segmentBytes + " bytes");
        }
        this.segmentBytes = segmentBytes;
        stride = strideOf(segmentBytes);
        this.bytes = segmentsWithSmall(bytes, segmentBytes) * stride;
        this.checking = checking;
        this.faults = faults;
        base = Pages.map(this.bytes);
        freshSmall = base;
        smallEnd = base + this.bytes - segmentsOf(bytes, segmentBytes) * stride;
        fresh = smallEnd;
    }

    /**
     * How far it is from one segment to the next.
     *
     * @param segmentBytes bytes of a segment
     * @return that and the gap behind it
     */
    public static int strideOf(final int segmentBytes) {
        return (segmentBytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /**
     * How many segments an arena would have.
     *
     * @param bytes        of the arena, as for its constructor
     * @param segmentBytes of a segment
     * @return segments, at least 1; without those that small pieces take
     */
    public static long segmentsOf(final long bytes, final int segmentBytes) {
        final long segments = segmentsWithSmall(bytes, segmentBytes);
        final boolean hasSmall = segments > 1 && segmentBytes >= SMALL_FROM_BYTES;
        return segments - (hasSmall ? Math.max(1, segments / 8) : 0);
    }

    private static long segmentsWithSmall(final long bytes, final int segmentBytes) {
        final int stride = strideOf(segmentBytes);
        return Math.max(1, (bytes + stride - 1) / stride);
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
     * The size of a segment.
     *
     * @return bytes
     */
    public int segmentBytes() {
        return segmentBytes;
    }

    /**
     * Tells whether a few received bytes can be copied into a small piece.
     *
     * @return whether there are such pieces, free or not
     */
    public boolean hasSmall() {
        return smallEnd > base;
    }

    /**
     * How many segments there are.
     *
     * @return at least 1; small pieces do not count
     */
    public int segments() {
        return (int) ((base + bytes - smallEnd) / stride);
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
     * Takes a segment for receiving; the taker holds it.
     *
     * @return the segment, or null when none is left
     */
    public LentSegment take() {
        final LentSegment segment = next();
        return segment == null ? null : lend(segment);
    }

    /**
     * Takes a segment for the stack to fill. It is nobody's until {@link #lendPrimed} or {@link #unprime}, and does not count
     * as lent.
     *
     * @return the segment, or null when none is left
     */
    public LentSegment prime() {
        final LentSegment segment = next();
        if (segment != null) {
            primed++;
        }
        return segment;
    }

    /**
     * Lends a primed segment that was filled; the caller holds it.
     *
     * @param segment from {@link #prime}
     * @return the same
     */
    public LentSegment lendPrimed(final LentSegment segment) {
        primed--;
        return lend(segment);
    }

    /**
     * Gives a primed segment back that nobody fills any more.
     *
     * @param segment from {@link #prime}
     */
    public void unprime(final LentSegment segment) {
        primed--;
        free(segment);
    }

    private LentSegment next() {
        LentSegment segment = free;
        if (segment != null) {
            free = segment.next;
            freeCount--;
        } else if (fresh < base + bytes) {
            segment = new LentSegment(this, fresh, segmentBytes, false);
            fresh += stride;
        } else {
            return null;
        }
        segment.fresh();
        return segment;
    }

    /**
     * Takes a piece of {@link #SMALL_BYTES}; the taker holds it.
     *
     * @return the piece, or null when none is left, or there are none beside segments of this size
     */
    public LentSegment takeSmall() {
        LentSegment piece = freeSmall;
        if (piece != null) {
            freeSmall = piece.next;
        } else if (freshSmall + SMALL_BYTES <= smallEnd) {
            piece = new LentSegment(this, freshSmall, SMALL_BYTES, true);
            freshSmall += SMALL_BYTES;
        } else {
            return null;
        }
        piece.fresh();
        return lend(piece);
    }

    /**
     * Makes a second piece of a segment whose first one may be held already: later bytes that were received behind it. The
     * segment comes back when all its pieces were released.
     *
     * @param segment of which the caller has a hold
     * @param offset  of the first byte, from the segment's start
     * @param length  bytes, at least 1
     * @return the piece; the caller holds it
     */
    public LentSegment view(final LentSegment segment, final int offset, final int length) {
        LentSegment view = freeViews;
        if (view != null) {
            freeViews = view.next;
            view.next = null;
        } else {
            view = new LentSegment(this, 0, 0, false);
        }
        segment.retain();
        view.view(segment, segment.address + offset, length);
        return view;
    }

    /**
     * Counts the segments that can be taken.
     *
     * @return 0 when nothing is left to prime; primed segments and small pieces do not count
     */
    public int freeSegments() {
        return freeCount + (int) ((base + bytes - fresh) / stride);
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
     * @return bytes of {@link #bytes}, with the gaps behind segments; 0 when everything was given back
     */
    public long lentBytes() {
        return lentBytes;
    }

    /** Unmaps the memory, or leaves it to the holders of segments that are still lent or primed. Idempotent. */
    @Override
    public void close() {
        collect();
        if (!closed) {
            closed = true;
            unmapWhenUnused();
        }
    }

    void giveBack(final LentSegment segment) {
        final LentSegment parent = segment.parent;
        if (parent != null) {
            segment.parent = null;
            segment.next = freeViews;
            freeViews = segment;
            parent.releaseHere();
            return;
        }
        lentBytes -= occupied(segment);
        if (checking && !closed) {
            Memory.fill(segment.address, segment.capacity, POISON);
        }
        free(segment);
    }

    private void free(final LentSegment segment) {
        if (segment.small) {
            segment.next = freeSmall;
            freeSmall = segment;
        } else {
            segment.next = free;
            free = segment;
            freeCount++;
        }
        if (closed) {
            unmapWhenUnused();
        }
    }

    private int occupied(final LentSegment segment) {
        return segment.small ? SMALL_BYTES : stride;
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
        segment.take();
        lentBytes += occupied(segment);
        return segment;
    }

    private void unmapWhenUnused() {
        if (lentBytes == 0 && primed == 0) {
            Pages.unmap(base, bytes);
            free = null;
            freeCount = 0;
            freeSmall = null;
            fresh = base + bytes;
            freshSmall = smallEnd;
        }
    }
}
