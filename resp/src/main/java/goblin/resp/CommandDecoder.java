// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import goblin.net.linux.Memory;
import java.util.Arrays;

/**
 * Reads one request after the other from bytes that arrive in pieces: arrays of bulk strings, and inline requests.
 *
 * <p>The caller keeps the bytes from the first byte of the current command on (unless it {@linkplain #discard discards}
 * some) and calls {@link #decode} whenever there are more; it may move them between calls. The decoder resumes where it
 * stopped and looks at no byte twice, but the few of a header. It reads and never writes the caller's memory. One thread; no allocation in the
 * steady state (more than {@value #KEPT} arguments and quoted inline requests allocate).
 */
public final class CommandDecoder implements Arguments, AutoCloseable {
    /** The command is not complete. */
    public static final int NEED_MORE = 0;

    /** One command is complete, {@link #consumed} bytes long. */
    public static final int COMMAND = 1;

    /** The bytes are no request; {@link #error} says why. Nothing more can be read from this connection. */
    public static final int ERROR = -1;

    private static final int AT_START = 0;
    private static final int IN_COUNT = 1;
    private static final int AT_BULK = 2;
    private static final int IN_BULK_LENGTH = 3;
    private static final int IN_BULK = 4;
    private static final int IN_INLINE = 5;
    private static final int COMPLETE = 6;
    private static final int FAILED = 7;

    /** What a state returns when another one goes on; never seen outside. */
    private static final int AGAIN = 2;

    private static final long NO_END = -1;
    private static final long TOO_LONG = -2;

    /** Room for arguments that is kept between commands. */
    private static final int KEPT = 256;

    private static final int FIRST_ROOM = 8;
    /** The shortest bulk string on the wire, {@code $0} with two line ends. */
    private static final int SHORTEST_BULK = 6;
    /** The header of an array of up to nine. */
    private static final int SHORTEST_COUNT = 4;
    /** Digits of a length that is read at one look: 512 MiB has as many. */
    private static final int QUICK_DIGITS = 9;

    private static final byte CR = '\r';
    private static final byte LF = '\n';

    private RespLimits limits;
    private int recorded = Integer.MAX_VALUE;
    private int state = AT_START;
    private int announced = -1;
    private int seen;
    private int bulkLength;
    // Distances from the first byte of the command, the discarded ones included.
    private long lineStart;
    private long position;
    private long end;
    private long discarded;
    // Where the command's first byte would be; for a quoted inline request, where the scratch memory begins.
    private long base;
    private long[] offsets;
    private int[] lengths;
    private InlineSplitter splitter;
    private String error;

    /**
     * Makes a decoder that holds no memory yet.
     *
     * @param limits the first limits
     */
    public CommandDecoder(final RespLimits limits) {
        this.limits = limits;
    }

    /**
     * Changes the limits, for example once a client has authenticated. They hold for every length read from now on.
     *
     * @param newLimits the new limits
     */
    public void setLimits(final RespLimits newLimits) {
        limits = newLimits;
    }

    /**
     * Lets the decoder remember only the first arguments of array requests, for a caller that passes the others on
     * unread. {@link #argument} may be asked for those only; {@link #argumentCount} still counts all.
     *
     * @param count how many to remember, at least 1
     */
    public void recordAtMost(final int count) {
        recorded = count;
    }

    /**
     * Goes on reading the current command. After {@link #COMMAND} a call begins the next command by itself.
     *
     * @param address the first byte of the current command that was not {@linkplain #discard discarded}
     * @param length  all bytes there are from {@code address} on, not fewer than in the call before
     * @return {@link #COMMAND}, {@link #NEED_MORE} or {@link #ERROR}
     */
    public int decode(final long address, final long length) {
        if (state == COMPLETE) {
            reset();
        }
        base = address - discarded;
        end = discarded + length;
        while (true) {
            final int result = switch (state) {
                case AT_START -> onStart();
                case IN_COUNT -> onCount();
                case AT_BULK -> onBulkStart();
                case IN_BULK_LENGTH -> onBulkLength();
                case IN_BULK -> onBulk();
                case IN_INLINE -> onInline();
                case FAILED -> ERROR;
                default -> COMMAND;
            };
            if (result != AGAIN) {
                return result;
            }
        }
    }

