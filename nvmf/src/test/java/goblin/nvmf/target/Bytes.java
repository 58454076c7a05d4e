// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads structures by the offsets of the specification, byte by byte, and knows nothing of the tables that write them. */
final class Bytes {
    private final byte[] bytes;

    Bytes(final byte[] bytes) {
        this.bytes = bytes;
    }

    long number(final int offset, final int length) {
        long value = 0;
        for (int i = length - 1; i >= 0; i--) {
            value = (value << 8) | (bytes[offset + i] & 0xFF);
        }
        return value;
    }

    int u8(final int offset) {
        return (int) number(offset, 1);
    }

    int u16(final int offset) {
        return (int) number(offset, 2);
    }

    long u32(final int offset) {
        return number(offset, 4);
    }

    long u64(final int offset) {
        return number(offset, 8);
    }

    String text(final int offset, final int length) {
        return new String(bytes, offset, length, StandardCharsets.US_ASCII);
    }

    byte[] range(final int offset, final int length) {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    boolean isZero(final int offset, final int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[offset + i] != 0) {
                return false;
            }
        }
        return true;
    }
}
