// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;

/**
 * Splits an inline request into words. Words with quotes are written out in scratch memory, because what they mean is
 * not what they look like; a line without quotes is used where it lies.
 */
final class InlineSplitter {
    private final NativeBuffer scratch = new NativeBuffer();
    private boolean quoted;

    /** Splits a line without its line end; false when quotes are unbalanced or a closing one is glued to more text. */
    boolean split(final long line, final int length, final CommandDecoder target) {
        quoted = Memory.indexOf(line, length, (byte) '"') >= 0 || Memory.indexOf(line, length, (byte) '\'') >= 0;
        if (quoted) {
            scratch.clear();
            scratch.ensure(length);
        }
        int at = 0;
        while (true) {
            while (at < length && isSpace(Memory.getByte(line + at))) {
                at++;
            }
            if (at == length) {
                return true;
            }
            at = quoted ? quotedWord(line, at, length, target) : plainWord(line, at, length, target);
            if (at < 0) {
                return false;
            }
        }
    }

    /** Whether the words lie in this object's memory, from {@link #address} on. */
    boolean holdsArguments() {
        return quoted;
    }

    long address() {
        return scratch.address();
    }

    void clear() {
        quoted = false;
        // Quoted lines are typed by people: nothing is kept for them, least of all a password.
        if (scratch.capacity() > 0) {
            Memory.fill(scratch.address(), scratch.length(), (byte) 0);
            scratch.free();
        }
    }

    private static int plainWord(final long line, final int from, final int length, final CommandDecoder target) {
        int at = from;
        while (at < length && !endsWord(Memory.getByte(line + at))) {
            at++;
        }
        target.record(from, at - from);
        return at;
    }

    private int quotedWord(final long line, final int from, final int length, final CommandDecoder target) {
        final long wordStart = scratch.length();
        int at = from;
        while (at < length && at >= 0) {
            final byte value = Memory.getByte(line + at);
            if (endsWord(value)) {
                break;
            }
            at++;
            if (value == '"') {
                at = endOfQuote(line, inDoubleQuotes(line, at, length), length);
                break;
            }
            if (value == '\'') {
                at = endOfQuote(line, inSingleQuotes(line, at, length), length);
                break;
            }
            scratch.appendByte(value);
        }
        target.record(wordStart, (int) (scratch.length() - wordStart));
        return at;
    }

    /** A closing quote ends the word, so a blank or nothing must follow it. */
    private static int endOfQuote(final long line, final int at, final int length) {
        return at < 0 || at == length || isSpace(Memory.getByte(line + at)) ? at : -1;
    }

    private int inDoubleQuotes(final long line, final int from, final int length) {
        int at = from;
        while (at < length) {
            final byte value = Memory.getByte(line + at);
            at++;
            if (value == '"') {
                return at;
            }
            if (value != '\\' || at == length) {
                scratch.appendByte(value);
                continue;
            }
            final byte escaped = Memory.getByte(line + at);
            if (escaped == 'x' && at + 2 < length && hex(line, at + 1) >= 0 && hex(line, at + 2) >= 0) {
                scratch.appendByte((byte) (hex(line, at + 1) << 4 | hex(line, at + 2)));
                at += 3;
            } else {
                scratch.appendByte(unescaped(escaped));
                at++;
            }
        }
        return -1;
    }

    private int inSingleQuotes(final long line, final int from, final int length) {
        int at = from;
        while (at < length) {
            final byte value = Memory.getByte(line + at);
            at++;
            if (value == '\'') {
                return at;
            }
            if (value == '\\' && at < length && Memory.getByte(line + at) == '\'') {
                scratch.appendByte((byte) '\'');
                at++;
            } else {
                scratch.appendByte(value);
            }
        }
        return -1;
    }

    private static byte unescaped(final byte letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> letter;
        };
    }

    private static int hex(final long line, final int at) {
        return Character.digit(Memory.getByte(line + at), 16);
    }

    private static boolean isSpace(final byte value) {
        return value == ' ' || (value >= '\t' && value <= '\r');
    }

    private static boolean endsWord(final byte value) {
        return value == ' ' || value == '\t' || value == '\r' || value == '\n';
    }
}
