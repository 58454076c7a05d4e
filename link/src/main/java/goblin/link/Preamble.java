// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import java.nio.charset.StandardCharsets;

/** The 8 bytes that begin every link and tell it from RESP on the same port. */
public final class Preamble {
    /** The text of the preamble, ASCII. */
    public static final String TEXT = "GOBLINS!";

    /** Its length in bytes. */
    public static final int LENGTH = 8;

    private static final byte[] BYTES = TEXT.getBytes(StandardCharsets.US_ASCII);

    private Preamble() {}

    /**
     * One byte of it.
     *
     * @param index 0 to 7
     * @return the byte
     */
    public static byte at(final int index) {
        return BYTES[index];
    }

    static byte[] bytes() {
        return BYTES;
    }
}
