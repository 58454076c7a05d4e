// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import goblin.net.linux.Memory;

/**
 * The native bytes of one message that is queued at many connections: they exist once and are counted.
 *
 * <p>Made by a {@link Pool} with a count of one, that is the maker's. All on the pool's loop.
 */
public final class SharedBytes {
    /** Owns bytes that a pool makes countable. */
    @FunctionalInterface
    public interface Lender {
        /**
         * Nobody holds the bytes any more. Called once, on the pool's loop, within the last release.
         *
         * @param key as given to {@link Pool#lend}
         */
        void onReleased(long key);
    }

    private final Pool pool;
    final int sizeClass;
    private long address;
    private long length;
    private int count;
    private Lender lender;
    private long key;
    private SharedBytes next;

    private SharedBytes(final Pool pool, final int sizeClass) {
        this.pool = pool;
        this.sizeClass = sizeClass;
    }

    /**
     * First byte. The maker writes the bytes before he shares them; nobody writes them later.
     *
     * @return a native address, valid while the bytes are held
     */
    public long address() {
        return address;
    }

    /**
     * Number of bytes.
     *
     * @return at least 1
     */
    public long length() {
        return length;
    }

    /** Holds the bytes once more. */
    public void retain() {
        if (count <= 0) {
            throw new IllegalStateException("retained after the last release");
        }
        count++;
    }

    /** Gives one hold up; the last one gives the memory back. */
    public void release() {
        if (count <= 0) {
            throw new IllegalStateException("released more often than retained");
        }
        if (--count == 0) {
            pool.recycle(this);
        }
    }

    /**
     * Makes shared bytes for one loop. Small ones are kept by size for the next message, up to a bound, so that the
     * steady state allocates nothing; large ones are allocated exactly and freed at once.
     */
    public static final class Pool implements AutoCloseable {
        private static final int SMALLEST_SHIFT = 6;
        private static final int LARGEST_SHIFT = 16;
        private static final int CLASSES = LARGEST_SHIFT - SMALLEST_SHIFT + 1;
        private static final int EXACT = CLASSES;
        private static final int LENT = CLASSES + 1;
        private static final long KEPT_BYTES = 4 << 20;
        private static final int KEPT_EXACT = 256;
        private static final int KEPT_LENT = 4096;

        private final SharedBytes[] free = new SharedBytes[CLASSES + 2];
        private long keptBytes;
        private int keptExact;
        private int keptLent;
        private long liveBytes;

        /** Makes an empty pool. */
        public Pool() {}

        /**
         * Takes memory for one message.
         *
         * @param length at least 1
         * @return bytes with undefined contents and a count of one
         */
        public SharedBytes allocate(final long length) {
            if (length < 1) {
                throw new IllegalArgumentException("a message of " + length + " bytes");
            }
            final int sizeClass = sizeClass(length);
            SharedBytes bytes = free[sizeClass];
            if (bytes == null) {
                bytes = new SharedBytes(this, sizeClass);
            } else {
                free[sizeClass] = bytes.next;
                bytes.next = null;
                if (sizeClass == EXACT) {
                    keptExact--;
                } else {
                    keptBytes -= capacity(sizeClass);
                }
            }
            if (bytes.address == 0) {
                bytes.address = Memory.allocate(sizeClass == EXACT ? length : capacity(sizeClass));
            }
            bytes.length = length;
            bytes.count = 1;
            liveBytes += length;
            return bytes;
        }

        /**
         * Takes memory and copies a message into it.
         *
         * @param from   first byte to copy
         * @param length at least 1
         * @return the copy, with a count of one
         */
        public SharedBytes copyOf(final long from, final long length) {
            final SharedBytes bytes = allocate(length);
            Memory.copy(from, bytes.address, length);
            return bytes;
        }

        /**
         * Makes bytes of somebody else countable, without a copy.
         *
         * @param address first byte; valid and unchanged until the lender is told
         * @param length  at least 1
         * @param lender  told when the last hold is given up
         * @param key     what the lender is told
         * @return the bytes, with a count of one
         */
        public SharedBytes lend(final long address, final long length, final Lender lender, final long key) {
            if (length < 1) {
                throw new IllegalArgumentException("a message of " + length + " bytes");
            }
            SharedBytes bytes = free[LENT];
            if (bytes == null) {
                bytes = new SharedBytes(this, LENT);
            } else {
                free[LENT] = bytes.next;
                bytes.next = null;
                keptLent--;
            }
            bytes.address = address;
            bytes.length = length;
            bytes.lender = lender;
            bytes.key = key;
            bytes.count = 1;
            liveBytes += length;
            return bytes;
        }

        /**
         * The bytes of all messages that somebody holds, lent ones included.
         *
         * @return 0 when everything was released
         */
        public long liveBytes() {
            return liveBytes;
        }

        /** Frees what is kept for later messages. Messages still held are freed by their last release. */
        @Override
        public void close() {
            for (int sizeClass = 0; sizeClass <= EXACT; sizeClass++) {
                for (SharedBytes bytes = free[sizeClass]; bytes != null; bytes = bytes.next) {
                    Memory.free(bytes.address);
                    bytes.address = 0;
                }
                free[sizeClass] = null;
            }
            keptBytes = 0;
            keptExact = 0;
            free[LENT] = null;
            keptLent = 0;
        }

        private void recycle(final SharedBytes bytes) {
            liveBytes -= bytes.length;
            if (bytes.sizeClass == LENT) {
                giveBack(bytes);
            } else {
                keep(bytes);
            }
        }

        private void giveBack(final SharedBytes bytes) {
            final Lender lender = bytes.lender;
            bytes.lender = null;
            bytes.address = 0;
            if (keptLent < KEPT_LENT) {
                keptLent++;
                bytes.next = free[LENT];
                free[LENT] = bytes;
            }
            lender.onReleased(bytes.key);
        }

        private void keep(final SharedBytes bytes) {
            final int sizeClass = bytes.sizeClass;
            if (sizeClass == EXACT) {
                Memory.free(bytes.address);
                bytes.address = 0;
                if (keptExact == KEPT_EXACT) {
                    return;
                }
                keptExact++;
            } else if (keptBytes + capacity(sizeClass) > KEPT_BYTES) {
                Memory.free(bytes.address);
                bytes.address = 0;
                return;
            } else {
                keptBytes += capacity(sizeClass);
            }
            bytes.next = free[sizeClass];
            free[sizeClass] = bytes;
        }

        private static int sizeClass(final long length) {
            if (length > 1L << LARGEST_SHIFT) {
                return EXACT;
            }
            final int shift = Long.SIZE - Long.numberOfLeadingZeros(length - 1);
            return Math.max(0, shift - SMALLEST_SHIFT);
        }

        private static long capacity(final int sizeClass) {
            return 1L << (sizeClass + SMALLEST_SHIFT);
        }
    }
}
