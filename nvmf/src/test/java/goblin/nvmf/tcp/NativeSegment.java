// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;

/** A received piece in memory of exactly its size, overwritten when it is given back. */
final class NativeSegment implements ReceiveSegment {
    private static final int PAGE = 4096;

    private final long block;
    private final long address;
    private final int length;
    private int holds = 1;

    NativeSegment(final byte[] stream, final int from, final int to) {
        length = to - from;
        block = Memory.allocate(length);
        address = block;
        Memory.copyIn(stream, from, address, length);
    }

    private NativeSegment(final byte[] content, final int place) {
        length = content.length;
        block = Memory.allocate(length + 2 * PAGE);
        address = (block + PAGE - 1 & -PAGE) + place;
        Memory.copyIn(content, 0, address, length);
    }

    /** A piece that begins at that place of a page. */
    static NativeSegment inPage(final byte[] content, final int place) {
        return new NativeSegment(content, place);
    }

    @Override
    public long address() {
        return address;
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
            Memory.fill(address, length, (byte) 0xDB);
            Memory.free(block);
        }
    }
}
