// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.linux.Memory;
import goblin.resp.Real;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Reads and writes floating point numbers with the rules of C's {@code strtod} as Redis applies them. */
final class Numbers {
    private static final int FRACTION_DIGITS = 17;

    private Numbers() {}

    /**
     * Reads a score or float. Short integers, the usual scores, are read without allocation.
     *
     * @param address first byte
     * @param length bytes
     * @return the number, or NaN when the bytes are no number, are NaN, or are out of range
     */
    static double parseDouble(long address, int length) {
        if (length == 0) {
            return Double.NaN;
        }
        int start = Memory.getByte(address) == '-' ? 1 : 0;
        if (length - start >= 1 && length - start <= 15) {
            long value = 0;
            int i = start;
            for (; i < length; i++) {
                int digit = Memory.getByte(address + i) - '0';
                if (digit < 0 || digit > 9) {
                    break;
                }
                value = value * 10 + digit;
            }
            if (i == length) {
                return start == 1 ? -(double) value : value;
            }
        }
        return Real.parse(address, length);
    }

    /**
     * Adds two decimal numbers and writes the sum without an exponent, at most 17 digits after the point.
     *
     * @param left a number {@link Real#parse} accepts, finite
     * @param right likewise
     * @return the sum's text
     */
    static String add(String left, String right) {
        BigDecimal sum = exact(left).add(exact(right)).setScale(FRACTION_DIGITS, RoundingMode.HALF_EVEN);
        return sum.signum() == 0 ? "0" : sum.stripTrailingZeros().toPlainString();
    }

    private static BigDecimal exact(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException _) {
            return new BigDecimal(Real.parse(text));
        }
    }

    /**
     * Reads a short natural number.
     *
     * @param address first byte
     * @param length bytes
     * @return the number, or -1 when the bytes are none or it has more than 10 digits
     */
    static long parseSmall(long address, int length) {
        if (length < 1 || length > 10) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < length; i++) {
            int digit = Memory.getByte(address + i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /**
     * Reads a whole number that is stored as text.
     *
     * @param text its bytes
     * @param refusal the error when they are no such number
     * @return the number
     */
    static long parseLong(byte[] text, String refusal) {
        try {
            String decimal = new String(text, ISO_8859_1);
            long value = Long.parseLong(decimal);
            // Java also takes plus signs, leading zeros and digits of other scripts.
            if (Long.toString(value).equals(decimal)) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Answered below, as other text that is no number.
        }
        throw new Refusal(refusal);
    }
}
