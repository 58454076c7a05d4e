// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Native memory by absolute address.
 *
 * <p>Nothing here checks that an address is valid: the caller owns that knowledge. Integers are little-endian and need
 * no alignment. All methods may be called from any thread; no method but {@link #toBytes} allocates Java objects.
 */
@SuppressWarnings("restricted")
public final class Memory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle ARRAY_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    // Each block carries its size in front of it, so that free() can count; 16 bytes keep malloc's alignment.
    private static final int HEADER = 16;
    private static final long LIVE = 0x6E696C626F476576L;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle MALLOC =
            handle("malloc", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle REALLOC = handle(
            "realloc", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = handle("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
    private static final AtomicLong ALLOCATED = new AtomicLong();

    private Memory() {}

    /**
     * Reads a byte.
     *
     * @param address where
     * @return the byte
     */
    public static byte getByte(final long address) {
        return ALL.get(BYTE, address);
    }

    /**
     * Writes a byte.
     *
     * @param address where
     * @param value   what
     */
    public static void putByte(final long address, final byte value) {
        ALL.set(BYTE, address, value);
    }

    /**
     * Reads two bytes, little-endian.
     *
     * @param address where, any alignment
     * @return the value
     */
    public static short getShort(final long address) {
        return ALL.get(SHORT, address);
    }

    /**
     * Writes two bytes, little-endian.
     *
     * @param address where, any alignment
     * @param value   what
     */
    public static void putShort(final long address, final short value) {
        ALL.set(SHORT, address, value);
    }

    /**
     * Reads four bytes, little-endian.
     *
     * @param address where, any alignment
     * @return the value
     */
    public static int getInt(final long address) {
        return ALL.get(INT, address);
    }

    /**
     * Writes four bytes, little-endian.
     *
     * @param address where, any alignment
     * @param value   what
     */
    public static void putInt(final long address, final int value) {
        ALL.set(INT, address, value);
    }

    /**
     * Reads eight bytes, little-endian.
     *
     * @param address where, any alignment
     * @return the value
     */
    public static long getLong(final long address) {
        return ALL.get(LONG, address);
    }

    /**
     * Writes eight bytes, little-endian.
     *
     * @param address where, any alignment
     * @param value   what
     */
    public static void putLong(final long address, final long value) {
        ALL.set(LONG, address, value);
    }

    /**
     * Copies; the two ranges may overlap.
     *
     * @param from   first byte to read
     * @param to     first byte to write
     * @param length bytes, 0 or more
     */
    public static void copy(final long from, final long to, final long length) {
        MemorySegment.copy(ALL, from, ALL, to, length);
    }

    /**
     * Copies bytes of an array into native memory.
     *
     * @param source array to read
     * @param offset first element to read
     * @param to     first byte to write
     * @param length bytes, 0 or more
     */
    public static void copyIn(final byte[] source, final int offset, final long to, final int length) {
        MemorySegment.copy(source, offset, ALL, BYTE, to, length);
    }

    /**
     * Copies native memory into an array.
     *
     * @param from   first byte to read
     * @param target array to write
     * @param offset first element to write
     * @param length bytes, 0 or more
     */
    public static void copyOut(final long from, final byte[] target, final int offset, final int length) {
        MemorySegment.copy(ALL, BYTE, from, target, offset, length);
    }

    /**
     * Copies native memory into a new array.
     *
     * @param address first byte
     * @param length  bytes, 0 or more
     * @return a new array of that length
     */
    public static byte[] toBytes(final long address, final int length) {
        final byte[] bytes = new byte[length];
        copyOut(address, bytes, 0, length);
        return bytes;
    }

    /**
     * Compares two ranges of native memory. Not in constant time: no use for secrets.
     *
     * @param a      first byte of one
     * @param b      first byte of the other
     * @param length bytes, 0 or more
     * @return whether all bytes are the same
     */
    public static boolean equal(final long a, final long b, final long length) {
        long i = 0;
        for (; i + 8 <= length; i += 8) {
            if (getLong(a + i) != getLong(b + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (getByte(a + i) != getByte(b + i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Compares native memory with bytes of an array. Not in constant time: no use for secrets.
     *
     * @param a      first native byte
     * @param b      the array
     * @param offset first element
     * @param length bytes, 0 or more
     * @return whether all bytes are the same
     */
    public static boolean equal(final long a, final byte[] b, final int offset, final int length) {
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            if (getLong(a + i) != (long) ARRAY_LONG.get(b, offset + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (getByte(a + i) != b[offset + i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Finds the first occurrence of a byte, a word at a time.
     *
     * @param address first byte to look at
     * @param length  bytes to look at, 0 or more
     * @param value   the byte to find
     * @return its distance from {@code address}, or -1
     */
    public static long indexOf(final long address, final long length, final byte value) {
        final long pattern = (value & 0xFFL) * ONES;
        long i = 0;
        for (; i + 8 <= length; i += 8) {
            final long difference = getLong(address + i) ^ pattern;
            final long zeros = (difference - ONES) & ~difference & HIGHS;
            if (zeros != 0) {
                return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
            }
        }
        for (; i < length; i++) {
            if (getByte(address + i) == value) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Hashes bytes with a key drawn at random when the process starts, so that names chosen by an attacker do not
     * collide on purpose. Equal to {@link #hash(byte[])} of the same bytes within one process.
     *
     * @param address first byte
     * @param length  bytes, 0 or more
     * @return a hash of which every bit may be used
     */
    public static long hash(final long address, final int length) {
        return KeyedHash.PROCESS.hash(address, length);
    }

    /**
     * Hashes bytes; see {@link #hash(long, int)}.
     *
     * @param bytes the bytes
     * @return the same value as {@link #hash(long, int)} gives for the same bytes
     */
    public static long hash(final byte[] bytes) {
        return KeyedHash.PROCESS.hash(bytes);
    }

    /**
     * Sets every byte of a range.
     *
     * @param address first byte
     * @param length  bytes, 0 or more
     * @param value   what to write
     */
    public static void fill(final long address, final long length, final byte value) {
        final long pattern = (value & 0xFFL) * ONES;
        long i = 0;
        for (; i + 8 <= length; i += 8) {
            putLong(address + i, pattern);
        }
        for (; i < length; i++) {
            putByte(address + i, value);
        }
    }

    /**
     * Takes memory from the C heap; it belongs to the caller until {@link #free}. Its contents are undefined.
     *
     * @param length bytes, at least 1
     * @return the first byte's address, a multiple of 16
     * @throws OutOfMemoryError when the system has no more
     */
    public static long allocate(final long length) {
        if (length < 1) {
            throw new IllegalArgumentException("cannot allocate " + length + " bytes");
        }
        final long block;
        try {
            block = (long) MALLOC.invokeExact(length + HEADER);
        } catch (final Throwable failure) {
            throw new IllegalStateException("malloc", failure);
        }
        return begin(block, length);
    }

    /**
     * Changes the size of a block, moving it when it must; the old address is invalid afterwards.
     *
     * @param address from {@link #allocate}; 0 allocates a new block
     * @param length  new size in bytes, at least 1; the bytes up to the smaller size keep their values
     * @return the block's new address
     * @throws OutOfMemoryError when the system has no more; the old block is still valid then
     */
    public static long reallocate(final long address, final long length) {
        if (address == 0) {
            return allocate(length);
        }
        if (length < 1) {
            throw new IllegalArgumentException("cannot allocate " + length + " bytes");
        }
        final long oldLength = end(address);
        final long block;
        try {
            block = (long) REALLOC.invokeExact(address - HEADER, length + HEADER);
        } catch (final Throwable failure) {
            throw new IllegalStateException("realloc", failure);
        }
        if (block == 0) {
            begin(address - HEADER, oldLength);
        }
        return begin(block, length);
    }

    /**
     * Gives memory back.
     *
     * @param address from {@link #allocate} and not freed yet; 0 does nothing
     * @throws IllegalStateException when the block is not a live one (a best effort, double frees are errors)
     */
    public static void free(final long address) {
        if (address == 0) {
            return;
        }
        end(address);
        try {
            FREE.invokeExact(address - HEADER);
        } catch (final Throwable failure) {
            throw new IllegalStateException("free", failure);
        }
    }

    /**
     * The bytes taken by {@link #allocate} and {@link #reallocate} and not yet given back, over all threads.
     *
     * @return as asked for by the callers, without the allocator's own overhead
     */
    public static long allocatedBytes() {
        return ALLOCATED.get();
    }

    private static long begin(final long block, final long length) {
        if (block == 0) {
            throw new OutOfMemoryError("no native memory for " + length + " bytes");
        }
        putLong(block, length);
        putLong(block + 8, LIVE);
        ALLOCATED.getAndAdd(length);
        return block + HEADER;
    }

    private static long end(final long address) {
        final long block = address - HEADER;
        if (getLong(block + 8) != LIVE) {
            throw new IllegalStateException("0x" + Long.toHexString(address) + " is not an allocated block");
        }
        putLong(block + 8, 0);
        final long length = getLong(block);
        ALLOCATED.getAndAdd(-length);
        return length;
    }

    private static MethodHandle handle(final String name, final FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }
}
