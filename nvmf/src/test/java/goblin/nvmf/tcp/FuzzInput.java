// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import java.util.Arrays;

/** What a fuzzer chose, taken from front to back; zeros when it is used up. */
final class FuzzInput {
    private final byte[] bytes;
    private int at;

    FuzzInput(final byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isEmpty() {
        return at >= bytes.length;
    }

    /** 0 to 255. */
    int octet() {
        return at < bytes.length ? bytes[at++] & 0xFF : 0;
    }

    int word() {
        return octet() | octet() << 8;
    }

    int dword() {
        return word() | word() << 16;
    }

    byte[] take(final int length) {
        final byte[] taken = new byte[length];
        final int count = Math.min(length, bytes.length - at);
        System.arraycopy(bytes, at, taken, 0, count);
        at += count;
        return taken;
    }

    /** Rising places inside a stream where it is to be cut. */
    int[] cuts(final int streamLength) {
        final int mode = octet();
        final int[] cuts = new int[streamLength];
        int count = 0;
        int place = 0;
        int lot = mode;
        while (true) {
            // Mode 0 is byte by byte; the others vary their pieces around a size of their own.
            lot = lot * 1_103_515_245 + 12_345;
            place += mode == 0 ? 1 : 1 + ((lot >>> 16) & 0xFF) % mode;
            if (place >= streamLength) {
                return Arrays.copyOf(cuts, count);
            }
            cuts[count++] = place;
        }
    }
}
