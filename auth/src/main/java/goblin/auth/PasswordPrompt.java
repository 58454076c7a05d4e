// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Gets a password from a person at a terminal, twice and without echo, or else from one line of standard input. */
final class PasswordPrompt {
    /** Longest password; what is longer could not be sent before authentication. */
    static final int MAX_BYTES = 16 << 10;

    private PasswordPrompt() {}

    static byte[] read(final Console console, final InputStream in) throws IOException {
        final byte[] password = console != null && console.isTerminal() ? ask(console) : line(in);
        if (password.length == 0) {
            throw new IllegalArgumentException("the password is empty");
        }
        return password;
    }

    private static byte[] ask(final Console console) {
        final char[] first = console.readPassword("Password: ");
        final char[] second = first == null ? null : console.readPassword("Again: ");
        try {
            if (second == null) {
                throw new IllegalArgumentException("no password was given");
            }
            if (!Arrays.equals(first, second)) {
                throw new IllegalArgumentException("the two passwords differ");
            }
            return encode(first);
        } finally {
            wipe(first);
            wipe(second);
        }
    }

    static byte[] line(final InputStream in) throws IOException {
        final byte[] buffer = new byte[MAX_BYTES + 1];
        int length = 0;
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (length == buffer.length) {
                break;
            }
            buffer[length++] = (byte) next;
        }
        if (length > 0 && buffer[length - 1] == '\r') {
            length--;
        }
        final byte[] password = Arrays.copyOf(buffer, length);
        Arrays.fill(buffer, (byte) 0);
        return bounded(password);
    }

    private static byte[] encode(final char[] text) {
        final byte[] buffer = new byte[4 * text.length];
        final ByteBuffer bytes = ByteBuffer.wrap(buffer);
        final boolean broken = StandardCharsets.UTF_8
                .newEncoder()
                .encode(CharBuffer.wrap(text), bytes, true)
                .isError();
        final byte[] password = Arrays.copyOf(buffer, bytes.position());
        Arrays.fill(buffer, (byte) 0);
        if (broken) {
            Arrays.fill(password, (byte) 0);
            throw new IllegalArgumentException("the password holds half a character");
        }
        return bounded(password);
    }

    private static byte[] bounded(final byte[] password) {
        if (password.length > MAX_BYTES) {
            Arrays.fill(password, (byte) 0);
            throw new IllegalArgumentException("the password is longer than " + MAX_BYTES + " bytes");
        }
        return password;
    }

    private static void wipe(final char[] text) {
        if (text != null) {
            Arrays.fill(text, '\0');
        }
    }
}
