// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads one RESP2 or RESP3 reply and writes it as one line that keeps every difference on the wire: {@code +OK},
 * {@code -ERR text}, {@code :1}, {@code "bulk"}, {@code $-1}, {@code *-1}, {@code _}, {@code [a, b]},
 * {@code >[push]}, {@code %{k: v}}, {@code ~[set]}, {@code ,1.5}, {@code #t}, {@code (123}, {@code ="txt:verbatim"},
 * {@code !"bulk error"}, {@code |{attribute} reply}. Bytes outside printable ASCII are written {@code \xHH}.
 */
final class ReplyText {
    private final InputStream in;

    ReplyText(final InputStream in) {
        this.in = in;
    }

    String read() throws IOException {
        final int type = in.read();
        return switch (type) {
            case -1 -> throw new IOException("the connection ended where a reply should begin");
            case '+', '-', ':', ',', '#', '(', '_' -> (char) type + line();
            case '$' -> bulk("", "$-1");
            case '=' -> bulk("=", "=-1");
            case '!' -> bulk("!", "!-1");
            case '*' -> sequence("", "*-1");
            case '>' -> sequence(">", ">-1");
            case '~' -> sequence("~", "~-1");
            case '%' -> map("%");
            case '|' -> map("|") + " " + read();
            default -> throw new IOException("no reply begins with " + escaped(new byte[] {(byte) type}));
        };
    }

    private String bulk(final String mark, final String absent) throws IOException {
        final int length = length();
        if (length < 0) {
            return absent;
        }
        final byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || in.read() != '\r' || in.read() != '\n') {
            throw new IOException("a bulk of " + length + " bytes does not end with CR LF");
        }
        return mark + '"' + escaped(bytes) + '"';
    }

    private String sequence(final String mark, final String absent) throws IOException {
        final int count = length();
        if (count < 0) {
            return absent;
        }
        final StringBuilder text = new StringBuilder(mark).append('[');
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ").append(read());
        }
        return text.append(']').toString();
    }

    private String map(final String mark) throws IOException {
        final int count = length();
        final StringBuilder text = new StringBuilder(mark).append('{');
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ").append(read()).append(": ").append(read());
        }
        return text.append('}').toString();
    }

    private int length() throws IOException {
        final String line = line();
        try {
            return Integer.parseInt(line);
        } catch (final NumberFormatException notANumber) {
            throw new IOException("a length of '" + line + "'", notANumber);
        }
    }

    private String line() throws IOException {
        final StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the connection ended inside a line");
            }
            line.append(escaped(new byte[] {(byte) b}));
        }
        if (in.read() != '\n') {
            throw new IOException("a line ends with CR alone");
        }
        return line.toString();
    }

    static String escaped(final byte[] bytes) {
        final StringBuilder text = new StringBuilder(bytes.length);
        for (final byte b : bytes) {
            if (b >= ' ' && b <= '~' && b != '"' && b != '\\') {
                text.append((char) b);
            } else if (b == '"' || b == '\\') {
                text.append('\\').append((char) b);
            } else {
                text.append(String.format("\\x%02x", b));
            }
        }
        return text.toString();
    }

    static byte[] request(final byte[]... arguments) {
        final java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        out.writeBytes(("*" + arguments.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (final byte[] argument : arguments) {
            out.writeBytes(("$" + argument.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(argument);
            out.writeBytes(new byte[] {'\r', '\n'});
        }
        return out.toByteArray();
    }
}
