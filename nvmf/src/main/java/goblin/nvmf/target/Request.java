// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.BlockOperation;
import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.namespace.Namespace;

/**
 * One command on its way through the target: its submission entry, the vector of its data, its answer. The transport owns
 * a pool of them and subclasses them for its own state; the target has one from {@link QueuePair#begin} until
 * {@link QueueTransport#complete}.
 */
public abstract class Request extends BlockOperation {
    private final long sqe;
    private final RequestVector vector;

    /** What {@link QueuePair#begin} decided. */
    Transfer transfer = Transfer.NONE;
    /** Bytes of data, by the command's own fields. */
    int dataLength;
    /** How its medium wants each piece of the data aligned; 1 when it does not matter. */
    int dataAlignment = 1;
    /** What goes on when storage has finished. */
    StorageStep afterStorage;

    int status;
    long result;

    /** The queue it came on; read by the media's threads when they ask whether it may start. */
    TargetQueue owner;
    /** Whether it has a place in its queue. */
    boolean counted;
    /** Whether it holds its identifier; a duplicate does not. */
    boolean holdsCid;
    /** Whether it was executed and is not completed yet. */
    boolean running;
    /** What an I/O command was checked against; null when it is for all namespaces. */
    Namespace namespace;
    /** The fused pair that it belongs to. */
    FusedPair pair;
    /** Of a command of several operations: where it is. */
    int step;
    /** Bytes that its operations have changed in this turn. */
    long stepBytes;
    /** Whether its next operation is being submitted now, and whether that has completed already. */
    boolean stepping;

    boolean stepDone;

    /**
     * Makes a request.
     *
     * @param sqe    {@link Sqe#BYTES} native bytes that stay with it
     * @param vector its vector
     */
    protected Request(final long sqe, final RequestVector vector) {
        this.sqe = sqe;
        this.vector = vector;
    }

    /**
     * The submission entry.
     *
     * @return its address; see {@link Sqe}
     */
    public final long sqe() {
        return sqe;
    }

    /**
     * The command's identifier.
     *
     * @return 0 to 65535
     */
    public final int cid() {
        return Sqe.cid(sqe);
    }

    /**
     * The data.
     *
     * @return constant; filled by the transport
     */
    public final RequestVector vector() {
        return vector;
    }

    /**
     * Which way the data goes.
     *
     * @return valid after {@link QueuePair#begin}
     */
    public final Transfer transfer() {
        return transfer;
    }

    /**
     * How much data the command itself moves.
     *
     * @return bytes; 0 when there is none. For {@link Transfer#TO_HOST} the memory the transport is to provide
     */
    public final int dataLength() {
        return dataLength;
    }

    /**
     * How its medium wants data from the host to lie: a piece of which the place in the data, the address or the length is no
     * multiple of this will be copied by the medium.
     *
     * @return a power of two; 1 when it does not matter
     */
    public final int dataAlignment() {
        return dataAlignment;
    }

    /**
     * The answer.
     *
     * @return see {@link Status}
     */
    public final int status() {
        return status;
    }

    /**
     * The answer's dwords 0 and 1.
     *
     * @return dword 0 in the lower half
     */
    public final long result() {
        return result;
    }

    /**
     * Sets the answer; the last one given before completion counts.
     *
     * @param newStatus see {@link Status}
     */
    public final void fail(final int newStatus) {
        status = newStatus;
    }

    @Override
    protected final boolean mayStart() {
        return !owner.isFenced();
    }

    @Override
    protected final void completed(final BlockOutcome how) {
        try {
            afterStorage.run(this, how);
        } catch (final RuntimeException thrown) {
            if (owner == null) {
                throw thrown;
            }
            owner.broken(this, thrown);
        }
    }

    /** Becomes a new command of a queue. */
    final void reset(final TargetQueue queue) {
        owner = queue;
        transfer = Transfer.NONE;
        dataLength = 0;
        dataAlignment = 1;
        afterStorage = null;
        status = Status.SUCCESS;
        result = 0;
        counted = false;
        holdsCid = false;
        running = false;
    }

    /** One step of a command that waits for storage. */
    @FunctionalInterface
    interface StorageStep {
        void run(Request request, BlockOutcome how);
    }
}
