// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import goblin.net.linux.Memory;

/** Which bytes occur, in 64 bits: several bytes share a bit, but no two small letters, nor a letter and a digit. */
final class ByteSummary {
    private static final int LOW_BITS = 0x1F;
    private static final int LETTER_BIT = 0x40;

    private ByteSummary() {}

    /** The bit of a byte of 0 to 255. */
    static long of(final int value) {
        return 1L << ((value & LOW_BITS) | ((~value & LETTER_BIT) >>> 1));
    }

    /** The bits of all bytes of a name. */
    static long of(final long name, final int length) {
        long summary = 0;
        for (int i = 0; i < length; i++) {
            summary |= of(Memory.getByte(name + i) & 0xFF);
        }
        return summary;
    }
}
