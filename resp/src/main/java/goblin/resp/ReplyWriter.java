// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;

/**
 * Writes replies at the end of a {@link NativeBuffer}, in RESP2 or RESP3; types that RESP2 lacks take the form Redis
 * gives them there. The buffer stays the caller's. One thread; allocates nothing except where a method says so.
 */
public final class ReplyWriter {
    private static final byte[] OK = bytes("+OK\r\n");
    private static final byte[] LINE_END = bytes("\r\n");
    private static final byte[] NULL_BULK = bytes("$-1\r\n");
    private static final byte[] NULL_ARRAY = bytes("*-1\r\n");
    private static final byte[] NULL = bytes("_\r\n");
    private static final byte[] TRUE = bytes("#t\r\n");
    private static final byte[] FALSE = bytes("#f\r\n");

    /** Small integers, aggregates and bulk headers are sent all the time: written ready-made. */
    private static final int READY = 32;

    private static final byte[][] INTEGERS = ready(':');
    private static final byte[][] BULKS = ready('$');
    private static final byte[][] ARRAYS = ready('*');

    private NativeBuffer out;
    private int protocol = 2;

    /** Makes a writer for RESP2 without a buffer. */
    public ReplyWriter() {}

    /**
     * Writes to a buffer from now on.
     *
     * @param buffer where replies are appended; still the caller's to free
     * @return this
     */
    public ReplyWriter wrap(final NativeBuffer buffer) {
        out = buffer;
        return this;
    }

    /**
     * The buffer that is written to.
     *
     * @return what {@link #wrap} was given, or null
     */
    public NativeBuffer buffer() {
        return out;
    }

    /**
     * Chooses the protocol.
     *
     * @param version 2 or 3
     * @return this
     */
    public ReplyWriter protocol(final int version) {
        if (version != 2 && version != 3) {
            throw new IllegalArgumentException("there is no RESP" + version);
        }
        protocol = version;
        return this;
    }

    /**
     * The protocol now written.
     *
     * @return 2 or 3
     */
    public int protocol() {
        return protocol;
    }

    /** Writes {@code +OK}. */
    public void ok() {
        out.append(OK);
    }

    /**
     * Writes a simple string.
     *
     * @param text one line; control characters become spaces
     */
    public void simple(final String text) {
        line((byte) '+', text);
    }

    /**
     * Writes a simple string.
     *
     * @param address first byte; control bytes become spaces
     * @param length  bytes, 0 or more
     */
    public void simple(final long address, final long length) {
        line((byte) '+', address, length);
    }

    /**
     * Writes an error. Text that came from a user can do no harm: a control character becomes a space.
     *
     * @param text the code and the message, for example {@code ERR syntax error}; one byte for each character
     */
    public void error(final String text) {
        line((byte) '-', text);
    }

    /**
     * Writes an error; see {@link #error(String)}.
     *
     * @param code    for example {@code ERR}
     * @param message what follows the code
     */
    public void error(final String code, final String message) {
        out.appendByte((byte) '-');
        harmless(code);
        out.appendByte((byte) ' ');
        harmless(message);
        out.append(LINE_END);
    }

    /**
     * Writes an error; see {@link #error(String)}.
     *
     * @param address first byte of the code and the message
     * @param length  bytes, 0 or more
     */
    public void error(final long address, final long length) {
        line((byte) '-', address, length);
    }

    /**
     * Writes an integer.
     *
     * @param value any value
     */
    public void integer(final long value) {
        header((byte) ':', INTEGERS, value);
    }

    /**
     * Writes a bulk string.
     *
     * @param address first byte
     * @param length  bytes, 0 or more
     */
    public void bulk(final long address, final long length) {
        bulkHeader(length);
        out.append(address, length);
        out.append(LINE_END);
    }

    /**
     * Writes a bulk string.
     *
     * @param bytes its bytes
     */
    public void bulk(final byte[] bytes) {
        bulkHeader(bytes.length);
        out.append(bytes);
        out.append(LINE_END);
    }

    /**
     * Writes a bulk string.
     *
     * @param text ASCII
     */
    public void bulkAscii(final String text) {
        bulkHeader(text.length());
        out.appendAscii(text);
        out.append(LINE_END);
    }

    /**
     * Writes a bulk string of decimal digits.
     *
     * @param value any value
     */
    public void bulkDecimal(final long value) {
        bulkHeader(Decimal.textLength(value));
        out.appendDecimal(value);
        out.append(LINE_END);
    }

    /**
     * Writes what comes before a bulk string's bytes; the caller sees to the bytes and {@link #bulkEnd}.
     *
     * @param length the bytes that will follow
     */
    public void bulkHeader(final long length) {
        header((byte) '$', BULKS, length);
    }

