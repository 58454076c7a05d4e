// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.linux.Memory;

/**
 * An endless stream of bytes in which each place is known, for transfers of any size: a sender reads it from native
 * memory, a receiver compares what came with where it should be. The period is prime, so that no loss of a power of two
 * goes unseen.
 */
public final class ByteRuler implements AutoCloseable {
    private static final int PERIOD = 1_000_003;
    /** The longest run that is contiguous from every place on. */
    public static final int MAX_RUN = 256 * 1024;

    private final long memory = Memory.allocate(PERIOD + MAX_RUN);

    /** Fills the memory. */
    public ByteRuler() {
        for (int i = 0; i < PERIOD + MAX_RUN; i++) {
            Memory.putByte(memory + i, at(i));
        }
    }

    /**
     * The byte at a place.
     *
     * @param position 0 or more
     * @return its value
     */
    public static byte at(final long position) {
        final long place = position % PERIOD;
        return (byte) (place * 31 ^ place >> 8 ^ place >> 16);
    }

    /**
     * Where the stream can be read from a place on.
     *
     * @param position 0 or more
     * @return address of {@link #MAX_RUN} bytes
     */
    public long address(final long position) {
        return memory + position % PERIOD;
    }

    /**
     * Compares.
     *
     * @param position where the bytes should be from
     * @param address  first byte
     * @param length   bytes
     * @return whether they are
     */
    public boolean matches(final long position, final long address, final long length) {
        for (long at = 0; at < length; at += MAX_RUN) {
            if (!Memory.equal(address(position + at), address + at, Math.min(MAX_RUN, length - at))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        Memory.free(memory);
    }
}