    private int onStart() {
        if (end <= position) {
            return NEED_MORE;
        }
        if (Memory.getByte(base) == '*') {
            lineStart = 1;
            if (takeShortCount()) {
                return nextBulk();
            }
            position = 1;
            state = IN_COUNT;
        } else {
            state = IN_INLINE;
        }
        return AGAIN;
    }

    /** Takes a count of one digit, the usual case, at one look; leaves all else, and what is wrong, to the states. */
    private boolean takeShortCount() {
        if (end < SHORTEST_COUNT) {
            return false;
        }
        final int count = Memory.getByte(base + 1) - '0';
        if (count < 1
                || count > Math.min(9, limits.elements())
                || Memory.getByte(base + 2) != CR
                || Memory.getByte(base + 3) != LF) {
            return false;
        }
        announced = count;
        position = SHORTEST_COUNT;
        return true;
    }

    private int onCount() {
        final long lineEnd = lineEnd();
        if (lineEnd < 0) {
            return lineEnd == NO_END ? NEED_MORE : fail("too big mbulk count string");
        }
        final long text = base + lineStart;
        final long textLength = lineEnd - lineStart;
        if (Memory.getByte(base + lineEnd + 1) != LF || !Decimal.isLong(text, textLength)) {
            return fail("invalid multibulk length");
        }
        final long count = Decimal.toLong(text, textLength);
        if (count > RespLimits.AUTHENTICATED.elements()) {
            return fail("invalid multibulk length");
        }
        if (count > limits.elements()) {
            return fail("unauthenticated multibulk length");
        }
        position = lineEnd + 2;
        announced = (int) Math.max(0, count);
        return announced == 0 ? complete() : nextBulk();
    }

    /** Takes arguments that are there in full, the usual case, at one look each; true when they were all. */
    private boolean takeWholeBulks() {
        while (seen < announced) {
            final long header = base + position;
            final long left = end - position;
            final long most = Math.min(left, 1 + QUICK_DIGITS);
            long bytes = 0;
            int length = 1;
            for (; length < most; length++) {
                final int digit = Memory.getByte(header + length) - '0';
                if (digit < 0 || digit > 9) {
                    break;
                }
                bytes = bytes * 10 + digit;
            }
            if (length == 1
                    || left < length + bytes + 4
                    || Memory.getByte(header) != '$'
                    || Memory.getByte(header + length) != CR
                    || Memory.getByte(header + length + 1) != LF
                    || (length > 2 && Memory.getByte(header + 1) == '0')
                    || bytes > limits.bulkBytes()
                    || Memory.getByte(header + length + bytes + 2) != CR
                    || Memory.getByte(header + length + bytes + 3) != LF) {
                return false;
            }
            record(position + length + 2, (int) bytes);
            position += length + bytes + 4;
        }
        return true;
    }

    private int onBulkStart() {
        if (takeWholeBulks()) {
            return complete();
        }
        if (end <= position) {
            return NEED_MORE;
        }
        final byte first = Memory.getByte(base + position);
        if (first != '$') {
            return fail("expected '$', got '" + printable(first) + "'");
        }
        position++;
        lineStart = position;
        state = IN_BULK_LENGTH;
        return AGAIN;
    }

