// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import java.util.Locale;

/** Reads JSON from a Lua string onto Lua's stack, with the complaints of the {@code cjson} module. */
final class JsonReader {
    private static final int END = -1;
    private static final int LONGEST_NUMBER = 400;

    private final NativeBuffer unescaped = new NativeBuffer();
    private final LuaText text;
    private final LuaWork work;

    private long start;
    private long at;
    private long end;
    private int deepest;
    private boolean lenientNumbers;

    JsonReader(final LuaText text, final LuaWork work) {
        this.text = text;
        this.work = work;
    }

    /** Pushes the value that the string at index 1 says. */
    void decode(final long lua, final int depth, final boolean lenient) throws ScriptError {
        deepest = depth;
        lenientNumbers = lenient;
        start = text.address(lua, 1);
        at = start;
        end = start + text.length();
        if (end - start >= 2 && (Memory.getByte(start) == 0 || Memory.getByte(start + 1) == 0)) {
            throw new ScriptError("JSON parser does not support UTF-16 or UTF-32");
        }
        try {
            value(lua, 0);
        } finally {
            unescaped.free();
        }
        if (peek() != END) {
            throw expected("the end");
        }
    }

    /** Steps over blanks and looks at the next byte. */
    private int peek() {
        while (at < end) {
            final byte octet = Memory.getByte(at);
            if (octet != ' ' && octet != '\t' && octet != '\n' && octet != '\r') {
                return octet & 0xFF;
            }
            at++;
        }
        return END;
    }

    private void value(final long lua, final int depth) throws ScriptError {
        work.step(lua);
        switch (peek()) {
            case '"' -> string(lua);
            case '{' -> object(lua, depth + 1);
            case '[' -> array(lua, depth + 1);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(lua);
            case 't' -> word(lua, "true");
            case 'f' -> word(lua, "false");
            case 'n', 'N', 'i', 'I' -> word(lua, "null");
            default -> throw expected("value");
        }
    }

    private void word(final long lua, final String word) throws ScriptError {
        if (follows(word)) {
            at += word.length();
            switch (word) {
                case "true" -> Lua.pushBoolean(lua, 1);
                case "false" -> Lua.pushBoolean(lua, 0);
                default -> Lua.pushLight(lua, 0);
            }
        } else if (!lenientNumbers || !oddNumber(lua, at)) {
            throw expected("value");
        }
    }

