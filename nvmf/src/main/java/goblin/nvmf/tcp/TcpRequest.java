// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Iovec;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import goblin.nvmf.target.Request;
import goblin.nvmf.target.RequestVector;
import goblin.nvmf.target.Sqe;

/** A command of one connection, with the memory its data is in: segments it holds, blocks of an arena, or both. */
final class TcpRequest extends Request {
    static final ReceiveSegment[] NO_SEGMENTS = {};

    /** Where a command is on its way. */
    enum Phase {
        /** In the pool. */
        FREE,
        /** Its submission entry is here, perhaps its data comes with it. */
        BEGUN,
        /** Waits for memory. */
        WAITING,
        /** The host was asked for data. */
        RECEIVING,
        /** The target's. */
        EXECUTING,
        /** Its data is on its way to the host. */
        SENDING
    }

    /** Its place in the pool; its transfer tag is one more. */
    final int slot;

    private final long memory;
    private final int inlineEntries;

    Phase phase = Phase.FREE;
    /** Whether {@link goblin.nvmf.target.QueuePair#begin} refused it: it is completed without being run. */
    boolean refused;
    /** Whether a data digest was wrong. */
    boolean damaged;

    // ---- memory reserved

    /** What it asks a {@link CreditQueue} for. */
    long creditBytes;

    /** Whom it asks. */
    CreditQueue credit;

    /** The line it waits in when it waits. */
    Line line;

    /** Whether another request that has its memory is run only with this one. */
    boolean mustNotWait;

    boolean waiting;
    TcpRequest nextWaiting;

    TransferArena arena;
    int chain = TransferArena.NONE;
    int chainBlocks;
    /** Room of its queue that it uses instead of an arena's; 0 when it does not. */
    long room;

    /** Whether its data is copied in any case: a stranger's, which is to keep no segments. */
    boolean copiesAll;

    // ---- data from the host

    ReceiveSegment[] segments = NO_SEGMENTS;
    int segmentCount;
    /** The most entries or segments that it needed since its vector last decayed. */
    int needed;
    /** Whether its vector was in use when it was to decay. */
    boolean isDue;
    /** Bytes that have arrived and are in the vector. */
    long received;
    /** What the host is asked for now, and where that ends. */
    long askedFrom;

    long askedTo;
    /** Whom the host was asked for data next. */
    TcpRequest nextAsked;
    /** Whether any byte was copied into what was reserved. */
    boolean copied;

    /** Since when it is in its phase, for those phases that a host could make last. */
    long sinceNs;

    private TcpRequest(final int slot, final long memory, final int entries) {
        super(memory, new RequestVector(memory + Sqe.BYTES, entries));
        this.slot = slot;
        this.memory = memory;
        inlineEntries = entries;
    }

    /** Makes one whose vector has that many entries before it grows. */
    static TcpRequest make(final int slot, final int entries) {
        return new TcpRequest(slot, Memory.allocate(Sqe.BYTES + (long) entries * Iovec.BYTES), entries);
    }

    /** Native memory that it has now. */
    long nativeBytes() {
        final long larger = vector().isExtended() ? (long) vector().capacity() * Iovec.BYTES : 0;
        return Sqe.BYTES + (long) inlineEntries * Iovec.BYTES + larger;
    }

    /** Gives the request's own memory back. */
    void destroy() {
        Memory.free(memory);
    }

    int tag() {
        return slot + 1;
    }

    /** It has got memory. */
    void reserved(final TransferArena from, final int first) {
        arena = from;
        chain = first;
        chainBlocks = from.blocks(first);
    }

    /** Gives back what {@link #reserved} gave. */
    void giveBackReserved() {
        if (chain != TransferArena.NONE) {
            arena.giveBack(chain);
            chain = TransferArena.NONE;
            chainBlocks = 0;
        }
    }

    /** Lets the vector name the first {@code bytes} bytes of what is reserved. */
    void nameReserved(final long bytes) {
        if (room != 0) {
            vector().append(room, bytes);
            return;
        }
        long left = bytes;
        for (int block = chain; left > 0; block = arena.following(block)) {
            final long part = Math.min(left, arena.length(block));
            if (!vector().append(arena.address(block), part)) {
                throw new IllegalStateException("a reservation does not fit an inline vector");
            }
            left -= part;
        }
    }
}
