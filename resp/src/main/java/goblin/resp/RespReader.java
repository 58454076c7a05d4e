// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.linux.Memory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads whole replies from a stream, for tools and tests: it blocks and allocates. Not for a loop's thread; see
 * {@link ReplyScanner}. It may read bytes of the stream beyond a reply and keeps them for the next. One thread.
 */
public final class RespReader {
    private static final int DEEPEST = 1_000;
    private static final int BUFFER = 16 << 10;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;

    /**
     * Makes a reader.
     *
     * @param in where replies come from; stays the caller's to close
     */
    public RespReader(final InputStream in) {
        this.in = in;
    }

    /**
     * Reads one reply that makes up all of an array.
     *
     * @param bytes the reply
     * @return the reply
     * @throws IllegalArgumentException when it is malformed, too short or followed by something
     */
    public static Reply parse(final byte[] bytes) {
        final RespReader reader = new RespReader(new ByteArrayInputStream(bytes));
        try {
            final Reply reply = reader.read();
            if (reader.fill() >= 0) {
                throw new IllegalArgumentException("there is more than one reply");
            }
            return reply;
        } catch (final IOException malformed) {
            throw new IllegalArgumentException(malformed.getMessage(), malformed);
        }
    }

    /**
     * Reads one reply from native memory; see {@link #parse(byte[])}.
     *
     * @param address first byte
     * @param length  bytes, as many as the reply has
     * @return the reply
     */
    public static Reply parse(final long address, final int length) {
        return parse(Memory.toBytes(address, length));
    }

    /**
     * Reads the next reply or push; waits for it.
     *
     * @return the reply
     * @throws EOFException when the stream ends before the reply does
     * @throws IOException  when the stream fails or carries no reply
     */
    public Reply read() throws IOException {
        return read(0);
    }

    private Reply read(final int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new IOException("replies nested more than " + DEEPEST + " deep");
        }
        final int type = next();
        return switch (type) {
            case '+' -> new Reply.Simple(line());
            case '-' -> new Reply.Failure(line());
            case ':' -> new Reply.Int(integer());
            case '$' -> bulk();
            case '*' -> array(depth);
            case '_' -> nothing();
            case '#' -> truth();
            case ',' -> new Reply.Real(real(line()));
            case '(' -> new Reply.Big(big());
            case '!' -> new Reply.BulkFailure(text(count()));
            case '=' -> verbatim();
            case '~' -> new Reply.Set(items(count(), depth));
            case '>' -> new Reply.Push(items(count(), depth));
            case '%' -> new Reply.Map(pairs(count(), depth));
            case '|' -> new Reply.Attributed(pairs(count(), depth), read(depth));
            default -> throw new IOException("no reply begins with byte " + type);
        };
    }

    private Reply bulk() throws IOException {
        final long length = integer();
        return length == -1 ? Reply.Null.BULK : new Reply.Bulk(text(checked(length)));
    }

    private Reply array(final int depth) throws IOException {
        final long count = integer();
        return count == -1 ? Reply.Null.ARRAY : new Reply.Array(items(checked(count), depth));
    }

    private Reply nothing() throws IOException {
        expect(line().isEmpty(), "a null");
        return Reply.Null.RESP3;
    }

    private Reply truth() throws IOException {
        final String line = line();
        expect(line.equals("t") || line.equals("f"), "a truth value");
        return new Reply.Bool(line.equals("t"));
    }

    private Reply verbatim() throws IOException {
        final String text = text(count());
        expect(text.length() >= 4 && text.charAt(3) == ':', "a verbatim string");
        return new Reply.Verbatim(text.substring(0, 3), text.substring(4));
    }

    private BigInteger big() throws IOException {
        final String line = line();
        expect(line.matches("-?[0-9]+"), "a big number");
        return new BigInteger(line);
    }

    private static double real(final String line) throws IOException {
        return switch (line) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "nan", "-nan" -> Double.NaN;
            default -> {
                expect(line.matches("[-+]?[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?"), "a number");
                yield Double.parseDouble(line);
            }
        };
    }

    private List<Reply> items(final int count, final int depth) throws IOException {
        final List<Reply> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(read(depth + 1));
        }
        return List.copyOf(items);
    }

    private List<Reply.Pair> pairs(final int count, final int depth) throws IOException {
        final List<Reply.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final Reply key = read(depth + 1);
            pairs.add(new Reply.Pair(key, read(depth + 1)));
        }
        return List.copyOf(pairs);
    }

    private String text(final int length) throws IOException {
        final byte[] bytes = new byte[length];
        int have = 0;
        while (have < length) {
            if (at == end && fill() < 0) {
                throw new EOFException("the stream ended inside a reply");
            }
            final int piece = Math.min(length - have, end - at);
            System.arraycopy(buffer, at, bytes, have, piece);
            at += piece;
            have += piece;
        }
        expect(next() == '\r' && next() == '\n', "the end of a bulk string");
        return new String(bytes, ISO_8859_1);
    }

    private int count() throws IOException {
        return checked(integer());
    }

    private static int checked(final long count) throws IOException {
        expect(count >= 0 && count <= Integer.MAX_VALUE - 8, "a length");
        return (int) count;
    }

    private long integer() throws IOException {
        final String line = line();
        expect(line.matches("[-+]?[0-9]{1,19}"), "an integer");
        try {
            return Long.parseLong(line);
        } catch (final NumberFormatException outOfRange) {
            throw new IOException("not an integer: " + line, outOfRange);
        }
    }

    private String line() throws IOException {
        final ByteArrayOutputStream line = new ByteArrayOutputStream();
        int value = next();
        while (value != '\r') {
            line.write(value);
            value = next();
        }
        expect(next() == '\n', "the end of a line");
        return line.toString(ISO_8859_1);
    }

    private static void expect(final boolean legal, final String what) throws IOException {
        if (!legal) {
            throw new IOException("malformed reply: this is not " + what);
        }
    }

    private int next() throws IOException {
        if (at == end && fill() < 0) {
            throw new EOFException("the stream ended inside a reply");
        }
        return buffer[at++] & 0xFF;
    }

    /** Gets more bytes once all were used; negative at the end of the stream. */
    private int fill() throws IOException {
        if (at < end) {
            return end - at;
        }
        at = 0;
        end = Math.max(0, in.read(buffer, 0, BUFFER));
        return end == 0 ? -1 : end;
    }
}
