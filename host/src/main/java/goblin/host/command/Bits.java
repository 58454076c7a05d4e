// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bit arithmetic on byte strings: bit 0 is the highest of the first byte; bytes past the end count as zero. */
final class Bits {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Bits() {}

    /** The operations of {@code BITOP}. */
    enum Operation {
        AND,
        OR,
        XOR,
        NOT
    }

    /** What {@code BITFIELD} does with a result that does not fit. */
    enum Overflow {
        WRAP,
        SAT,
        FAIL
    }

    static int get(byte[] data, int length, long bit) {
        long index = bit >>> 3;
        return index < length ? (data[(int) index] >>> (7 - (bit & 7))) & 1 : 0;
    }

    static void set(byte[] data, long bit, int value) {
        int index = (int) (bit >>> 3);
        int mask = 1 << (7 - (bit & 7));
        data[index] = (byte) (value == 0 ? data[index] & ~mask : data[index] | mask);
    }

    /**
     * Counts the ones from one bit to another.
     *
     * @param from first bit counted
     * @param to last bit counted, inside the data
     */
    static long count(byte[] data, long from, long to) {
        long count = 0;
        long bit = from;
        for (; bit <= to && (bit & 7) != 0; bit++) {
            count += get(data, data.length, bit);
        }
        for (; bit + 63 <= to; bit += 64) {
            count += Long.bitCount((long) WORD.get(data, (int) (bit >>> 3)));
        }
        for (; bit + 7 <= to; bit += 8) {
            count += Integer.bitCount(data[(int) (bit >>> 3)] & 0xff);
        }
        for (; bit <= to; bit++) {
            count += get(data, data.length, bit);
        }
        return count;
    }

    /**
     * Finds the first bit of a value.
     *
     * @param from first bit looked at
     * @param to last bit looked at, inside the data
     * @return its position, or -1
     */
    static long find(byte[] data, long from, long to, int value) {
        long skipped = value == 0 ? -1 : 0;
        long bit = from;
        for (; bit <= to && (bit & 63) != 0; bit++) {
            if (get(data, data.length, bit) == value) {
                return bit;
            }
        }
        while (bit + 63 <= to && (long) WORD.get(data, (int) (bit >>> 3)) == skipped) {
            bit += 64;
        }
        for (; bit <= to; bit++) {
            if (get(data, data.length, bit) == value) {
                return bit;
            }
        }
        return -1;
    }

    /**
     * Combines byte strings, shorter ones filled up with zeros.
     *
     * @param sources null for a missing one; exactly one for {@link Operation#NOT}
     * @return the result, as long as the longest source
     */
    static byte[] combine(Operation operation, byte[][] sources) {
        int length = 0;
        for (byte[] source : sources) {
            length = source == null ? length : Math.max(length, source.length);
        }
        byte[] result = new byte[length];
        byte[] first = sources[0];
        if (first != null) {
            System.arraycopy(first, 0, result, 0, first.length);
        }
        if (operation == Operation.NOT) {
            for (int i = 0; i < length; i++) {
                result[i] = (byte) ~result[i];
            }
        }
        for (int i = 1; i < sources.length; i++) {
            combine(operation, result, sources[i]);
        }
        return result;
    }

    private static void combine(Operation operation, byte[] result, byte[] source) {
        int length = source == null ? 0 : source.length;
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            WORD.set(result, i, combine(operation, (long) WORD.get(result, i), (long) WORD.get(source, i)));
        }
        for (; i < length; i++) {
            result[i] = (byte) combine(operation, result[i], source[i]);
        }
        if (operation == Operation.AND) {
            Arrays.fill(result, length, result.length, (byte) 0);
        }
    }

    private static long combine(Operation operation, long left, long right) {
        return switch (operation) {
            case AND -> left & right;
            case OR -> left | right;
            case XOR -> left ^ right;
            case NOT -> left;
        };
    }

    /** Reads a field of 1 to 64 bits as an unsigned number (64 bits come back as they are). */
    static long field(byte[] data, int length, long offset, int bits) {
        long value = 0;
        for (int i = 0; i < bits; i++) {
            value = value << 1 | get(data, length, offset + i);
        }
        return value;
    }

    /** Reads a field as a signed number. */
    static long signedField(byte[] data, int length, long offset, int bits) {
        int unused = 64 - bits;
        return field(data, length, offset, bits) << unused >> unused;
    }

    /** Writes the low bits of a number into a field that lies inside the data. */
    static void setField(byte[] data, long offset, int bits, long value) {
        for (int i = 0; i < bits; i++) {
            set(data, offset + i, (int) (value >>> (bits - 1 - i)) & 1);
        }
    }

    /** Says whether a signed sum leaves the range of a field: below 0, above 0, or 0 when it fits. */
    static int signedOverflow(long value, long increment, int bits) {
        long max = bits == 64 ? Long.MAX_VALUE : (1L << (bits - 1)) - 1;
        long min = -max - 1;
        if (value > max || (increment > 0 && value > max - increment)) {
            return 1;
        }
        if (value < min || (increment < 0 && value < min - increment)) {
            return -1;
        }
        return 0;
    }

    /** Says whether an unsigned sum leaves the range of a field of at most 63 bits. */
    static int unsignedOverflow(long value, long increment, int bits) {
        long max = (1L << bits) - 1;
        if (Long.compareUnsigned(value, max) > 0 || (increment > 0 && value > max - increment)) {
            return 1;
        }
        return increment < 0 && value + increment < 0 ? -1 : 0;
    }

    /** The value a saturated field takes. */
    static long limit(boolean signed, int bits, int side) {
        if (!signed) {
            return side > 0 ? (1L << bits) - 1 : 0;
        }
        long max = bits == 64 ? Long.MAX_VALUE : (1L << (bits - 1)) - 1;
        return side > 0 ? max : -max - 1;
    }
}