    private int onBulkLength() {
        final long lineEnd = lineEnd();
        if (lineEnd < 0) {
            return lineEnd == NO_END ? NEED_MORE : fail("too big bulk count string");
        }
        final long text = base + lineStart;
        final long textLength = lineEnd - lineStart;
        if (Memory.getByte(base + lineEnd + 1) != LF || !Decimal.isLong(text, textLength)) {
            return fail("invalid bulk length");
        }
        final long bytes = Decimal.toLong(text, textLength);
        if (bytes < 0 || bytes > RespLimits.AUTHENTICATED.bulkBytes()) {
            return fail("invalid bulk length");
        }
        if (bytes > limits.bulkBytes()) {
            return fail("unauthenticated bulk length");
        }
        position = lineEnd + 2;
        bulkLength = (int) bytes;
        state = IN_BULK;
        return AGAIN;
    }

    private int onBulk() {
        final long bulkEnd = position + bulkLength;
        if (end < bulkEnd + 2) {
            return NEED_MORE;
        }
        if (Memory.getByte(base + bulkEnd) != CR || Memory.getByte(base + bulkEnd + 1) != LF) {
            return fail("expected CRLF after a bulk string");
        }
        record(position, bulkLength);
        position = bulkEnd + 2;
        return seen == announced ? complete() : nextBulk();
    }

    private int onInline() {
        final long limit = Math.min(end, limits.inlineBytes() + 1L);
        final long found = Memory.indexOf(base + position, limit - position, LF);
        if (found < 0) {
            position = limit;
            return end > limits.inlineBytes() ? fail("too big inline request") : NEED_MORE;
        }
        final long lineFeed = position + found;
        position = lineFeed + 1;
        final boolean carriageReturn = lineFeed > 0 && Memory.getByte(base + lineFeed - 1) == CR;
        if (splitter == null) {
            splitter = new InlineSplitter();
        }
        final int textLength = (int) (carriageReturn ? lineFeed - 1 : lineFeed);
        if (!splitter.split(base, textLength, this)) {
            return fail("unbalanced quotes in request");
        }
        if (splitter.holdsArguments()) {
            base = splitter.address();
        }
        announced = seen;
        return complete();
    }

    private int nextBulk() {
        state = AT_BULK;
        return AGAIN;
    }

    private int complete() {
        state = COMPLETE;
        return COMMAND;
    }

    private int fail(final String reason) {
        error = "Protocol error: " + reason;
        state = FAILED;
        return ERROR;
    }

    /** Looks for the CR of a header line, from where the last search stopped; the byte after it must be there too. */
    private long lineEnd() {
        final long limit = Math.min(end, lineStart + limits.inlineBytes() + 1L);
        long at = position;
        while (at < limit && Memory.getByte(base + at) != CR) {
            at++;
        }
        position = at;
        if (at == limit) {
            return at - lineStart > limits.inlineBytes() ? TOO_LONG : NO_END;
        }
        return at + 1 < end ? at : NO_END;
    }

    /** Remembers an argument; its offset is a distance from {@link #base}. */
    void record(final long offset, final int length) {
        final int index = seen++;
        if (index >= recorded && state != IN_INLINE) {
            return;
        }
        if (offsets == null) {
            offsets = new long[FIRST_ROOM];
            lengths = new int[FIRST_ROOM];
        } else if (index == offsets.length) {
            offsets = Arrays.copyOf(offsets, index * 2);
            lengths = Arrays.copyOf(lengths, index * 2);
        }
        offsets[index] = offset;
        lengths[index] = length;
    }

    /**
     * Says that the first bytes of the current command were used elsewhere and are gone: the next {@link #decode} gets
     * the address of the first byte that is left. Arguments that lay in them are gone, too.
     *
     * @param bytes how many, at most {@link #discardable}
     */
    public void discard(final long bytes) {
        discarded += bytes;
    }

    /**
     * How many bytes the decoder will never look at again, except as arguments of the caller's choice: all but the
     * header line now being read, or the end of an argument.
     *
     * @return bytes from the address of the last {@link #decode} on
     */
    public long discardable() {
        final long done = switch (state) {
            case AT_BULK, COMPLETE -> position;
            case IN_BULK_LENGTH -> lineStart - 1;
            case IN_BULK -> Math.min(end, position + bulkLength);
            default -> discarded;
        };
        return done - discarded;
    }

