// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads whole RESP2 and RESP3 frames out of a stream that is cut anywhere. Values are {@link Long}, {@code byte[]},
 * {@link String} for simple strings, {@link ErrorReply}, {@link List}, {@link Push} or {@link #NULL}. It allocates, and
 * shares nothing with the programs' own codec, which it helps to check.
 */
final class RespParser {
    /** The null of either protocol. */
    static final Object NULL = new Object() {
        @Override
        public String toString() {
            return "null";
        }
    };

    private static final Object NEED_MORE = new Object();

    private byte[] bytes = new byte[4096];
    private int start;
    private int end;
    private int position;

    /**
     * An error reply.
     *
     * @param text the line after the minus sign
     */
    record ErrorReply(String text) {}

    /**
     * A RESP3 push.
     *
     * @param elements its elements
     */
    record Push(List<Object> elements) {}

    /** Adds received bytes. */
    void append(final byte[] source, final int length) {
        if (start == end) {
            start = 0;
            end = 0;
        }
        if (bytes.length - end < length) {
            final int kept = end - start;
            final byte[] target = kept + length <= bytes.length ? bytes : new byte[2 * (kept + length)];
            System.arraycopy(bytes, start, target, 0, kept);
            bytes = target;
            start = 0;
            end = kept;
        }
        System.arraycopy(source, 0, bytes, end, length);
        end += length;
    }

    /** The next whole frame, or null when it is not all there. */
    Object next() throws Failure {
        position = start;
        final Object value = value();
        if (value == NEED_MORE) {
            return null;
        }
        start = position;
        return value;
    }

    /** Whether bytes of an unfinished frame are left. */
    boolean midFrame() {
        return start != end;
    }

    private Object value() throws Failure {
        final int line = position;
        final int lineEnd = lineEnd();
        if (lineEnd < 0) {
            return NEED_MORE;
        }
        return switch (bytes[line]) {
            case '+', ',', '(' -> text(line + 1, lineEnd);
            case '-' -> new ErrorReply(text(line + 1, lineEnd));
            case ':' -> number(line, lineEnd);
            case '#' -> bytes[line + 1] == 't' ? 1L : 0L;
            case '_' -> NULL;
            case '$', '=', '!' -> bulk(number(line, lineEnd));
            case '*', '~' -> elements(number(line, lineEnd));
            case '%' -> elements(2 * number(line, lineEnd));
            case '>' -> {
                final Object elements = elements(number(line, lineEnd));
                yield elements instanceof List<?> list ? new Push(new ArrayList<>(list)) : elements;
            }
            default -> throw malformed(line, lineEnd);
        };
    }

    /** Moves behind the line's CR LF and returns where its text ends, or -1. */
    private int lineEnd() {
        for (int i = position; i + 1 < end; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
                position = i + 2;
                return i;
            }
        }
        return -1;
    }

    private Object bulk(final long length) throws Failure {
        if (length < 0) {
            return NULL;
        }
        if (end - position < length + 2) {
            return NEED_MORE;
        }
        final int from = position;
        final int to = (int) (from + length);
        if (bytes[to] != '\r' || bytes[to + 1] != '\n') {
            throw malformed(from, to + 2);
        }
        position = to + 2;
        return Arrays.copyOfRange(bytes, from, to);
    }

    private Object elements(final long count) throws Failure {
        if (count < 0) {
            return NULL;
        }
        final List<Object> list = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            final Object element = value();
            if (element == NEED_MORE) {
                return NEED_MORE;
            }
            list.add(element);
        }
        return list;
    }

    private long number(final int line, final int lineEnd) throws Failure {
        long value = 0;
        int i = line + 1;
        final boolean negative = i < lineEnd && bytes[i] == '-';
        if (negative) {
            i++;
        }
        if (i == lineEnd) {
            throw malformed(line, lineEnd);
        }
        for (; i < lineEnd; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                throw malformed(line, lineEnd);
            }
            value = value * 10 + bytes[i] - '0';
        }
        return negative ? -value : value;
    }

    private String text(final int from, final int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private Failure malformed(final int from, final int to) {
        return new Failure("malformed RESP: '" + RespBytes.printable(Arrays.copyOfRange(bytes, from, to)) + "'");
    }
}
