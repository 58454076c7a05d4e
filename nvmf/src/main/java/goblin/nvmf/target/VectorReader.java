// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;

/** Reads little-endian numbers out of a vector, wherever its pieces end. Allocates nothing. */
final class VectorReader {
    private VectorReader() {}

    /**
     * Four bytes.
     *
     * @param vector holds them all
     * @param at     the first byte's place
     * @return 0 to 4294967295
     */
    static long u32(final RequestVector vector, final long at) {
        return number(vector, at, 4);
    }

    /**
     * Eight bytes.
     *
     * @param vector holds them all
     * @param at     the first byte's place
     * @return unsigned
     */
    static long u64(final RequestVector vector, final long at) {
        return number(vector, at, 8);
    }

    private static long number(final RequestVector vector, final long at, final int bytes) {
        int entry = 0;
        long skip = at;
        while (skip >= vector.length(entry)) {
            skip -= vector.length(entry++);
        }
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            if (skip == vector.length(entry)) {
                entry++;
                skip = 0;
            }
            value |= (Memory.getByte(vector.address(entry) + skip++) & 0xFFL) << (8 * i);
        }
        return value;
    }
}
