// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** NVMe qualified names: up to 223 bytes of UTF-8 that begin with {@code nqn.}. */
public final class Nqn {
    /** The well-known name of discovery subsystems. */
    public static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";

    /** Bytes of a name at most, without its end. */
    public static final int MAX_BYTES = 223;

    private static final String PREFIX = "nqn.";

    private Nqn() {}

    /**
     * Tells whether a text may be a name.
     *
     * @param name any text
     * @return whether it begins as names do, has no control characters and is not too long
     */
    public static boolean isValid(final String name) {
        return name.startsWith(PREFIX)
                && name.length() > PREFIX.length()
                && name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES
                && name.chars().noneMatch(Character::isISOControl);
    }

    /**
     * A name as people may safely see it: hosts choose theirs, and a terminal or a log must not obey them.
     *
     * @param name any text
     * @return printable ASCII; every other byte of its UTF-8, and every backslash, is {@code \\x} and two digits
     */
    public static String printable(final String name) {
        final byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return printable(bytes, 0, bytes.length);
    }

    private static String printable(final byte[] bytes, final int offset, final int length) {
        final StringBuilder text = new StringBuilder(length);
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] >= ' ' && bytes[i] < 0x7F && bytes[i] != '\\') {
                text.append((char) bytes[i]);
            } else {
                text.append("\\x").append(HexFormat.of().toHexDigits(bytes[i]));
            }
        }
        return text.toString();
    }

    /**
     * Reads a field that ends with a NUL; null when it has none, or is not UTF-8: names that differ must not read alike.
     * Nothing past the field is looked at.
     */
    static String read(final byte[] bytes, final int offset, final int length) {
        final int end = end(bytes, offset, length);
        if (end == offset + length) {
            return null;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, offset, end - offset))
                    .toString();
        } catch (final CharacterCodingException malformed) {
            return null;
        }
    }

    /** What people see of such a field, whatever is in it. */
    static String readPrintable(final byte[] bytes, final int offset, final int length) {
        final int end = end(bytes, offset, length);
        return end == offset + length ? "(without an end)" : printable(bytes, offset, end - offset);
    }

    private static int end(final byte[] bytes, final int offset, final int length) {
        int end = offset;
        while (end < offset + length && bytes[end] != 0) {
            end++;
        }
        return end;
    }
}
