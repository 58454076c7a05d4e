// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import java.util.Arrays;

/** A received piece, overwritten when it is given back: in memory of exactly its size, or behind others in a run. */
final class NativeSegment implements ReceiveSegment {
    private final long address;
    private final int length;
    private final Run run;
    private int holds = 1;

    NativeSegment(final byte[] stream, final int from, final int to) {
        this(new Run(to - from, 0), Arrays.copyOfRange(stream, from, to));
        run.release();
    }

    /** The next piece of a run. */
    NativeSegment(final Run run, final byte[] content) {
        this.run = run;
        length = content.length;
        address = run.take(length);
        Memory.copyIn(content, 0, address, length);
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
            run.release();
        }
    }

    /** Memory for pieces that touch; it lives until its maker and all its pieces have released it. */
    static final class Run {
        private static final int PAGE = 4096;

        private final long block;
        private long next;
        private int holds = 1;

        private Run(final long bytes, final int spare) {
            block = Memory.allocate(bytes + spare);
            next = block;
        }

        /** Which begins at that place of a page. */
        static Run inPage(final long bytes, final int place) {
            final Run run = new Run(bytes, 2 * PAGE);
            run.next = (run.block + PAGE - 1 & -PAGE) + place;
            return run;
        }

        private long take(final int length) {
            final long address = next;
            next += length;
            holds++;
            return address;
        }

        void release() {
            holds--;
            if (holds == 0) {
                Memory.free(block);
            }
        }
    }
}
