// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;

/** Reads vectors in tests. */
final class VectorBytesOf {
    private VectorBytesOf() {}

    static byte[] all(final RequestVector vector) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < vector.count(); i++) {
            bytes.writeBytes(Memory.toBytes(vector.address(i), (int) vector.length(i)));
        }
        return bytes.toByteArray();
    }
}
