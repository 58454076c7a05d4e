// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

/**
 * Floating-point numbers as RESP clients know them from Redis 7.2: the shortest digits that give the same number back,
 * integers without a point, an exponent only when the plain form would be long. Allocates. Safe for any thread.
 */
public final class Real {
    /** Integers up to this are printed as integers. */
    private static final double SAFE_INTEGER = 0x1p62;

    /** The longest text that is looked at, as in Redis. */
    private static final int LONGEST_TEXT = 5 * 1024;

    private Real() {}

    /**
     * The text of a number.
     *
     * @param value any value
     * @return for example {@code 3}, {@code 0.1}, {@code 1e+25}, {@code inf}, {@code -inf}, {@code nan}
     */
    public static String text(final double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        if (Math.abs(value) <= SAFE_INTEGER && value == (long) value) {
            return Long.toString((long) value);
        }
        // The two numbers for which Java prints two digits where one says the same.
        if (Math.abs(value) <= 2 * Double.MIN_VALUE) {
            return (value < 0 ? "-" : "") + (Math.abs(value) == Double.MIN_VALUE ? "5e-324" : "1e-323");
        }
        // Java's shortest digits, taken apart: d.ddd or d.dddE-nn.
        final String java = Double.toString(Math.abs(value));
        final int e = java.indexOf('E');
        final String mantissa = e < 0 ? java : java.substring(0, e);
        final int point = mantissa.indexOf('.');
        final String all = mantissa.substring(0, point) + mantissa.substring(point + 1);
        int first = 0;
        while (all.charAt(first) == '0') {
            first++;
        }
        int last = all.length();
        while (all.charAt(last - 1) == '0') {
            last--;
        }
        final int exponentAsWritten = e < 0 ? 0 : Integer.parseInt(java.substring(e + 1));
        // The value is 0.DIGITS times ten to the power of `magnitude`.
        final int magnitude = point - first + exponentAsWritten;
        return (value < 0 ? "-" : "") + arrange(all.substring(first, last), magnitude);
    }

    private static String arrange(final String digits, final int magnitude) {
        final int count = digits.length();
        // The power of ten of the last digit, and the distance of the first from the point.
        final int power = magnitude - count;
        final int exponent = Math.abs(magnitude - 1);
        if (power >= 0 && exponent < count + 7) {
            return digits + "0".repeat(power);
        }
        if (power < 0 && (power > -7 || exponent < 4)) {
            return magnitude <= 0
                    ? "0." + "0".repeat(-magnitude) + digits
                    : digits.substring(0, magnitude) + "." + digits.substring(magnitude);
        }
        final String fraction = count > 1 ? "." + digits.substring(1) : "";
        return digits.charAt(0) + fraction + (magnitude - 1 < 0 ? "e-" : "e+") + exponent;
    }

    /**
     * Reads a number the way commands accept one: decimal or hexadecimal, {@code inf} and {@code infinity} in any
     * case, no blanks, nothing that is too large or too near to zero for a number.
     *
     * @param address first byte
     * @param length  bytes, 0 or more
     * @return the number, or not-a-number when the bytes are none
     */
    public static double parse(final long address, final int length) {
        if (length < 1 || length > LONGEST_TEXT) {
            return Double.NaN;
        }
        return parse(Ascii.text(address, length));
    }

    /**
     * Reads a number from text, by the same rules.
     *
     * @param text any characters
     * @return the number, or not-a-number when the text is none
     */
    public static double parse(final String text) {
        if (text.isEmpty() || text.length() > LONGEST_TEXT) {
            return Double.NaN;
        }
        final boolean signed = text.charAt(0) == '-' || text.charAt(0) == '+';
        final String bare = signed ? text.substring(1) : text;
        final double sign = text.charAt(0) == '-' ? -1 : 1;
        if (bare.equalsIgnoreCase("inf") || bare.equalsIgnoreCase("infinity")) {
            return sign * Double.POSITIVE_INFINITY;
        }
        if (!looksNumeric(bare)) {
            return Double.NaN;
        }
        try {
            final boolean hexWithoutExponent = isHex(bare) && bare.indexOf('p') < 0 && bare.indexOf('P') < 0;
            final double value = sign * Double.parseDouble(hexWithoutExponent ? bare + "p0" : bare);
            return Double.isInfinite(value) || (value == 0 && hasDigitBesidesZero(bare)) ? Double.NaN : value;
        } catch (final NumberFormatException notANumber) {
            return Double.NaN;
        }
    }

    /** Tells a zero from a number that was too small to be anything else. */
    private static boolean hasDigitBesidesZero(final String text) {
        final boolean hex = isHex(text);
        for (int i = hex ? 2 : 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E') {
                return false;
            }
            if (c != '0' && c != '.') {
                return true;
            }
        }
        return false;
    }

    private static boolean isHex(final String text) {
        return text.startsWith("0x") || text.startsWith("0X");
    }

    /** Keeps out what only Java reads as a number: blanks, NaN, a type letter at the end, a second sign. */
    private static boolean looksNumeric(final String text) {
        if (text.isEmpty() || text.charAt(0) == '+' || text.charAt(0) == '-') {
            return false;
        }
        final boolean hex = isHex(text);
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            final boolean common = (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-';
            final boolean letter = hex ? "abcdefABCDEFxXpP".indexOf(c) >= 0 : c == 'e' || c == 'E';
            if (!common && !letter) {
                return false;
            }
        }
        return true;
    }
}
