// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;

/**
 * A growable run of native bytes: appended at the end, consumed from the front.
 *
 * <p>It holds no memory until something is written and none after {@link #free}; the owner must free it. Appending may
 * move the bytes, so addresses are valid only until the next call that changes the buffer. Not thread-safe. Allocates
 * no Java objects.
 */
public final class NativeBuffer implements ByteSink {
    private static final long SMALLEST = 64;

    private long block;
    private long capacity;
    private long start;
    private long end;

    /** Makes an empty buffer that holds no memory yet. */
    public NativeBuffer() {}

    /**
     * Makes an empty buffer with room.
     *
     * @param capacity bytes of room, 0 or more
     */
    public NativeBuffer(final long capacity) {
        if (capacity > 0) {
            ensure(capacity);
        }
    }

    /**
     * Where the bytes begin.
     *
     * @return a native address, 0 while no memory is held
     */
    public long address() {
        return block + start;
    }

    /**
     * How many bytes there are.
     *
     * @return 0 or more
     */
    public long length() {
        return end - start;
    }

    /**
     * Tells whether there are no bytes.
     *
     * @return true when {@link #length} is 0
     */
    public boolean isEmpty() {
        return end == start;
    }

    /**
     * The memory held.
     *
     * @return bytes, 0 when none is held
     */
    public long capacity() {
        return capacity;
    }

    /**
     * Makes room at the end without changing the bytes; follow with writes at the returned address and
     * {@link #extend}.
     *
     * @param extra bytes that must fit, 0 or more
     * @return the address just after the last byte
     */
    public long ensure(final long extra) {
        if (extra > capacity - end) {
            grow(extra);
        }
        return block + end;
    }

    /**
     * Takes bytes in that were written at the address {@link #ensure} returned.
     *
     * @param written how many, at most what was ensured
     */
    public void extend(final long written) {
        if (written < 0 || written > capacity - end) {
            throw new IndexOutOfBoundsException(written + " bytes in a room of " + (capacity - end));
        }
        end += written;
    }

    /**
     * Appends native bytes.
     *
     * @param from    first byte; not inside this buffer
     * @param howMany bytes, 0 or more
     */
    @Override
    public void append(final long from, final long howMany) {
        final long to = ensure(howMany);
        Memory.copy(from, to, howMany);
        end += howMany;
    }

    /**
     * Appends a whole array.
     *
     * @param bytes what to append
     */
    public void append(final byte[] bytes) {
        append(bytes, 0, bytes.length);
    }

    /**
     * Appends part of an array.
     *
     * @param bytes   the array
     * @param offset  first element
     * @param howMany bytes, 0 or more
     */
    public void append(final byte[] bytes, final int offset, final int howMany) {
        final long to = ensure(howMany);
        Memory.copyIn(bytes, offset, to, howMany);
        end += howMany;
    }

    /**
     * Appends one byte.
     *
     * @param value the byte
     */
    public void appendByte(final byte value) {
        Memory.putByte(ensure(1), value);
        end++;
    }

    /**
     * Appends text that is meant to be ASCII; any other character becomes a question mark.
     *
     * @param text what to append
     */
    public void appendAscii(final String text) {
        final int howMany = text.length();
        final long to = ensure(howMany);
        for (int i = 0; i < howMany; i++) {
            final char c = text.charAt(i);
            Memory.putByte(to + i, c < 0x80 ? (byte) c : (byte) '?');
        }
        end += howMany;
    }

    /**
     * Appends text in UTF-8. Allocates an array: not for hot paths.
     *
     * @param text what to append
     */
    public void appendUtf8(final String text) {
        append(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Appends a number in decimal digits, with a minus sign when negative.
     *
     * @param value any value
     */
    public void appendDecimal(final long value) {
        long rest = value;
        if (rest < 0) {
            if (rest == Long.MIN_VALUE) {
                appendAscii("-9223372036854775808");
                return;
            }
            appendByte((byte) '-');
            rest = -rest;
        }
        final int digits = digits(rest);
        long to = ensure(digits) + digits;
        end += digits;
        do {
            final long tenth = rest / 10;
            Memory.putByte(--to, (byte) ('0' + (rest - tenth * 10)));
            rest = tenth;
        } while (rest != 0);
    }

    /** Drops all bytes and keeps the memory. */
    public void clear() {
        start = 0;
        end = 0;
    }

    /**
     * Drops bytes from the end.
     *
     * @param length what {@link #length} shall be, at most what it is
     */
    public void truncate(final long length) {
        if (length < 0 || length > end - start) {
            throw new IndexOutOfBoundsException(length + " of " + (end - start) + " bytes");
        }
        end = start + length;
    }

    /**
     * Drops bytes from the front; they are not moved, so this is cheap.
     *
     * @param howMany at most {@link #length}
     */
    public void consume(final long howMany) {
        if (howMany < 0 || howMany > end - start) {
            throw new IndexOutOfBoundsException(howMany + " of " + (end - start) + " bytes");
        }
        start += howMany;
        if (start == end) {
            clear();
        }
    }

    /**
     * Copies the bytes out.
     *
     * @return a new array
     * @throws ArithmeticException when there are more than an array can hold
     */
    public byte[] toBytes() {
        return Memory.toBytes(address(), Math.toIntExact(length()));
    }

    /** Drops all bytes and gives the memory back; the buffer may be used again. Idempotent. */
    public void free() {
        Memory.free(block);
        block = 0;
        capacity = 0;
        clear();
    }

    private void grow(final long extra) {
        final long length = end - start;
        // Moving to the front pays only when what was consumed since is at least as much: linear over all.
        if (start >= length && capacity - length >= extra) {
            Memory.copy(block + start, block, length);
        } else {
            final long wanted = Math.max(length + extra, Math.max(SMALLEST, capacity + (capacity >> 1)));
            if (start == 0) {
                block = Memory.reallocate(block, wanted);
            } else {
                final long moved = Memory.allocate(wanted);
                Memory.copy(block + start, moved, length);
                Memory.free(block);
                block = moved;
            }
            capacity = wanted;
        }
        start = 0;
        end = length;
    }

    private static int digits(final long value) {
        int digits = 1;
        for (long bound = 10; digits < 19 && value >= bound; bound *= 10) {
            digits++;
        }
        return digits;
    }
}
