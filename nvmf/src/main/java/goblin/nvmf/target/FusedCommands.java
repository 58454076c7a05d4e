// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.BlockCommand;
import goblin.nvmf.namespace.BlockOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * Fused Compare and Write of one queue (NVM Express Base specification, Fused Operations): two commands, one right after
 * the other, that the medium runs as one step once the data of both is there, in whatever order it comes. When one of
 * them fails neither is run. On the queue's loop.
 */
final class FusedCommands {
    private static final int FIRST = 1;
    private static final int SECOND = 2;

    private final IoCommands io;
    private final List<FusedPair> pairs = new ArrayList<>();
    private final Request.StorageStep whenStored = this::stored;

    /** Its second has not come yet; null when the last command was no first. */
    private FusedPair expecting;
    /** The last command was a first that failed, which its second is to share. */
    private boolean firstFailed;

    private boolean closed;

    FusedCommands(final IoCommands io) {
        this.io = io;
    }

    /** Whether the next command matters, fused or not. */
    boolean isExpecting() {
        return expecting != null || firstFailed;
    }

    /** Looks at a command in its queue's order; {@code status} is what its own checks said. */
    int begin(final Request request, final int fuse, final int status) {
        if (fuse == SECOND) {
            return beginSecond(request, status);
        }
        interrupted();
        if (fuse == 0) {
            return status;
        }
        int verdict = status;
        if (verdict == Status.SUCCESS && (fuse != FIRST || Sqe.opcode(request.sqe()) != Opcode.COMPARE)) {
            verdict = IoChecks.refused(Status.INVALID_FIELD);
        }
        if (verdict == Status.SUCCESS) {
            expecting = free();
            expecting.begin(request);
        } else {
            firstFailed = fuse == FIRST;
        }
        return verdict;
    }

    /** The data of one is there, or the transport has failed it. */
    void execute(final Request request) {
        final FusedPair pair = request.pair;
        if (request.status != Status.SUCCESS) {
            failOther(request);
            io.end(request);
            return;
        }
        if (pair.first == request) {
            pair.firstReady = true;
        } else {
            pair.secondReady = true;
        }
        if (pair.firstReady && pair.secondReady) {
            run(pair);
        }
    }

    /** The last command's second does not come. */
    void interrupted() {
        firstFailed = false;
        if (expecting != null) {
            final FusedPair pair = expecting;
            expecting = null;
            final Request first = pair.first;
            final boolean ready = pair.firstReady;
            pair.release();
            fail(first, ready, Status.ABORTED_MISSING_FUSED);
        }
    }

    /** One of a pair will never be executed. */
    void withdrawn(final Request request) {
        failOther(request);
    }

    void closed() {
        closed = true;
        expecting = null;
        firstFailed = false;
        for (final FusedPair pair : pairs) {
            if (pair.running) {
                continue;
            }
            if (!pair.isFree()) {
                final Request first = pair.first;
                final Request second = pair.second;
                pair.release();
                if (pair.firstReady) {
                    fail(first, true, Status.ABORTED_SQ_DELETION);
                }
                if (second != null && pair.secondReady) {
                    fail(second, true, Status.ABORTED_SQ_DELETION);
                }
            }
            pair.free();
        }
    }

    private int beginSecond(final Request request, final int status) {
        final FusedPair pair = expecting;
        final boolean shareFailure = firstFailed;
        expecting = null;
        firstFailed = false;
        if (pair == null) {
            return shareFailure ? Status.ABORTED_FAILED_FUSED : Status.ABORTED_MISSING_FUSED;
        }
        final Request first = pair.first;
        int verdict = status;
        if (verdict == Status.SUCCESS && !fit(first, request)) {
            verdict = IoChecks.refused(Status.INVALID_FIELD);
        }
        if (verdict == Status.SUCCESS) {
            pair.join(request);
        } else {
            final boolean ready = pair.firstReady;
            pair.release();
            fail(first, ready, Status.ABORTED_FAILED_FUSED);
        }
        return verdict;
    }

    private static boolean fit(final Request first, final Request second) {
        return Sqe.opcode(second.sqe()) == Opcode.WRITE
                && first.namespace == second.namespace
                && first.offset() == second.offset()
                && first.length() == second.length();
    }

    private void run(final FusedPair pair) {
        final Request first = pair.first;
        pair.running = true;
        pair.combine(first.length());
        final boolean durable = pair.second.durable();
        first.describe(BlockCommand.COMPARE_AND_WRITE, first.offset(), first.length());
        first.durable(durable);
        first.memory(pair.iovecs(), pair.count());
        io.submit(first, whenStored);
    }

    private void stored(final Request first, final BlockOutcome how) {
        final FusedPair pair = first.pair;
        final Request second = pair.second;
        if (how == BlockOutcome.MISCOMPARE || how == BlockOutcome.READ_FAILED) {
            io.note(first, how);
            second.status = Status.ABORTED_FAILED_FUSED;
        } else if (how != BlockOutcome.DONE) {
            io.note(second, how);
            first.status = Status.ABORTED_FAILED_FUSED;
        }
        pair.release();
        if (closed) {
            pair.free();
        }
        try {
            io.end(first);
        } finally {
            io.end(second);
        }
    }

    /** Takes a failed command out of its pair and lets the other one fail with it. */
    private void failOther(final Request request) {
        final FusedPair pair = request.pair;
        final boolean isFirst = pair.first == request;
        final Request other = isFirst ? pair.second : pair.first;
        final boolean ready = isFirst ? pair.secondReady : pair.firstReady;
        if (pair == expecting) {
            expecting = null;
            firstFailed = true;
        }
        pair.release();
        if (other != null) {
            fail(other, ready, Status.ABORTED_FAILED_FUSED);
        }
    }

    /** Fails a command; one whose data the host was asked for completes when that has arrived. */
    private void fail(final Request request, final boolean ready, final int status) {
        if (request.status == Status.SUCCESS) {
            request.status = status;
        }
        if (ready || io.withdraw(request)) {
            io.end(request);
        }
    }

    private FusedPair free() {
        for (final FusedPair pair : pairs) {
            if (pair.isFree()) {
                return pair;
            }
        }
        final FusedPair pair = new FusedPair();
        pairs.add(pair);
        return pair;
    }
}
