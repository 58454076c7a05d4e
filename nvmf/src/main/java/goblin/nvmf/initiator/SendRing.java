// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

import goblin.net.Connection;
import goblin.net.Iovec;
import goblin.net.linux.Memory;

/**
 * PDUs on their way to the stack: a header of at most 128 bytes (digest and padding included) that is kept here, data that
 * stays where it is, and a data digest. Grows when more PDUs wait than ever before, never shrinks. Owned by one loop.
 */
final class SendRing implements AutoCloseable {
    static final int HEADER_BYTES = 128;

    private static final int DIGEST = HEADER_BYTES;
    private static final int HEADER_LENGTH = DIGEST + 4;
    private static final int DATA = HEADER_LENGTH + 4;
    private static final int DATA_LENGTH = DATA + 8;
    private static final int DIGEST_LENGTH = DATA_LENGTH + 4;
    private static final int CELL_BYTES = DIGEST_LENGTH + 4;
    private static final int IOVECS = 512;
    private static final int MOST_BYTES = 4 << 20;

    private final long iovecs = Memory.allocate((long) IOVECS * Iovec.BYTES);
    private long cells;
    private int capacity;
    private long head;
    private long tail;
    /** Bytes of the first PDU that the stack has. */
    private long headSent;

    private long gathered;

    SendRing(final int capacity) {
        this.capacity = Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
        cells = Memory.allocate((long) this.capacity * CELL_BYTES);
    }

    /** Where the next PDU's header goes; the PDU counts from {@link #commit} on. */
    long header() {
        if (tail - head == capacity) {
            grow();
        }
        return cell(tail);
    }

    /** Completes the PDU; {@code digest} is written behind the data when {@code withDigest}. */
    void commit(
            final int headerBytes, final long data, final int dataLength, final boolean withDigest, final int digest) {
        final long cell = cell(tail++);
        Memory.putInt(cell + DIGEST, digest);
        Memory.putInt(cell + HEADER_LENGTH, headerBytes);
        Memory.putLong(cell + DATA, data);
        Memory.putInt(cell + DATA_LENGTH, dataLength);
        Memory.putInt(cell + DIGEST_LENGTH, withDigest ? 4 : 0);
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Sends what the stack takes; false when the connection can take no more for ever. */
    boolean flush(final Connection connection) {
        while (head != tail) {
            final int count = gather();
            final long taken = connection.sendGathered(iovecs, count);
            if (taken < 0) {
                return false;
            }
            drop(taken);
            if (taken < gathered) {
                return true;
            }
        }
        return true;
    }

    private int gather() {
        int count = 0;
        long skip = headSent;
        gathered = 0;
        for (long i = head; i != tail && count <= IOVECS - 3 && gathered < MOST_BYTES; i++) {
            final long cell = cell(i);
            final int headerLength = Memory.getInt(cell + HEADER_LENGTH);
            final int dataLength = Memory.getInt(cell + DATA_LENGTH);
            count = add(count, cell, headerLength, skip);
            skip = Math.max(0, skip - headerLength);
            count = add(count, Memory.getLong(cell + DATA), dataLength, skip);
            skip = Math.max(0, skip - dataLength);
            count = add(count, cell + DIGEST, Memory.getInt(cell + DIGEST_LENGTH), skip);
            skip = 0;
        }
        return count;
    }

    private int add(final int count, final long address, final int length, final long skip) {
        if (length <= skip) {
            return count;
        }
        Iovec.put(iovecs, count, address + skip, length - skip);
        gathered += length - skip;
        return count + 1;
    }

    private void drop(final long taken) {
        headSent += taken;
        while (head != tail) {
            final long bytes = bytes(cell(head));
            if (headSent < bytes) {
                return;
            }
            headSent -= bytes;
            head++;
        }
    }

    private static long bytes(final long cell) {
        return (long) Memory.getInt(cell + HEADER_LENGTH)
                + Memory.getInt(cell + DATA_LENGTH)
                + Memory.getInt(cell + DIGEST_LENGTH);
    }

    private long cell(final long index) {
        return cells + (index & (capacity - 1)) * CELL_BYTES;
    }

    private void grow() {
        final long larger = Memory.allocate(2L * capacity * CELL_BYTES);
        for (long i = head; i != tail; i++) {
            Memory.copy(cell(i), larger + (i & (2L * capacity - 1)) * CELL_BYTES, CELL_BYTES);
        }
        Memory.free(cells);
        cells = larger;
        capacity *= 2;
    }

    @Override
    public void close() {
        if (cells != 0) {
            Memory.free(cells);
            Memory.free(iovecs);
            cells = 0;
            head = tail;
        }
    }
}
