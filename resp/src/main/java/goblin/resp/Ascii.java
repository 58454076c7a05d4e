// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;

/** Questions about ASCII text in native memory. Nothing but {@link #text} allocates. Safe for any thread. */
public final class Ascii {
    private Ascii() {}

    /**
     * Turns a small letter into a capital and leaves every other byte alone.
     *
     * @param value any byte
     * @return the byte, 0 to 255
     */
    public static int upper(final byte value) {
        final int unsigned = value & 0xFF;
        return unsigned >= 'a' && unsigned <= 'z' ? unsigned - 32 : unsigned;
    }

    /**
     * Compares bytes with a word, without regard to the case of ASCII letters.
     *
     * @param address first byte
     * @param length  bytes, 0 or more
     * @param word    ASCII text in any case
     * @return whether they are the same
     */
    public static boolean equalsIgnoreCase(final long address, final long length, final String word) {
        if (length != word.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (upper(Memory.getByte(address + i)) != upper((byte) word.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Makes text of bytes, one character for each byte (ISO 8859-1), so that no byte is lost on the way back.
     *
     * @param address first byte
     * @param length  bytes, 0 or more
     * @return a new string of that length
     */
    public static String text(final long address, final int length) {
        return new String(Memory.toBytes(address, length), StandardCharsets.ISO_8859_1);
    }
}
