// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import goblin.net.linux.Memory;

/** Writes native arrays of {@code struct iovec}: address and length, 8 bytes each, on every 64-bit Linux. */
public final class Iovec {
    /** Bytes of one element. */
    public static final int BYTES = 16;

    private Iovec() {}

    /**
     * Writes one element.
     *
     * @param iovecs  address of the array
     * @param index   which element
     * @param address the run's first byte
     * @param length  the run's length
     */
    public static void put(final long iovecs, final int index, final long address, final long length) {
        final long at = iovecs + (long) index * BYTES;
        Memory.putLong(at, address);
        Memory.putLong(at + 8, length);
    }

    /**
     * Reads a run's address.
     *
     * @param iovecs address of the array
     * @param index  which element
     * @return its first byte
     */
    public static long address(final long iovecs, final int index) {
        return Memory.getLong(iovecs + (long) index * BYTES);
    }

    /**
     * Reads a run's length.
     *
     * @param iovecs address of the array
     * @param index  which element
     * @return its bytes
     */
    public static long length(final long iovecs, final int index) {
        return Memory.getLong(iovecs + (long) index * BYTES + 8);
    }

    /**
     * Sums the lengths.
     *
     * @param iovecs address of the array
     * @param count  elements
     * @return bytes of all runs
     */
    public static long total(final long iovecs, final int count) {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += length(iovecs, i);
        }
        return total;
    }
}
