// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import goblin.net.linux.Memory;

/**
 * Hashes of ever longer beginnings of one name, or of ever longer ends, that look at each byte once altogether. Keyed
 * for the process, so that equal hashes cannot be chosen; equal bytes of one length and one direction have equal
 * hashes, whatever is around them. One thread; allocates nothing.
 */
final class AffixHash {
    private static final long START = key(0);
    private static final long WORD_KEY = key(1);
    private static final long STATE_KEY = key(2);
    private static final long REST_KEY = key(3);
    private static final long LAST_KEY = key(4);
    private static final long LENGTH_FACTOR = 0x9E3779B97F4A7C15L;

    private final boolean ofEnds;
    private long name;
    private int nameLength;
    /** Bytes that {@link #state} stands for, a multiple of eight. */
    private int done;

    private long state;

    /**
     * Makes a hash of beginnings or of ends.
     *
     * @param ofEnds whether a name's ends are hashed, else its beginnings
     */
    AffixHash(final boolean ofEnds) {
        this.ofEnds = ofEnds;
    }

    /** Turns to a name, which must stay as it is while it is asked for. */
    void start(final long address, final int length) {
        name = address;
        nameLength = length;
        done = 0;
        state = START;
    }

    /**
     * The hash of the name's first, or last, bytes.
     *
     * @param length how many: not more than the name has, and not less than when asked before
     */
    long of(final int length) {
        while (length - done >= Long.BYTES) {
            final long word = Memory.getLong(ofEnds ? name + nameLength - done - Long.BYTES : name + done);
            state = mix(word ^ WORD_KEY, state ^ STATE_KEY);
            done += Long.BYTES;
        }
        return mix(rest(length) ^ REST_KEY ^ (length * LENGTH_FACTOR), state ^ LAST_KEY);
    }

    /** The bytes that make no whole word, the lowest first in memory; reads nothing outside of the name. */
    private long rest(final int length) {
        final int bits = (length - done) * Byte.SIZE;
        if (bits == 0) {
            return 0;
        }
        if (nameLength < Long.BYTES) {
            return restOfShortName(ofEnds ? name + nameLength - length : name, length);
        }
        if (ofEnds == (length >= Long.BYTES)) {
            return Memory.getLong(ofEnds ? name + nameLength - length : name) & ((1L << bits) - 1);
        }
        return Memory.getLong(ofEnds ? name + nameLength - Long.BYTES : name + length - Long.BYTES)
                >>> (Long.SIZE - bits);
    }

    private static long restOfShortName(final long from, final int length) {
        long value = 0;
        for (int i = length - 1; i >= 0; i--) {
            value = (value << Byte.SIZE) | (Memory.getByte(from + i) & 0xFF);
        }
        return value;
    }

    private static long mix(final long a, final long b) {
        return Math.unsignedMultiplyHigh(a, b) ^ (a * b);
    }

    private static long key(final int number) {
        return Memory.hash(new byte[] {(byte) number, 'a', 'f', 'f', 'i', 'x'});
    }
}
