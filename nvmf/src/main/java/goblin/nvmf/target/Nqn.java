// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.nio.charset.StandardCharsets;

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

    /** Reads a field that ends with a NUL; null when it has none. Nothing past the field is looked at. */
    static String read(final byte[] bytes, final int offset, final int length) {
        for (int end = offset; end < offset + length; end++) {
            if (bytes[end] == 0) {
                return new String(bytes, offset, end - offset, StandardCharsets.UTF_8);
            }
        }
        return null;
    }
}
