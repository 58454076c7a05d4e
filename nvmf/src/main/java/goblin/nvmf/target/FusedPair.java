// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.Iovec;
import goblin.net.linux.Memory;

/** A Compare and the Write fused to it, on their way to being one operation. */
final class FusedPair {
    Request first;
    Request second;
    boolean firstReady;
    boolean secondReady;
    /** At storage. */
    boolean running;

    private long iovecs;
    private int capacity;
    private int count;

    boolean isFree() {
        return first == null;
    }

    void begin(final Request compare) {
        first = compare;
        second = null;
        firstReady = false;
        secondReady = false;
        running = false;
        compare.pair = this;
    }

    void join(final Request write) {
        second = write;
        write.pair = this;
    }

    /** Forgets both. */
    void release() {
        first.pair = null;
        if (second != null) {
            second.pair = null;
        }
        first = null;
        second = null;
        running = false;
    }

    /** Makes one vector: what to compare with, then what to write, {@code bytes} of each. */
    void combine(final long bytes) {
        final int most = first.vector().count() + second.vector().count();
        if (most > capacity) {
            iovecs = Memory.reallocate(iovecs, (long) most * Iovec.BYTES);
            capacity = most;
        }
        count = 0;
        append(first.vector(), bytes);
        append(second.vector(), bytes);
    }

    long iovecs() {
        return iovecs;
    }

    int count() {
        return count;
    }

    void free() {
        Memory.free(iovecs);
        iovecs = 0;
        capacity = 0;
    }

    private void append(final RequestVector vector, final long bytes) {
        long left = bytes;
        for (int i = 0; i < vector.count() && left > 0; i++) {
            final long length = Math.min(left, vector.length(i));
            Iovec.put(iovecs, count++, vector.address(i), length);
            left -= length;
        }
    }
}
