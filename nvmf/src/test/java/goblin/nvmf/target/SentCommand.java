// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.Iovec;
import goblin.net.linux.Memory;

/** A command that a test sent, and what came of it. */
final class SentCommand extends Request {
    byte[] data;
    private final long memory;
    private long dataMemory;
    private int answers;
    private boolean returned;
    private int head;

    SentCommand(final byte[] sqe) {
        this(Memory.allocate(Sqe.BYTES + (long) RequestVector.INLINE * Iovec.BYTES), sqe);
    }

    private SentCommand(final long memory, final byte[] sqe) {
        super(memory, new RequestVector(memory + Sqe.BYTES));
        this.memory = memory;
        Memory.copyIn(sqe, 0, memory, Sqe.BYTES);
    }

    /** Whether the host got an answer. */
    boolean isAnswered() {
        return answers == 1;
    }

    /** Whether the transport got it back, with or without a connection to answer on. */
    boolean isReturned() {
        return returned;
    }

    /** The status without "do not retry". */
    int code() {
        return status() & ~Status.DO_NOT_RETRY;
    }

    boolean isFinal() {
        return (status() & Status.DO_NOT_RETRY) != 0;
    }

    int head() {
        return head;
    }

    /** The data that the vector holds. */
    byte[] bytes() {
        return VectorBytes.read(vector(), dataLength());
    }

    void provide(final int pieces, final byte[] contents) {
        final int length = dataLength();
        if (length == 0) {
            return;
        }
        // A gap between the pieces keeps them from becoming one.
        final int size = Math.ceilDiv(length, pieces);
        dataMemory = Memory.allocate(length + 8L * pieces);
        int done = 0;
        for (int i = 0; done < length; i++) {
            final int piece = Math.min(size, length - done);
            final long at = dataMemory + done + 8L * i;
            if (contents != null) {
                Memory.copyIn(contents, done, at, piece);
            }
            vector().append(at, piece);
            done += piece;
        }
    }

    void answered(final int sqHead, final boolean nobodyThere) {
        if (returned) {
            throw new AssertionError("completed twice: cid " + cid());
        }
        returned = true;
        head = sqHead;
        answers = nobodyThere ? 0 : 1;
    }

    void free() {
        Memory.free(memory);
        if (dataMemory != 0) {
            Memory.free(dataMemory);
        }
    }
}
