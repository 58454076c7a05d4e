// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Byte buffers over all of native memory, for what the JDK does to buffers only. A window of 1.5 GiB
 * begins at each GiB, and its buffer is made when something in it is first asked for. A process uses few windows, so
 * nothing is allocated in the long run. Two windows that fall on the same place of the table take turns, each time for
 * one small object.
 *
 * <p>As with {@link Memory} nothing checks that an address is valid. Owned by one thread.
 */
public final class ByteViews {
    /** The most bytes of one view. */
    public static final int MAX_BYTES = 1 << 29;

    private static final int WINDOW_SHIFT = 30;
    private static final int SLOT_BITS = 5;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final ByteBuffer[] buffers = new ByteBuffer[1 << SLOT_BITS];
    private final long[] windows = new long[1 << SLOT_BITS];

    /** Makes an empty table. */
    public ByteViews() {}

    /**
     * Shows some bytes.
     *
     * @param address first byte
     * @param length  0 to {@link #MAX_BYTES}
     * @return a direct buffer whose position and limit enclose the bytes, until the next call
     */
    public ByteBuffer of(final long address, final int length) {
        final long window = address >>> WINDOW_SHIFT;
        final int slot = (int) ((window * SPREAD) >>> (Long.SIZE - SLOT_BITS));
        ByteBuffer buffer = buffers[slot];
        if (buffer == null || windows[slot] != window) {
            buffer = open(window);
            buffers[slot] = buffer;
            windows[slot] = window;
        }
        final int start = (int) (address - (window << WINDOW_SHIFT));
        return buffer.limit(start + length).position(start);
    }

    @SuppressWarnings("restricted")
    private static ByteBuffer open(final long window) {
        return MemorySegment.ofAddress(window << WINDOW_SHIFT)
                .reinterpret((1L << WINDOW_SHIFT) + MAX_BYTES)
                .asByteBuffer();
    }
}
