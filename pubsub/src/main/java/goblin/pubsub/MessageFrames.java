// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static java.nio.charset.StandardCharsets.US_ASCII;

import goblin.net.NativeBuffer;

/**
 * Encodes what subscribers get: messages, and confirmations of their subscriptions; as arrays in RESP2 and as pushes in
 * RESP3. Appends to the caller's buffer and keeps nothing. Safe for any thread; allocates nothing.
 */
public final class MessageFrames {
    private static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] NULL_BULK = ascii("$-1\r\n");
    private static final byte[] NULL = ascii("_\r\n");

    private static final byte[][] MESSAGE = {
        ascii("3\r\n$7\r\nmessage\r\n$"), ascii("4\r\n$8\r\npmessage\r\n$"), ascii("3\r\n$8\r\nsmessage\r\n$")
    };
    private static final byte[][] SUBSCRIBED = {
        ascii("3\r\n$9\r\nsubscribe\r\n"), ascii("3\r\n$10\r\npsubscribe\r\n"), ascii("3\r\n$10\r\nssubscribe\r\n")
    };
    private static final byte[][] UNSUBSCRIBED = {
        ascii("3\r\n$11\r\nunsubscribe\r\n"),
        ascii("3\r\n$12\r\npunsubscribe\r\n"),
        ascii("3\r\n$12\r\nsunsubscribe\r\n")
    };

    private MessageFrames() {}

    /**
     * Appends a whole frame: {@code message} or {@code smessage}.
     *
     * @param out           where to
     * @param protocol      2 or 3
     * @param kind          {@link Kind#CHANNEL} or {@link Kind#SHARD}
     * @param channel       first byte of the channel
     * @param channelLength its bytes, 0 or more
     * @param payload       first byte of the payload
     * @param payloadLength its bytes, 0 or more
     */
    public static void message(
            final NativeBuffer out,
            final int protocol,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final long payloadLength) {
        messageHeader(out, protocol, kind, channel, channelLength, payloadLength);
        out.append(payload, payloadLength);
        out.append(LINE_END);
    }

    /**
     * Appends a whole frame: {@code pmessage}.
     *
     * @param out           where to
     * @param protocol      2 or 3
     * @param pattern       first byte of the pattern that matched
     * @param patternLength its bytes, 0 or more
     * @param channel       first byte of the channel
     * @param channelLength its bytes, 0 or more
     * @param payload       first byte of the payload
     * @param payloadLength its bytes, 0 or more
     */
    public static void patternMessage(
            final NativeBuffer out,
            final int protocol,
            final long pattern,
            final int patternLength,
            final long channel,
            final int channelLength,
            final long payload,
            final long payloadLength) {
        patternMessageHeader(out, protocol, pattern, patternLength, channel, channelLength, payloadLength);
        out.append(payload, payloadLength);
        out.append(LINE_END);
    }

    /**
     * Appends what comes before the payload of a {@code message} or {@code smessage}; the payload and
     * {@link #messageEnd} follow.
     *
     * @param out           where to
     * @param protocol      2 or 3
     * @param kind          {@link Kind#CHANNEL} or {@link Kind#SHARD}
     * @param channel       first byte of the channel
     * @param channelLength its bytes, 0 or more
     * @param payloadLength the bytes that will follow
     */
    public static void messageHeader(
            final NativeBuffer out,
            final int protocol,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payloadLength) {
        if (kind == Kind.PATTERN) {
            throw new IllegalArgumentException("a pattern's message names the pattern");
        }
        out.appendByte(frameType(protocol));
        out.append(MESSAGE[kind.index]);
        restOfBulk(out, channel, channelLength);
        bulkHeader(out, payloadLength);
    }

    /**
     * Appends what comes before the payload of a {@code pmessage}; the payload and {@link #messageEnd} follow.
     *
     * @param out           where to
     * @param protocol      2 or 3
     * @param pattern       first byte of the pattern that matched
     * @param patternLength its bytes, 0 or more
     * @param channel       first byte of the channel
     * @param channelLength its bytes, 0 or more
     * @param payloadLength the bytes that will follow
     */
    public static void patternMessageHeader(
            final NativeBuffer out,
            final int protocol,
            final long pattern,
            final int patternLength,
            final long channel,
            final int channelLength,
            final long payloadLength) {
        out.appendByte(frameType(protocol));
        out.append(MESSAGE[Kind.PATTERN.index]);
        restOfBulk(out, pattern, patternLength);
        out.appendByte((byte) '$');
        restOfBulk(out, channel, channelLength);
        bulkHeader(out, payloadLength);
    }

    /**
     * Appends what comes after a message's payload.
     *
     * @param out where to
     */
    public static void messageEnd(final NativeBuffer out) {
        out.append(LINE_END);
    }

    /**
     * Appends the confirmation of one name that was subscribed to.
     *
     * @param out      where to
     * @param protocol 2 or 3
     * @param kind     which name space
     * @param name     first byte of the name
     * @param length   its bytes, 0 or more
     * @param count    the subscriptions the client has now
     */
    public static void subscribed(
            final NativeBuffer out,
            final int protocol,
            final Kind kind,
            final long name,
            final int length,
            final long count) {
        confirmation(out, protocol, SUBSCRIBED[kind.index], name, length, count);
    }

    /**
     * Appends the confirmation of one name that was unsubscribed from, whether or not it was subscribed to.
     *
     * @param out      where to
     * @param protocol 2 or 3
     * @param kind     which name space
     * @param name     first byte of the name
     * @param length   its bytes, 0 or more
     * @param count    the subscriptions the client has now
     */
    public static void unsubscribed(
            final NativeBuffer out,
            final int protocol,
            final Kind kind,
            final long name,
            final int length,
            final long count) {
        confirmation(out, protocol, UNSUBSCRIBED[kind.index], name, length, count);
    }

    /**
     * Appends the confirmation of a command that should unsubscribe from everything when there was nothing.
     *
     * @param out      where to
     * @param protocol 2 or 3
     * @param kind     which name space
     * @param count    the subscriptions the client has now
     */
    public static void unsubscribedFromNothing(
            final NativeBuffer out, final int protocol, final Kind kind, final long count) {
        out.appendByte(frameType(protocol));
        out.append(UNSUBSCRIBED[kind.index]);
        out.append(protocol == 3 ? NULL : NULL_BULK);
        integer(out, count);
    }

    private static void confirmation(
            final NativeBuffer out,
            final int protocol,
            final byte[] verb,
            final long name,
            final int length,
            final long count) {
        out.appendByte(frameType(protocol));
        out.append(verb);
        out.appendByte((byte) '$');
        restOfBulk(out, name, length);
        integer(out, count);
    }

    private static byte frameType(final int protocol) {
        return (byte) (protocol == 3 ? '>' : '*');
    }

    private static void bulkHeader(final NativeBuffer out, final long length) {
        out.appendByte((byte) '$');
        out.appendDecimal(length);
        out.append(LINE_END);
    }

    private static void restOfBulk(final NativeBuffer out, final long bytes, final long length) {
        out.appendDecimal(length);
        out.append(LINE_END);
        out.append(bytes, length);
        out.append(LINE_END);
    }

    private static void integer(final NativeBuffer out, final long value) {
        out.appendByte((byte) ':');
        out.appendDecimal(value);
        out.append(LINE_END);
    }

    private static byte[] ascii(final String text) {
        return text.getBytes(US_ASCII);
    }
}
