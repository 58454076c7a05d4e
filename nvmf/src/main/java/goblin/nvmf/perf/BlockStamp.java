// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.net.linux.Memory;

/**
 * The contents of a block that knows where it belongs and which version it is: every word follows from both, so that a
 * block of two versions, or of another place, is noticed.
 */
public final class BlockStamp {
    /** Answered for a block that is no whole block of its place. */
    public static final long TORN = -1;

    private static final long PLACE = 0x9E37_79B9_7F4A_7C15L;
    private static final long VERSION = 0xC2B2_AE3D_27D4_EB4FL;
    private static final long STEP = 0x1656_67B1_9E37_79F9L;

    private BlockStamp() {}

    /**
     * Fills a block.
     *
     * @param address    the block
     * @param blockBytes a multiple of 16
     * @param place      its number
     * @param version    0 or more
     */
    public static void write(final long address, final int blockBytes, final long place, final long version) {
        Memory.putLong(address, version);
        long word = first(place, version);
        for (int at = Long.BYTES; at < blockBytes; at += Long.BYTES) {
            word += STEP;
            Memory.putLong(address + at, word);
        }
    }

    /**
     * Checks a block.
     *
     * @param address    the block
     * @param blockBytes as it was written
     * @param place      where it was read
     * @return its version, or {@link #TORN}
     */
    public static long check(final long address, final int blockBytes, final long place) {
        final long version = Memory.getLong(address);
        long word = first(place, version);
        for (int at = Long.BYTES; at < blockBytes; at += Long.BYTES) {
            word += STEP;
            if (Memory.getLong(address + at) != word) {
                return TORN;
            }
        }
        return version < 0 ? TORN : version;
    }

    private static long first(final long place, final long version) {
        final long mixed = (place * PLACE) ^ ((version + 1) * VERSION);
        return mixed ^ (mixed >>> 29);
    }
}
