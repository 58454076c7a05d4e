// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A byte string, or a number kept as one while it is only counted with. */
public final class StringValue extends Value {
    /** The longest text that Redis keeps beside its header. */
    private static final int EMBEDDED = 44;

    private byte[] data;
    private int length;
    private long number;
    /** Whether {@link #append} or {@link #overwrite} ever changed it in place: such a value is {@code raw}. */
    private boolean grown;

    private StringValue() {}

    /**
     * A value of these bytes; kept as a number when they are the shortest decimal form of one.
     *
     * @param address first byte, native; copied
     * @param length  0 or more
     * @return a new value
     */
    public static StringValue of(final long address, final int length) {
        final StringValue value = new StringValue();
        value.assign(address, length);
        return value;
    }

    /**
     * A value of these bytes.
     *
     * @param bytes become the value's own
     * @return a new value
     */
    public static StringValue of(final byte[] bytes) {
        final StringValue value = new StringValue();
        if (bytes.length == 0 || bytes.length > 20 || !value.parse(bytes)) {
            value.data = bytes;
            value.length = bytes.length;
        }
        return value;
    }

    /**
     * A value that is a number.
     *
     * @param number any
     * @return a new value
     */
    public static StringValue of(final long number) {
        final StringValue value = new StringValue();
        value.number = number;
        return value;
    }

    /**
     * Becomes these bytes; used to overwrite a value without making a new one.
     *
     * @param address first byte, native; copied
     * @param count   0 or more
     */
    public void assign(final long address, final int count) {
        grown = false;
        if (count > 0 && count <= 20 && parse(address, count)) {
            data = null;
            length = 0;
            return;
        }
        if (data == null || data.length != count) {
            data = new byte[count];
        }
        Memory.copyOut(address, data, 0, count);
        length = count;
    }

    private boolean parse(final long address, final int count) {
        int at = 0;
        final boolean negative = Memory.getByte(address) == '-';
        if (negative) {
            at = 1;
        }
        if (at == count) {
            return false;
        }
        final byte first = Memory.getByte(address + at);
        if (first == '0') {
            number = 0;
            return count == 1;
        }
        long sum = 0;
        for (; at < count; at++) {
            final int digit = Memory.getByte(address + at) - '0';
            if (digit < 0 || digit > 9 || sum < Long.MIN_VALUE / 10) {
                return false;
            }
            // Counted downwards: the smallest long has no positive twin.
            final long next = sum * 10 - digit;
            if (next > sum) {
                return false;
            }
            sum = next;
        }
        if (!negative && sum == Long.MIN_VALUE) {
            return false;
        }
        number = negative ? sum : -sum;
        return true;
    }

    private boolean parse(final byte[] bytes) {
        int at = 0;
        final boolean negative = bytes[0] == '-';
        if (negative) {
            at = 1;
        }
        if (at == bytes.length) {
            return false;
        }
        if (bytes[at] == '0') {
            number = 0;
            return bytes.length == 1;
        }
        long sum = 0;
        for (; at < bytes.length; at++) {
            final int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9 || sum < Long.MIN_VALUE / 10) {
                return false;
            }
            final long next = sum * 10 - digit;
            if (next > sum) {
                return false;
            }
            sum = next;
        }
        if (!negative && sum == Long.MIN_VALUE) {
            return false;
        }
        number = negative ? sum : -sum;
        return true;
    }

    /**
     * Tells whether the value is kept as a number.
     *
     * @return true when {@link #number} is the value
     */
    public boolean isNumber() {
        return data == null;
    }

    /**
     * The number; only when {@link #isNumber}.
     *
     * @return the value
     */
    public long number() {
        return number;
    }

    /**
     * Becomes a number.
     *
     * @param to the new value
     */
    public void setNumber(final long to) {
        data = null;
        length = 0;
        grown = false;
        number = to;
    }

    /**
     * The bytes' array; only when not {@link #isNumber}. May be longer than the value.
     *
     * @return the array itself; must not be changed
     */
    public byte[] array() {
        return data;
    }

    /**
     * Length of the value as text.
     *
     * @return 0 or more
     */
    public int length() {
        return data == null ? decimalLength(number) : length;
    }

    /**
     * The value as text.
     *
     * @return a new array
     */
    public byte[] toBytes() {
        return data == null ? Long.toString(number).getBytes(StandardCharsets.ISO_8859_1) : Arrays.copyOf(data, length);
    }

    /**
     * Adds bytes at the end.
     *
     * @param address first byte, native
     * @param count   0 or more; the sum must fit an array
     */
    public void append(final long address, final int count) {
        materialize(length() + count);
        Memory.copyOut(address, data, length, count);
        length += count;
        grown = true;
    }

    /**
     * Writes bytes at an offset; a gap before them becomes zero bytes.
     *
     * @param offset  0 or more
     * @param address first byte, native
     * @param count   at least 1; offset and count together must fit an array
     */
    public void overwrite(final int offset, final long address, final int count) {
        materialize(offset + count);
        Memory.copyOut(address, data, offset, count);
        length = Math.max(length, offset + count);
        grown = true;
    }

    /**
     * The bytes for changing in place, at least {@code count} long; the length becomes at least {@code count}.
     *
     * @param count bytes that must be there
     * @return the array itself
     */
    public byte[] mutable(final int count) {
        materialize(count);
        length = Math.max(length, count);
        grown = true;
        return data;
    }

    private void materialize(final int capacity) {
        if (data == null) {
            data = Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
            length = data.length;
        }
        if (data.length < capacity) {
            // Twice as much up to a megabyte more, so that appending byte by byte stays linear.
            final int spare = grown ? Math.min(capacity, 1 << 20) : 0;
            data = Arrays.copyOf(data, (int) Math.min((long) capacity + spare, Integer.MAX_VALUE - 8));
        }
    }

    private static int decimalLength(final long number) {
        int digits = number < 0 ? 2 : 1;
        for (long rest = number / 10; rest != 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    @Override
    public ValueType type() {
        return ValueType.STRING;
    }

    @Override
    public String encoding() {
        if (data == null) {
            return "int";
        }
        return length <= EMBEDDED && !grown ? "embstr" : "raw";
    }

    @Override
    public long bytes() {
        return data == null ? 40 : 56L + data.length;
    }

    @Override
    public Value copy() {
        final StringValue copy = new StringValue();
        copy.data = data == null ? null : Arrays.copyOf(data, length);
        copy.length = length;
        copy.number = number;
        copy.grown = grown;
        return copy;
    }
}
