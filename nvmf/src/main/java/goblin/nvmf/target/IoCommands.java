// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.target.IoCounters.Kind;

/**
 * The I/O commands of one queue (NVM Command Set specification 1.0): Read, Write, Flush, Write Zeroes, Dataset
 * Management, Compare, fused Compare and Write, Verify. On the queue's loop; allocates nothing for a command.
 *
 * <p>The vector of a request goes to the medium as it is. The medium owns the request until it calls back.
 */
final class IoCommands {
    private static final int MEDIA_STATUS = 2;

    private final IoQueue queue;
    private final FusedCommands fused;
    private final SteppedCommands stepped;
    private final Request.StorageStep whenStored = this::stored;

    IoCommands(final IoQueue queue) {
        this.queue = queue;
        fused = new FusedCommands(this);
        stepped = new SteppedCommands(this);
    }

    /**
     * Checks a command that has just arrived; commands must come in the order of the queue, since fused ones are known by
     * their neighbours. May complete the command before it, when that waited for this one in vain.
     *
     * @param request reset for this command
     * @return false when it has failed with {@link Request#status}
     */
    boolean begin(final Request request) {
        request.pair = null;
        request.stepping = false;
        int status = IoChecks.check(queue, request);
        final int fuse = Sqe.fuse(request.sqe());
        if (fuse != 0 || fused.isExpecting()) {
            status = fused.begin(request, fuse, status);
        }
        if (status == Status.SUCCESS) {
            return true;
        }
        request.status = status;
        request.namespace = null;
        request.transfer = Transfer.NONE;
        request.dataLength = 0;
        return false;
    }

    /**
     * Runs a command whose data or memory is there, or completes it when the transport has failed it.
     *
     * @param request begun before
     */
    void execute(final Request request) {
        if (request.pair != null) {
            fused.execute(request);
        } else if (request.status != Status.SUCCESS) {
            end(request);
        } else {
            run(request);
        }
    }

    /**
     * A command was refused before it got here: it parts or fails the pair that it stands in.
     *
     * @param request not begun
     * @param status  with what
     */
    void refused(final Request request, final int status) {
        final int fuse = Sqe.fuse(request.sqe());
        if (fuse != 0 || fused.isExpecting()) {
            fused.begin(request, fuse, status);
        }
    }

    /**
     * Another command than one for I/O has come on the queue: what waits for the second of a pair waits in vain.
     */
    void interrupted() {
        if (fused.isExpecting()) {
            fused.interrupted();
        }
    }

    /**
     * A command that was begun will not be executed; whoever says so completes it.
     *
     * @param request begun and not executed
     */
    void withdrawn(final Request request) {
        if (request.pair != null) {
            fused.withdrawn(request);
        }
    }

    /** The connection is gone: completes what was executed and waits for its other half, and forgets the rest. */
    void closed() {
        fused.closed();
    }

    /** Names the memory of a command that has some. */
    static void attach(final Request request) {
        request.memory(request.vector().iovecs(), request.vector().count());
    }

    /** Gives a described operation to its medium. */
    void submit(final Request request, final Request.StorageStep next) {
        request.afterStorage = next;
        request.namespace.submit(request, queue.inbox());
    }

    /** Does something in a later turn. */
    void later(final Runnable what) {
        queue.later(what);
    }

    /** Gives up a command that waits for memory; whether it did, and then it is to be ended. */
    boolean withdraw(final Request request) {
        return queue.withdraw(request);
    }

    NamespaceTable namespaces() {
        return queue.namespaces();
    }

    /** Notes how storage has ended; the first failure of a command counts. */
    void note(final Request request, final BlockOutcome how) {
        if (how == BlockOutcome.DONE) {
            return;
        }
        if (request.status == Status.SUCCESS) {
            request.status = statusOf(how);
        }
        if (Status.type(request.status) == MEDIA_STATUS && how != BlockOutcome.MISCOMPARE) {
            queue.counters().add(Kind.MEDIA_ERRORS, 1);
        }
    }

    /** Counts a command if it succeeded, and completes it. */
    void end(final Request request) {
        if (request.status == Status.SUCCESS) {
            count(request);
        }
        request.namespace = null;
        queue.complete(request);
    }

    private void run(final Request request) {
        final long sqe = request.sqe();
        switch (Sqe.opcode(sqe)) {
            case Opcode.DATASET_MANAGEMENT -> stepped.start(request);
            case Opcode.FLUSH -> {
                if (request.namespace == null) {
                    stepped.start(request);
                } else {
                    submit(request, whenStored);
                }
            }
            case Opcode.READ -> {
                // What a read with FUA returns must be durable (NVM Command Set specification, Read).
                if ((Sqe.dword(sqe, 12) & IoChecks.FORCE_UNIT_ACCESS) != 0
                        && request.namespace.traits().volatileCache()) {
                    stepped.start(request);
                } else {
                    attach(request);
                    submit(request, whenStored);
                }
            }
            default -> {
                if (request.transfer != Transfer.NONE) {
                    attach(request);
                }
                submit(request, whenStored);
            }
        }
    }

    private void stored(final Request request, final BlockOutcome how) {
        note(request, how);
        end(request);
    }

    private void count(final Request request) {
        final IoCounters counters = queue.counters();
        switch (Sqe.opcode(request.sqe())) {
            case Opcode.READ, Opcode.COMPARE, Opcode.VERIFY -> {
                counters.add(Kind.READS, 1);
                counters.add(Kind.READ_BYTES, request.length());
            }
            case Opcode.WRITE -> {
                counters.add(Kind.WRITES, 1);
                counters.add(Kind.WRITTEN_BYTES, request.length());
            }
            default -> {}
        }
    }

    private static int statusOf(final BlockOutcome how) {
        return switch (how) {
            case DONE -> Status.SUCCESS;
            case MISCOMPARE -> Status.COMPARE_FAILURE;
            case WRITE_FAILED -> Status.WRITE_FAULT;
            case READ_FAILED -> Status.UNRECOVERED_READ_ERROR;
            // It fails until the namespace is opened again: trying again would only hide that.
            case SYNC_FAILED -> IoChecks.refused(Status.WRITE_FAULT);
            case NO_SPACE -> IoChecks.refused(Status.CAPACITY_EXCEEDED);
            case READ_ONLY -> IoChecks.refused(Status.NAMESPACE_WRITE_PROTECTED);
            case REMOVED -> IoChecks.refused(Status.INVALID_NAMESPACE);
            case FENCED -> Status.ABORTED_SQ_DELETION;
            case OUT_OF_RANGE -> IoChecks.refused(Status.LBA_OUT_OF_RANGE);
            case FAILED -> Status.INTERNAL_ERROR;
        };
    }
}
