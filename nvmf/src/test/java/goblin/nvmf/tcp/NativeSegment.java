// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;

/** A received piece in memory of exactly its size, overwritten when it is given back. */
final class NativeSegment implements ReceiveSegment {
    private final long block;
    private final int length;
    private int holds = 1;

    NativeSegment(final byte[] stream, final int from, final int to) {
        length = to - from;
        block = Memory.allocate(length);
        Memory.copyIn(stream, from, block, length);
    }

    @Override
    public long address() {
        return block;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void retain() {
        if (holds == 0) {
            throw new IllegalStateException("retained after its end");
        }
        holds++;
    }

    @Override
    public void release() {
        holds--;
        if (holds == 0) {
            Memory.fill(block, length, (byte) 0xDB);
            Memory.free(block);
        }
    }
}
