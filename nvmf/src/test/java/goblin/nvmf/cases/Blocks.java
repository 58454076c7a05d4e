// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import java.util.Arrays;
import java.util.Random;

/** Data for tests. */
final class Blocks {
    private Blocks() {}

    static byte[] random(final int length, final long seed) {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static byte[] filled(final int length, final int value) {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    static byte[] part(final byte[] bytes, final int from, final int length) {
        return Arrays.copyOfRange(bytes, from, from + length);
    }
}
