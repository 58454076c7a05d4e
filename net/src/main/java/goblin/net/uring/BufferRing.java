// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import goblin.net.LentSegment;
import goblin.net.NetException;
import goblin.net.SegmentArena;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.linux.OrderedMemory;
import goblin.net.linux.Pages;
import goblin.net.linux.UringCalls;

/**
 * The segments that the kernel may fill next, of whichever connection: primed ones in a ring of provided buffers. The
 * kernel takes them in order; the number of the one it took comes with the completion.
 */
final class BufferRing {
    /** The group by which receives name this ring; there is one a transport. */
    static final int GROUP = 0;

    // struct io_uring_buf: address, length, number. The last two bytes of the first one are the ring's tail.
    private static final int ENTRY_BYTES = 16;
    private static final int ENTRY_LENGTH = 8;
    private static final int ENTRY_NUMBER = 12;
    private static final int TAIL = 14;
    private static final int REGISTRATION_BYTES = 40;

    private final SegmentArena arena;
    private final int segmentBytes;
    private final int count;
    private final int mask;
    private final long entries;
    private final LentSegment[] segments;
    /** Numbers without a segment, a stack. */
    private final int[] unused;

    private int unusedCount;
    private int tail;
    private int available;

    BufferRing(final Ring ring, final SegmentArena arena, final int count) {
        this.arena = arena;
        this.count = count;
        segmentBytes = arena.segmentBytes();
        final int size = count == 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
        mask = size - 1;
        segments = new LentSegment[count];
        unused = new int[count];
        for (int i = 0; i < count; i++) {
            unused[i] = i;
        }
        unusedCount = count;
        entries = Pages.map((long) size * ENTRY_BYTES);
        Pages.prefault(entries, (long) size * ENTRY_BYTES);
        final int outcome = register(ring, UringCalls.REGISTER_BUFFERS, size);
        if (outcome < 0) {
            Pages.unmap(entries, (long) size * ENTRY_BYTES);
            throw new NetException("cannot provide buffers to an io_uring: " + Errno.name(-outcome), -outcome);
        }
    }

    private int register(final Ring ring, final int operation, final int size) {
        final long registration = Memory.allocate(REGISTRATION_BYTES);
        Memory.fill(registration, REGISTRATION_BYTES, (byte) 0);
        Memory.putLong(registration, entries);
        Memory.putInt(registration + 8, size);
        Memory.putShort(registration + 12, (short) GROUP);
        final int outcome = ring.register(operation, registration, 1);
        Memory.free(registration);
        return outcome;
    }

    /** How many segments the kernel has, as far as completions told. */
    int available() {
        return available;
    }

    /** Primes as many segments as there are, up to the whole ring. */
    void refill() {
        while (unusedCount > 0) {
            final LentSegment segment = arena.prime();
            if (segment == null) {
                return;
            }
            final int number = unused[--unusedCount];
            segments[number] = segment;
            provide(number);
        }
    }

    /** The kernel filled this one: it is the caller's, to lend or to provide anew. */
    void filled() {
        available--;
    }

    /** Where a filled one's bytes are. */
    long address(final int number) {
        return segments[number].address();
    }

    /** Lends a filled one. */
    LentSegment lend(final int number) {
        final LentSegment segment = segments[number];
        segments[number] = null;
        unused[unusedCount++] = number;
        return arena.lendPrimed(segment);
    }

    /** Gives a filled one, whose bytes nobody needs any more, to the kernel again. */
    void provide(final int number) {
        final long entry = entries + (long) (tail & mask) * ENTRY_BYTES;
        Memory.putLong(entry, segments[number].address());
        Memory.putInt(entry + ENTRY_LENGTH, segmentBytes);
        Memory.putShort(entry + ENTRY_NUMBER, (short) number);
        tail++;
        OrderedMemory.putShortRelease(entries + TAIL, (short) tail);
        available++;
    }

    /** Takes everything back. The kernel must be using none of it. */
    void close(final Ring ring) {
        register(ring, UringCalls.UNREGISTER_BUFFERS, 0);
        for (int i = 0; i < count; i++) {
            if (segments[i] != null) {
                arena.unprime(segments[i]);
                segments[i] = null;
            }
        }
        Pages.unmap(entries, (mask + 1L) * ENTRY_BYTES);
    }
}
