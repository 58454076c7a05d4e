// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.Iovec;
import goblin.net.linux.Memory;
import goblin.net.linux.Pages;

/** Moves bytes between the vector of an operation and one run of memory. Any thread; allocates nothing. */
final class BlockVectors {
    /** Bytes of {@link #zeros}; small enough to stay in a core's first cache. */
    static final int ZERO_BYTES = 16 << 10;

    private static final long ZEROS = Pages.map(ZERO_BYTES);

    private BlockVectors() {}

    /** Page-aligned memory of {@link #ZERO_BYTES} zeros that nobody writes. */
    static long zeros() {
        return ZEROS;
    }

    /** Copies {@code length} bytes of memory into the vector from its byte {@code skip} on. */
    static void scatter(final long iovecs, final int count, final long skip, final long memory, final long length) {
        long at = memory;
        long left = length;
        long before = skip;
        for (int i = 0; i < count && left > 0; i++) {
            final long entry = Iovec.length(iovecs, i);
            if (before >= entry) {
                before -= entry;
                continue;
            }
            final long piece = Math.min(entry - before, left);
            Memory.copy(at, Iovec.address(iovecs, i) + before, piece);
            before = 0;
            at += piece;
            left -= piece;
        }
        requireAll(left);
    }

    /** Copies {@code length} bytes of the vector from its byte {@code skip} on into memory. */
    static void gather(final long iovecs, final int count, final long skip, final long memory, final long length) {
        long at = memory;
        long left = length;
        long before = skip;
        for (int i = 0; i < count && left > 0; i++) {
            final long entry = Iovec.length(iovecs, i);
            if (before >= entry) {
                before -= entry;
                continue;
            }
            final long piece = Math.min(entry - before, left);
            Memory.copy(Iovec.address(iovecs, i) + before, at, piece);
            before = 0;
            at += piece;
            left -= piece;
        }
        requireAll(left);
    }

    /** Compares {@code length} bytes of the vector from its byte {@code skip} on with memory. */
    static boolean equal(final long iovecs, final int count, final long skip, final long memory, final long length) {
        long at = memory;
        long left = length;
        long before = skip;
        for (int i = 0; i < count && left > 0; i++) {
            final long entry = Iovec.length(iovecs, i);
            if (before >= entry) {
                before -= entry;
                continue;
            }
            final long piece = Math.min(entry - before, left);
            if (!Memory.equal(at, Iovec.address(iovecs, i) + before, piece)) {
                return false;
            }
            before = 0;
            at += piece;
            left -= piece;
        }
        requireAll(left);
        return true;
    }

    /** Writes zeros into the first {@code length} bytes of the vector. */
    static void clear(final long iovecs, final int count, final long length) {
        long left = length;
        for (int i = 0; i < count && left > 0; i++) {
            final long piece = Math.min(Iovec.length(iovecs, i), left);
            clear(Iovec.address(iovecs, i), piece);
            left -= piece;
        }
        requireAll(left);
    }

    /** Tells whether the first {@code length} bytes of the vector are zeros. */
    static boolean isClear(final long iovecs, final int count, final long length) {
        for (long done = 0; done < length; done += ZERO_BYTES) {
            if (!equal(iovecs, count, done, ZEROS, Math.min(ZERO_BYTES, length - done))) {
                return false;
            }
        }
        return true;
    }

    /** Writes zeros into memory. */
    static void clear(final long memory, final long length) {
        for (long done = 0; done < length; done += ZERO_BYTES) {
            Memory.copy(ZEROS, memory + done, Math.min(ZERO_BYTES, length - done));
        }
    }

    private static void requireAll(final long left) {
        if (left > 0) {
            throw new IllegalArgumentException("the vector is " + left + " bytes too short");
        }
    }
}
