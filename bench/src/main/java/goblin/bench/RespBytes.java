// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Encodes RESP2 commands and the frames expected for them. Deliberately apart from the programs' own codec: what
 * checks them must not share their mistakes.
 */
final class RespBytes {
    private RespBytes() {}

    static byte[] ascii(final String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static byte[] command(final String... words) {
        final byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = ascii(words[i]);
        }
        return array(bytes);
    }

    static byte[] command(final byte[]... words) {
        return array(words);
    }

    static byte[] publish(final byte[] channel, final byte[] payload) {
        return array(ascii("PUBLISH"), channel, payload);
    }

    static byte[] subscribe(final byte[] channel) {
        return array(ascii("SUBSCRIBE"), channel);
    }

    static byte[] unsubscribe(final byte[] channel) {
        return array(ascii("UNSUBSCRIBE"), channel);
    }

    /** What a RESP2 subscriber receives. */
    static byte[] message(final byte[] channel, final byte[] payload) {
        return array(ascii("message"), channel, payload);
    }

    /** What confirms a subscription or its end, {@code count} names being left. */
    static byte[] confirmation(final String kind, final byte[] channel, final int count) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ascii("*3\r\n"));
        bulk(out, ascii(kind));
        bulk(out, channel);
        out.writeBytes(integer(count));
        return out.toByteArray();
    }

    static byte[] integer(final long value) {
        return ascii(":" + value + "\r\n");
    }

    private static byte[] array(final byte[]... elements) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ascii("*" + elements.length + "\r\n"));
        for (final byte[] element : elements) {
            bulk(out, element);
        }
        return out.toByteArray();
    }

    private static void bulk(final ByteArrayOutputStream out, final byte[] bytes) {
        out.writeBytes(ascii("$" + bytes.length + "\r\n"));
        out.writeBytes(bytes);
        out.writeBytes(ascii("\r\n"));
    }

    /** Bytes as a person reads them: control bytes and other than ASCII escaped, cut after 120. */
    static String printable(final byte[] bytes) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length && i < 120; i++) {
            switch (bytes[i]) {
                case '\r' -> text.append("\\r");
                case '\n' -> text.append("\\n");
                default -> {
                    if (bytes[i] >= ' ' && bytes[i] < 0x7f) {
                        text.append((char) bytes[i]);
                    } else {
                        text.append(String.format("\\x%02x", bytes[i]));
                    }
                }
            }
        }
        return bytes.length > 120 ? text + "…" : text.toString();
    }
}
