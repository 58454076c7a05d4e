// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

/**
 * Reads a format of the {@code struct} library option by option: {@code > < ! } and blanks change how what follows is
 * laid out; {@code b h l i T} (and in capitals, unsigned) are integers, {@code f d} floating point, {@code c s}
 * strings, {@code x} a byte of padding.
 */
final class StructFormat {
    private static final int WIDEST_INTEGER = 32;
    private static final int NATURAL_ALIGNMENT = 8;

    private final String format;
    private int at;
    private char option;
    private int size;
    private boolean bigEndian;
    private int alignment = 1;

    StructFormat(final String format) {
        this.format = format;
    }

    /** Goes to the next option that stands for bytes; false at the end. */
    boolean next() throws ScriptError {
        while (at < format.length()) {
            option = format.charAt(at++);
            switch (option) {
                case ' ' -> {}
                case '<' -> bigEndian = false;
                case '>' -> bigEndian = true;
                case '!' -> align();
                default -> {
                    size = sizeOf();
                    return true;
                }
            }
        }
        return false;
    }

    char option() {
        return option;
    }

    /** Bytes of the option; 0 when they depend on the value. */
    int size() {
        return size;
    }

    boolean bigEndian() {
        return bigEndian;
    }

    boolean isInteger() {
        return "bBhHlLiIT".indexOf(option) >= 0;
    }

    boolean isSigned() {
        return Character.isLowerCase(option);
    }

    /** Bytes to leave out in front of the option when so many came before. */
    long padding(final long before) {
        if (size == 0 || option == 'c') {
            return 0;
        }
        final int unit = Math.min(size, alignment);
        return unit > 1 ? (unit - (before & (unit - 1))) & (unit - 1) : 0;
    }

    private void align() throws ScriptError {
        alignment = number(NATURAL_ALIGNMENT);
        if (alignment == 0 || Integer.bitCount(alignment) != 1) {
            throw new ScriptError("alignment is not a power of 2");
        }
    }

    private int sizeOf() throws ScriptError {
        return switch (option) {
            case 'b', 'B', 'x' -> 1;
            case 'h', 'H' -> 2;
            case 'f' -> 4;
            case 'l', 'L', 'T', 'd' -> 8;
            case 'i', 'I' -> integerSize();
            case 'c' -> number(1);
            case 's' -> 0;
            default -> throw new ScriptError("invalid format option '" + option + "'");
        };
    }

    private int integerSize() throws ScriptError {
        final int wanted = number(4);
        if (wanted > WIDEST_INTEGER) {
            throw new ScriptError("integral size " + wanted + " is larger than limit of " + WIDEST_INTEGER);
        }
        return wanted;
    }

    private int number(final int otherwise) throws ScriptError {
        final int start = at;
        long value = 0;
        while (at < format.length() && format.charAt(at) >= '0' && format.charAt(at) <= '9') {
            value = value * 10 + format.charAt(at++) - '0';
            if (value > Integer.MAX_VALUE) {
                throw new ScriptError("integral size overflow");
            }
        }
        return at == start ? otherwise : (int) value;
    }
}