    /** Forgets the current command; the next {@link #decode} begins a new one. Gives large scratch memory back. */
    public void reset() {
        state = AT_START;
        announced = -1;
        seen = 0;
        position = 0;
        lineStart = 0;
        end = 0;
        discarded = 0;
        error = null;
        if (offsets != null && offsets.length > KEPT) {
            offsets = null;
            lengths = null;
        }
        if (splitter != null) {
            splitter.clear();
        }
    }

    /** Gives all memory back; the decoder may be used again. Idempotent. */
    @Override
    public void close() {
        reset();
        offsets = null;
        lengths = null;
        splitter = null;
    }

    @Override
    public int argumentCount() {
        return seen;
    }

    @Override
    public long argument(final int index) {
        return base + offsets[index];
    }

    @Override
    public int argumentLength(final int index) {
        return lengths[index];
    }

    /**
     * How many arguments are there in full; works while the command is incomplete, too.
     *
     * @return 0 or more
     */
    public int argumentsSeen() {
        return seen;
    }

    /**
     * How many arguments the command will have.
     *
     * @return the number its array header announced, or -1 when that is not known yet
     */
    public int announced() {
        return announced;
    }

    /**
     * Tells whether the current command came as a line of words; known once its first byte was read.
     *
     * @return false for an array
     */
    public boolean inline() {
        return state == IN_INLINE || (state == COMPLETE && lineStart == 0);
    }

    /**
     * Tells whether a complete command is the start of an HTTP request ({@code POST} or {@code Host:} as an inline
     * request's first word): somebody's browser is being misused, and the connection must be closed without a reply.
     *
     * @return true for such a line
     */
    public boolean isHttp() {
        return inline()
                && seen > 0
                && (Ascii.equalsIgnoreCase(argument(0), argumentLength(0), "POST")
                        || Ascii.equalsIgnoreCase(argument(0), argumentLength(0), "HOST:"));
    }

    /**
     * The length of the complete command.
     *
     * @return bytes from the address of the last {@link #decode} on
     */
    public long consumed() {
        return position - discarded;
    }

    /**
     * The least that the current command needs to be complete, as far as it was read.
     *
     * @return bytes from the address of the last {@link #decode} on; exact inside the last argument
     */
    public long bytesNeeded() {
        final long whole = switch (state) {
            case AT_START -> 1;
            case AT_BULK -> position + (long) SHORTEST_BULK * (announced - seen);
            case IN_BULK_LENGTH -> lineStart - 1 + (long) SHORTEST_BULK * (announced - seen);
            case IN_BULK -> position + bulkLength + 2 + (long) SHORTEST_BULK * (announced - seen - 1);
            case IN_COUNT, IN_INLINE -> position + 1;
            default -> position;
        };
        return Math.max(whole, state == COMPLETE || state == FAILED ? whole : end + 1) - discarded;
    }

    /**
     * How much of the argument now being read is missing, its line end included.
     *
     * @return bytes after the last byte that {@link #decode} was given; 0 when no argument's length is known
     */
    public long unparsedBulkRemaining() {
        return state == IN_BULK ? position + bulkLength + 2 - end : 0;
    }

    /**
     * Tells whether nothing of a command has been read.
     *
     * @return true before a command's first byte and after a complete command
     */
    public boolean atCommandStart() {
        return state == COMPLETE || (state == AT_START && discarded == 0);
    }

    /**
     * What is wrong, in Redis's words, without the leading {@code -ERR}; never with a control byte.
     *
     * @return null unless {@link #decode} returned {@link #ERROR}
     */
    public String error() {
        return error;
    }

    private static String printable(final byte value) {
        return value >= 0x20 && value < 0x7F ? String.valueOf((char) value) : String.format("\\x%02x", value & 0xFF);
    }
}
