// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;

/** Small data of rare commands, copied between a request's vector and an array. */
final class VectorBytes {
    private VectorBytes() {}

    /** Copies the vector's first bytes out. */
    static byte[] read(final RequestVector vector, final int length) {
        final byte[] bytes = new byte[length];
        int done = 0;
        for (int i = 0; i < vector.count() && done < length; i++) {
            final int piece = (int) Math.min(vector.length(i), length - done);
            Memory.copyOut(vector.address(i), bytes, done, piece);
            done += piece;
        }
        return bytes;
    }

    /** Copies bytes in; zeros follow them to the vector's end. */
    static void write(final RequestVector vector, final byte[] bytes) {
        int done = 0;
        for (int i = 0; i < vector.count(); i++) {
            final int piece = (int) Math.min(vector.length(i), bytes.length - done);
            Memory.copyIn(bytes, done, vector.address(i), piece);
            Memory.fill(vector.address(i) + piece, vector.length(i) - piece, (byte) 0);
            done += piece;
        }
    }
}
