// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Shows native memory to libraries that take buffers. Allocates a few small objects. */
final class NativeBytes {
    private NativeBytes() {}

    @SuppressWarnings("restricted")
    static ByteBuffer view(final long address, final long length) {
        return MemorySegment.ofAddress(address).reinterpret(length).asByteBuffer();
    }
}