    private boolean follows(final String word) {
        if (end - at < word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (Memory.getByte(at + i) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Numbers that JSON does not know: infinity, not a number, hexadecimal. */
    private boolean oddNumber(final long lua, final long begin) {
        final boolean negative = begin < end && Memory.getByte(begin) == '-';
        final long digits = negative ? begin + 1 : begin;
        final int length = (int) Math.min(end - digits, LONGEST_NUMBER);
        final String rest = new String(Memory.toBytes(digits, length), ISO_8859_1).toLowerCase(Locale.ROOT);
        final double value;
        if (rest.startsWith("infinity")) {
            value = Double.POSITIVE_INFINITY;
            at = digits + "infinity".length();
        } else if (rest.startsWith("inf")) {
            value = Double.POSITIVE_INFINITY;
            at = digits + "inf".length();
        } else if (rest.startsWith("nan")) {
            value = Double.NaN;
            at = digits + "nan".length();
        } else if (rest.startsWith("0x")) {
            int i = 2;
            double sum = 0;
            while (i < rest.length() && Character.digit(rest.charAt(i), 16) >= 0) {
                sum = sum * 16 + Character.digit(rest.charAt(i++), 16);
            }
            if (i == 2) {
                return false;
            }
            value = sum;
            at = digits + i;
        } else {
            return false;
        }
        Lua.pushNumber(lua, negative ? -value : value);
        return true;
    }

    private void number(final long lua) throws ScriptError {
        final long firstDigit = at + (Memory.getByte(at) == '-' ? 1 : 0);
        long stop = firstDigit;
        if (lenientNumbers && mayBeOdd(firstDigit) && oddNumber(lua, at)) {
            return;
        }
        stop = digits(stop);
        long good = stop;
        if (good == firstDigit) {
            throw expectedButFound("value", "invalid number", at);
        }
        if (!lenientNumbers && good - firstDigit > 1 && Memory.getByte(firstDigit) == '0') {
            throw expectedButFound("value", "invalid number", at);
        }
        if (stop < end && Memory.getByte(stop) == '.') {
            stop = digits(stop + 1);
            good = stop;
        }
        if (stop < end && (Memory.getByte(stop) | 0x20) == 'e') {
            long exponent = stop + 1;
            if (exponent < end && (Memory.getByte(exponent) == '+' || Memory.getByte(exponent) == '-')) {
                exponent++;
            }
            stop = digits(exponent);
            good = stop > exponent ? stop : good;
        }
        final String digits = new String(Memory.toBytes(at, (int) (good - at)), ISO_8859_1);
        at = good;
        Lua.pushNumber(lua, Double.parseDouble(digits));
    }

    private boolean mayBeOdd(final long firstDigit) {
        if (firstDigit >= end) {
            return false;
        }
        final int first = Memory.getByte(firstDigit) | 0x20;
        return first == 'i'
                || first == 'n'
                || (first == '0' && firstDigit + 1 < end && (Memory.getByte(firstDigit + 1) | 0x20) == 'x');
    }

    private long digits(final long from) {
        long stop = from;
        while (stop < end && Memory.getByte(stop) >= '0' && Memory.getByte(stop) <= '9') {
            stop++;
        }
        return stop;
    }

    private void string(final long lua) throws ScriptError {
        at++;
        final long first = at;
        while (at < end && Memory.getByte(at) != '"' && Memory.getByte(at) != '\\' && Memory.getByte(at) != 0) {
            at++;
        }
        if (at < end && Memory.getByte(at) == '"') {
            Lua.pushString(lua, first, at - first);
            at++;
            return;
        }
        unescaped.clear();
        unescaped.append(first, at - first);
        while (true) {
            final int octet = at < end ? Memory.getByte(at) : 0;
            if (octet == 0) {
                throw expectedButFound("value", "unexpected end of string", at);
            }
            at++;
            if (octet == '"') {
                break;
            }
            if (octet == '\\') {
                escape();
            } else {
                unescaped.appendByte((byte) octet);
            }
        }
        Lua.pushString(lua, unescaped.address(), unescaped.length());
    }

    private void escape() throws ScriptError {
        final int letter = at < end ? Memory.getByte(at) : 0;
        switch (letter) {
            case '"', '\\', '/' -> unescaped.appendByte((byte) letter);
            case 'b' -> unescaped.appendByte((byte) '\b');
            case 'f' -> unescaped.appendByte((byte) '\f');
            case 'n' -> unescaped.appendByte((byte) '\n');
            case 'r' -> unescaped.appendByte((byte) '\r');
            case 't' -> unescaped.appendByte((byte) '\t');
            case 'u' -> {
                unicode();
                return;
            }
            default -> throw expectedButFound("value", "invalid escape code", at - 1);
        }
        at++;
    }

    /** {@code at} is on the letter u; a high surrogate must be followed by a low one. */
    private void unicode() throws ScriptError {
        int point = unit(at + 1);
        int units = 1;
        if (point >= 0xD800 && point < 0xDC00) {
            final boolean another = end - at > 6 && Memory.getByte(at + 5) == '\\' && Memory.getByte(at + 6) == 'u';
            final int low = another ? unit(at + 7) : -1;
            if (low < 0xDC00 || low > 0xDFFF) {
                throw expectedButFound("value", "invalid unicode escape code", at - 1);
            }
            point = Character.toCodePoint((char) point, (char) low);
            units = 2;
        } else if (point < 0 || (point >= 0xDC00 && point <= 0xDFFF)) {
            throw expectedButFound("value", "invalid unicode escape code", at - 1);
        }
        unescaped.append(new String(Character.toChars(point)).getBytes(UTF_8));
        at += units == 2 ? 11 : 5;
    }

    private int unit(final long from) {
        if (end - from < 4) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < 4; i++) {
            final int digit = Character.digit(Memory.getByte(from + i), 16);
            if (digit < 0) {
                return -1;
            }
            value = (value << 4) | digit;
        }
        return value;
    }

    private void enter(final long lua, final int depth) throws ScriptError {
        if (depth > deepest || Lua.checkStack(lua, 4) == 0) {
            throw new ScriptError("Found too many nested data structures (" + depth + ")");
        }
        at++;
    }

    private void object(final long lua, final int depth) throws ScriptError {
        enter(lua, depth);
        Lua.createTable(lua, 0, 0);
        if (peek() == '}') {
            at++;
            return;
        }
        while (true) {
            if (peek() != '"') {
                throw expected("object key string");
            }
            string(lua);
            if (peek() != ':') {
                throw expected("colon");
            }
            at++;
            value(lua, depth);
            Lua.rawSet(lua, -3);
            final int next = peek();
            if (next != '}' && next != ',') {
                throw expected("comma or object end");
            }
            at++;
            if (next == '}') {
                return;
            }
        }
    }

    private void array(final long lua, final int depth) throws ScriptError {
        enter(lua, depth);
        Lua.createTable(lua, 0, 0);
        if (peek() == ']') {
            at++;
            return;
        }
        for (int i = 1; ; i++) {
            value(lua, depth);
            Lua.rawSetAt(lua, -2, i);
            final int next = peek();
            if (next != ']' && next != ',') {
                throw expected("comma or array end");
            }
            at++;
            if (next == ']') {
                return;
            }
        }
    }

    private ScriptError expected(final String what) {
        return expectedButFound(what, tokenName(), at);
    }

    private ScriptError expectedButFound(final String what, final String found, final long where) {
        return new ScriptError("Expected " + what + " but found " + found + " at character " + (where - start + 1));
    }

    private String tokenName() {
        return switch (peek()) {
            case END, 0 -> "T_END";
            case '{' -> "T_OBJ_BEGIN";
            case '}' -> "T_OBJ_END";
            case '[' -> "T_ARR_BEGIN";
            case ']' -> "T_ARR_END";
            case ',' -> "T_COMMA";
            case ':' -> "T_COLON";
            case '"' -> "T_STRING";
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> "T_NUMBER";
            case 't' -> follows("true") ? "T_BOOLEAN" : "invalid token";
            case 'f' -> follows("false") ? "T_BOOLEAN" : "invalid token";
            case 'n' -> follows("null") ? "T_NULL" : "invalid token";
            default -> "invalid token";
        };
    }
}
