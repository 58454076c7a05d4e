// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import goblin.net.linux.Memory;

/**
 * Finds where replies end in a stream that comes in spans of any size; every type of RESP2 and RESP3, none of the
 * streamed ones. A span is looked at once, and the inside of a bulk string not at all.
 *
 * <p>Any nesting is followed with a fixed amount of state: what counts is how many values are still to come. Between
 * two top-level frames the scanner is as new. One thread; allocates nothing.
 */
public final class ReplyScanner {
    /** The span ended before the frame did; all of it belongs to the frame. */
    public static final int NEED_MORE = 0;

    /** A top-level frame ended inside the span, after {@link #consumed} bytes. */
    public static final int FRAME = 1;

    /** The bytes are no reply. Nothing more can be read from this connection. */
    public static final int MALFORMED = -1;

    /** The longest bulk string that is believed: 1 TiB. */
    public static final long MAX_BULK_BYTES = 1L << 40;

    private static final long MAX_ELEMENTS = 1L << 32;
    private static final long MAX_PENDING = 1L << 60;

    private static final int AT_TYPE = 0;
    private static final int IN_LINE = 1;
    private static final int AT_LINE_FEED = 2;
    private static final int AT_NUMBER = 3;
    private static final int IN_NUMBER = 4;
    private static final int AT_NUMBER_LINE_FEED = 5;
    private static final int IN_BULK = 6;
    private static final int AT_BULK_RETURN = 7;
    private static final int AT_BULK_LINE_FEED = 8;
    private static final int AT_MINUS = 9;
    private static final int FAILED = 10;

    private int state = AT_TYPE;
    private byte valueType;
    private byte frameType;
    // Values still to come before the frame ends; 0 between frames.
    private long pending;
    // The header's number, then the bulk's bytes that are still to come; -1 is null.
    private long number;
    private long consumed;

    /** Makes a scanner at the start of a frame. */
    public ReplyScanner() {}

    /**
     * Goes on with the next span of the stream. After {@link #FRAME}, call again with what is left of the span.
     *
     * @param address first byte that was not scanned yet
     * @param length  bytes, 0 or more
     * @return {@link #FRAME}, {@link #NEED_MORE} or {@link #MALFORMED}
     */
    public int scan(final long address, final long length) {
        long at = 0;
        if (pending == 0 && length > 0) {
            frameType = 0;
            pending = 1;
        }
        while (at < length) {
            switch (state) {
                case IN_LINE -> {
                    final long found = Memory.indexOf(address + at, length - at, (byte) '\r');
                    if (found < 0) {
                        at = length;
                    } else {
                        at += found + 1;
                        state = AT_LINE_FEED;
                    }
                }
                case IN_BULK -> {
                    final long skipped = Math.min(number, length - at);
                    number -= skipped;
                    at += skipped;
                    if (number == 0) {
                        state = AT_BULK_RETURN;
                    }
                }
                default -> {
                    if (!onByte(Memory.getByte(address + at))) {
                        state = FAILED;
                        return MALFORMED;
                    }
                    at++;
                    if (pending == 0) {
                        consumed = at;
                        return FRAME;
                    }
                }
            }
        }
        consumed = length;
        return NEED_MORE;
    }

    private boolean onByte(final byte value) {
        return switch (state) {
            case AT_TYPE -> onType(value);
            case AT_LINE_FEED, AT_BULK_LINE_FEED -> value == '\n' && valueDone();
            case AT_NUMBER -> onFirstOfNumber(value);
            case AT_MINUS -> onMinus(value);
            case IN_NUMBER -> onNumber(value);
            case AT_NUMBER_LINE_FEED -> value == '\n' && onHeader();
            case AT_BULK_RETURN -> to(value == '\r', AT_BULK_LINE_FEED);
            default -> false;
        };
    }

    private boolean onType(final byte type) {
        valueType = type;
        // While an attribute of the whole frame is read, the frame's own value is pending, too.
        if (pending == 1 && frameType == 0 && type != '|') {
            frameType = type;
        }
        return switch (type) {
            case '+', '-', ':', '#', ',', '(', '_' -> to(true, IN_LINE);
            case '$', '=', '!', '*', '~', '%', '>', '|' -> to(true, AT_NUMBER);
            default -> false;
        };
    }

    private boolean onFirstOfNumber(final byte value) {
        number = (long) value - '0';
        if (value == '-') {
            return to(valueType == '$' || valueType == '*', AT_MINUS);
        }
        return to(number >= 0 && number <= 9, IN_NUMBER);
    }

    private boolean onMinus(final byte value) {
        number = -1;
        return to(value == '1', IN_NUMBER);
    }

    private boolean onNumber(final byte value) {
        if (value == '\r') {
            return to(true, AT_NUMBER_LINE_FEED);
        }
        final int digit = value - '0';
        // A zero or a minus one is complete: nothing may follow, so that a number has one form only.
        if (digit < 0 || digit > 9 || number <= 0) {
            return false;
        }
        number = number * 10 + digit;
        return number <= MAX_BULK_BYTES;
    }

    private boolean onHeader() {
        switch (valueType) {
            case '$', '=', '!' -> {
                if (number < 0) {
                    return valueDone();
                }
                return to(true, number == 0 ? AT_BULK_RETURN : IN_BULK);
            }
            case '|' -> {
                return values(number * 2);
            }
            case '%' -> {
                return values(number * 2) && valueDone();
            }
            default -> {
                return values(Math.max(0, number)) && valueDone();
            }
        }
    }

    private boolean values(final long count) {
        if (number > MAX_ELEMENTS || pending > MAX_PENDING) {
            return false;
        }
        pending += count;
        return to(true, AT_TYPE);
    }

    private boolean valueDone() {
        pending--;
        return to(true, AT_TYPE);
    }

    private boolean to(final boolean legal, final int next) {
        state = next;
        return legal;
    }

    /**
     * How much of the last span belongs to the frame that was scanned.
     *
     * @return bytes; the whole span after {@link #NEED_MORE}
     */
    public long consumed() {
        return consumed;
    }

    /**
     * The frame's type: the first byte of its value, an attribute in front of it left aside.
     *
     * @return the byte, for example {@code '>'}; 0 while it has not arrived
     */
    public byte type() {
        return frameType;
    }

    /**
     * Tells whether the frame is a push, which answers no command.
     *
     * @return true once the type is known to be {@code '>'}
     */
    public boolean push() {
        return frameType == '>';
    }

    /**
     * Tells whether a frame has begun and not ended.
     *
     * @return false between frames
     */
    public boolean midFrame() {
        return pending != 0;
    }

    /** Forgets a frame that will never be complete. */
    public void reset() {
        state = AT_TYPE;
        pending = 0;
        frameType = 0;
        consumed = 0;
    }
}
