// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import goblin.net.linux.Memory;

/**
 * Strict decimal integers in native memory, as RESP and the commands want them: an optional minus sign, no plus sign,
 * no leading zero, no blanks, no {@code -0}, in the range of a {@code long}. Nothing allocates. Safe for any thread.
 */
public final class Decimal {
    /** The longest legal text: a sign and 19 digits. */
    private static final int LONGEST = 20;

    private static final long LAST_TENTH = Long.MIN_VALUE / 10;

    private Decimal() {}

    /**
     * Tells whether bytes are an integer by these rules.
     *
     * @param address first byte
     * @param length  bytes, 0 or more
     * @return whether {@link #toLong} may be asked
     */
    public static boolean isLong(final long address, final long length) {
        if (length < 1 || length > LONGEST) {
            return false;
        }
        final boolean negative = Memory.getByte(address) == '-';
        final long start = negative ? 1 : 0;
        if (length == start) {
            return false;
        }
        if (Memory.getByte(address + start) == '0') {
            return length == 1;
        }
        // Counted below zero, where the range has one number more.
        long value = 0;
        for (long i = start; i < length; i++) {
            final int digit = Memory.getByte(address + i) - '0';
            if (digit < 0 || digit > 9 || value < LAST_TENTH) {
                return false;
            }
            value *= 10;
            if (value < Long.MIN_VALUE + digit) {
                return false;
            }
            value -= digit;
        }
        return negative || value != Long.MIN_VALUE;
    }

    /**
     * The integer's value.
     *
     * @param address first byte of a text that {@link #isLong} accepts
     * @param length  its bytes
     * @return the value; anything when the text is not an integer
     */
    public static long toLong(final long address, final long length) {
        final boolean negative = Memory.getByte(address) == '-';
        long value = 0;
        for (long i = negative ? 1 : 0; i < length; i++) {
            value = value * 10 - (Memory.getByte(address + i) - '0');
        }
        return negative ? value : -value;
    }

    /**
     * The length of a number's decimal text.
     *
     * @param value any value
     * @return 1 to 20
     */
    public static int textLength(final long value) {
        int length = value < 0 ? 2 : 1;
        // Below zero again, for the sake of the smallest value.
        for (long rest = (value < 0 ? value : -value) / 10; rest != 0; rest /= 10) {
            length++;
        }
        return length;
    }
}