    /** Writes what comes after a bulk string's bytes. */
    public void bulkEnd() {
        out.append(LINE_END);
    }

    /** Writes the null of a missing value. */
    public void nullBulk() {
        out.append(protocol == 3 ? NULL : NULL_BULK);
    }

    /** Writes the null of a missing array. */
    public void nullArray() {
        out.append(protocol == 3 ? NULL : NULL_ARRAY);
    }

    /**
     * Begins an array.
     *
     * @param elements how many values follow
     */
    public void array(final long elements) {
        header((byte) '*', ARRAYS, elements);
    }

    /**
     * Begins a map; in RESP2 an array.
     *
     * @param pairs how many keys follow, each with its value
     */
    public void map(final long pairs) {
        aggregate((byte) '%', pairs, pairs * 2);
    }

    /**
     * Begins a set; in RESP2 an array.
     *
     * @param elements how many values follow
     */
    public void set(final long elements) {
        aggregate((byte) '~', elements, elements);
    }

    /**
     * Begins a push; in RESP2 an array.
     *
     * @param elements how many values follow
     */
    public void push(final long elements) {
        aggregate((byte) '>', elements, elements);
    }

    /**
     * Begins an attribute of the value after it.
     *
     * @param pairs how many keys follow, each with its value
     * @throws IllegalStateException in RESP2, which has nothing like it
     */
    public void attribute(final long pairs) {
        if (protocol != 3) {
            throw new IllegalStateException("RESP2 has no attributes");
        }
        aggregate((byte) '|', pairs, 0);
    }

    /**
     * Writes a truth value; in RESP2 the integer 1 or 0.
     *
     * @param value any
     */
    public void bool(final boolean value) {
        if (protocol == 3) {
            out.append(value ? TRUE : FALSE);
        } else {
            integer(value ? 1 : 0);
        }
    }

    /**
     * Writes a floating-point number; in RESP2 a bulk string. Allocates.
     *
     * @param value any
     */
    public void real(final double value) {
        ownOrBulk((byte) ',', Real.text(value));
    }

    /**
     * Writes an integer of any size; in RESP2 a bulk string.
     *
     * @param digits an optional minus sign and digits
     */
    public void bigNumber(final String digits) {
        ownOrBulk((byte) '(', digits);
    }

    /**
     * Writes text with a format; in RESP2 a bulk string of the text alone.
     *
     * @param format exactly three ASCII characters, for example {@code txt}
     * @param text   its bytes
     */
    public void verbatim(final String format, final byte[] text) {
        if (format.length() != 3) {
            throw new IllegalArgumentException("a format has three characters: " + format);
        }
        if (protocol != 3) {
            bulk(text);
            return;
        }
        out.appendByte((byte) '=');
        out.appendDecimal(text.length + 4L);
        out.append(LINE_END);
        out.appendAscii(format);
        out.appendByte((byte) ':');
        out.append(text);
        out.append(LINE_END);
    }

    private void ownOrBulk(final byte type, final String text) {
        if (protocol == 3) {
            line(type, text);
        } else {
            bulkAscii(text);
        }
    }

    private void aggregate(final byte type, final long count, final long inResp2) {
        if (protocol == 3) {
            out.appendByte(type);
            out.appendDecimal(count);
            out.append(LINE_END);
        } else {
            array(inResp2);
        }
    }

    private void header(final byte type, final byte[][] ready, final long value) {
        if (value >= 0 && value < READY) {
            out.append(ready[(int) value]);
            return;
        }
        out.appendByte(type);
        out.appendDecimal(value);
        out.append(LINE_END);
    }

    private void line(final byte type, final String text) {
        out.appendByte(type);
        harmless(text);
        out.append(LINE_END);
    }

    private void line(final byte type, final long address, final long length) {
        out.appendByte(type);
        final long to = out.ensure(length);
        for (long i = 0; i < length; i++) {
            Memory.putByte(to + i, harmless(Memory.getByte(address + i) & 0xFF));
        }
        out.extend(length);
        out.append(LINE_END);
    }

    private void harmless(final String text) {
        final int length = text.length();
        final long to = out.ensure(length);
        for (int i = 0; i < length; i++) {
            Memory.putByte(to + i, harmless(text.charAt(i)));
        }
        out.extend(length);
    }

    private static byte harmless(final int character) {
        if (character < 0x20 || character == 0x7F) {
            return ' ';
        }
        return character > 0xFF ? (byte) '?' : (byte) character;
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static byte[][] ready(final char type) {
        final byte[][] lines = new byte[READY][];
        for (int i = 0; i < READY; i++) {
            lines[i] = bytes(type + Integer.toString(i) + "\r\n");
        }
        return lines;
    }
}
