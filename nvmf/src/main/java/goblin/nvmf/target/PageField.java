// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * One field of a structure that Identify returns: a row of a table.
 *
 * @param name   as the specification calls it
 * @param offset of its first byte
 * @param bytes  its length
 * @param number its value, little-endian, for fields of up to 8 bytes; null for text
 * @param text   its bytes, for text; null for numbers
 * @param pad    what fills the rest of a text
 * @param <T>    what the structure describes
 */
record PageField<T>(String name, int offset, int bytes, ToLongFunction<T> number, Function<T, byte[]> text, byte pad) {

    /** A number of 1 to 8 bytes. */
    static <T> PageField<T> number(
            final int offset, final int bytes, final String name, final ToLongFunction<T> value) {
        return new PageField<>(name, offset, bytes, value, null, (byte) 0);
    }

    /** Text in ASCII, padded with spaces. */
    static <T> PageField<T> spaced(
            final int offset, final int bytes, final String name, final Function<T, String> value) {
        return new PageField<>(name, offset, bytes, null, value.andThen(PageField::ascii), (byte) ' ');
    }

    /** Text in ASCII, padded with zeros. */
    static <T> PageField<T> terminated(
            final int offset, final int bytes, final String name, final Function<T, String> value) {
        return raw(offset, bytes, name, value.andThen(PageField::ascii));
    }

    /** Bytes as they are. */
    static <T> PageField<T> raw(final int offset, final int bytes, final String name, final Function<T, byte[]> value) {
        return new PageField<>(name, offset, bytes, null, value, (byte) 0);
    }

    /** Writes the field. */
    void put(final T subject, final long page) {
        if (number != null) {
            final long value = number.applyAsLong(subject);
            for (int i = 0; i < bytes; i++) {
                Memory.putByte(page + offset + i, (byte) (value >>> (8 * i)));
            }
            return;
        }
        final byte[] value = text.apply(subject);
        final int length = Math.min(value.length, bytes);
        Memory.fill(page + offset, bytes, pad);
        Memory.copyIn(value, 0, page + offset, length);
    }

    private static byte[] ascii(final String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
