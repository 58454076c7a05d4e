// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.Arrays;

/**
 * Reads RESP2 {@code message} frames of one channel whose payloads are {@code publisher:sequence}, out of a byte
 * stream that is cut anywhere, and checks that each publisher's sequence goes on without a gap. Allocates nothing
 * while frames fit its carry.
 */
final class MessageFrames {
    private static final int NEED_MORE = -1;
    private static final int CARRY_BYTES = 512;

    private final byte[] head;
    private final long[] next;
    private final byte[] carry = new byte[CARRY_BYTES];
    private int carried;
    private long messages;

    private int position;

    MessageFrames(final byte[] channel, final int publishers) {
        final byte[] whole = RespBytes.message(channel, new byte[0]);
        head = Arrays.copyOf(whole, whole.length - "0\r\n\r\n".length());
        next = new long[publishers];
    }

    /** All frames received so far. */
    long messages() {
        return messages;
    }

    /** The next sequence awaited of a publisher. */
    long next(final int publisher) {
        return next[publisher];
    }

    /** Takes received bytes; a failure when they are not the next message of some publisher. */
    void accept(final byte[] bytes, final int length) throws Failure {
        int start = 0;
        while (carried > 0 && start < length) {
            // The frame cut by the last span is short: it is put together byte for byte.
            if (carried == CARRY_BYTES) {
                throw new Failure("not a message of the publishers: '"
                        + RespBytes.printable(Arrays.copyOf(carry, carried)) + "'");
            }
            carry[carried++] = bytes[start++];
            if (frame(carry, 0, carried) != NEED_MORE) {
                carried = 0;
            }
        }
        while (start < length) {
            final int end = frame(bytes, start, length);
            if (end == NEED_MORE) {
                if (length - start > CARRY_BYTES) {
                    throw unexpected(bytes, start, length);
                }
                System.arraycopy(bytes, start, carry, 0, length - start);
                carried = length - start;
                return;
            }
            start = end;
        }
    }

    /** Reads one whole frame and returns its end, or that more is needed. */
    private int frame(final byte[] bytes, final int start, final int end) throws Failure {
        final int compared = Math.min(head.length, end - start);
        if (!Arrays.equals(bytes, start, start + compared, head, 0, compared)) {
            throw unexpected(bytes, start, end);
        }
        position = start + head.length;
        final long payload = number(bytes, end, '\r');
        if (payload < 0 || position + 1 + payload + 2 > end) {
            return NEED_MORE;
        }
        position++;
        final int payloadEnd = (int) (position + payload);
        final long publisher = number(bytes, payloadEnd, ':');
        final long sequence = publisher < 0 ? -1 : tail(bytes, payloadEnd);
        if (sequence < 0 || publisher >= next.length) {
            throw unexpected(bytes, start, end);
        }
        if (sequence != next[(int) publisher]) {
            throw new Failure("publisher " + publisher + ": message " + sequence + " received instead of "
                    + next[(int) publisher]);
        }
        next[(int) publisher]++;
        messages++;
        return payloadEnd + 2;
    }

    /** Reads digits up to a delimiter, leaving the position behind it; negative when it does not come. */
    private long number(final byte[] bytes, final int end, final char delimiter) {
        long value = 0;
        while (position < end) {
            final byte next = bytes[position++];
            if (next == delimiter) {
                return value;
            }
            if (next < '0' || next > '9') {
                return -1;
            }
            value = value * 10 + next - '0';
        }
        return -1;
    }

    private long tail(final byte[] bytes, final int end) {
        long value = 0;
        while (position < end) {
            final byte next = bytes[position++];
            if (next < '0' || next > '9') {
                return -1;
            }
            value = value * 10 + next - '0';
        }
        return value;
    }

    private static Failure unexpected(final byte[] bytes, final int start, final int end) {
        return new Failure("not a message of the publishers: '"
                + RespBytes.printable(Arrays.copyOfRange(bytes, start, Math.min(end, start + 100))) + "'");
    }
}
