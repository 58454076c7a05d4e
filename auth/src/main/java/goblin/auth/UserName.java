// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A user's name as bytes, usable as a key; the bytes are not copied and must not change. */
final class UserName {
    /** The user of {@code AUTH password}. */
    static final String DEFAULT = "default";

    static final int MAX_BYTES = 255;

    private final byte[] bytes;

    UserName(final byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes a name from a person; throws IllegalArgumentException with a reason when it cannot stand in a line. */
    static UserName of(final String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("a user name has 1 to " + MAX_BYTES + " bytes");
        }
        if (text.startsWith("#")
                || text.chars()
                        .anyMatch(c ->
                                c == ':' || c == 0xFFFD || Character.isISOControl(c) || Character.isWhitespace(c))) {
            throw new IllegalArgumentException(
                    "a user name has no spaces, colons or control characters and does not begin with #");
        }
        return new UserName(bytes);
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof UserName name && Arrays.equals(bytes, name.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
