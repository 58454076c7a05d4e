// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Native memory that is shared with the kernel: reads and writes with a memory order. Addresses are aligned to the value's
 * size and not checked. Any thread; nothing allocates.
 */
@SuppressWarnings("restricted")
public final class OrderedMemory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final VarHandle SHORT =
            ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle INT =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private OrderedMemory() {}

    /**
     * Reads a value that the other side changes at any time; orders nothing.
     *
     * @param address where, a multiple of 4
     * @return the value
     */
    public static int getIntOpaque(final long address) {
        return (int) INT.getOpaque(ALL, address);
    }

    /**
     * Reads before everything that follows: what the other side wrote before it released the value is seen.
     *
     * @param address where, a multiple of 4
     * @return the value
     */
    public static int getIntAcquire(final long address) {
        return (int) INT.getAcquire(ALL, address);
    }

    /**
     * Writes a value that the other side reads at any time; orders nothing.
     *
     * @param address where, a multiple of 4
     * @param value   what
     */
    public static void putIntOpaque(final long address, final int value) {
        INT.setOpaque(ALL, address, value);
    }

    /**
     * Writes after everything that came before.
     *
     * @param address where, a multiple of 4
     * @param value   what
     */
    public static void putIntRelease(final long address, final int value) {
        INT.setRelease(ALL, address, value);
    }

    /**
     * Writes two bytes after everything that came before.
     *
     * @param address where, a multiple of 2
     * @param value   what
     */
    public static void putShortRelease(final long address, final short value) {
        SHORT.setRelease(ALL, address, value);
    }
}
