// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.concurrent.RejectedExecutionException;

/** Admin commands other than those of Fabrics. On the admin queue's loop. */
final class AdminCommands {
    /** Abort commands that may wait for other loops. */
    static final int ABORT_LIMIT = 4;

    private static final int NOT_ABORTED = 1;

    private AdminCommands() {}

    static boolean begin(final TargetQueue queue, final Request request) {
        final long sqe = request.sqe();
        if (!queue.controller().isEnabled()) {
            return TargetQueue.refuse(request, Status.SEQUENCE_ERROR | Status.DO_NOT_RETRY);
        }
        if (Sqe.fuse(sqe) != 0) {
            return TargetQueue.refuse(request, Status.INVALID_FIELD | Status.DO_NOT_RETRY);
        }
        return switch (Sqe.opcode(sqe)) {
            case Opcode.ABORT, Opcode.ASYNC_EVENT_REQUEST, Opcode.KEEP_ALIVE ->
                Sqe.nsid(sqe) == 0 || TargetQueue.refuse(request, Status.INVALID_FIELD | Status.DO_NOT_RETRY);
            case Opcode.GET_FEATURES, Opcode.SET_FEATURES -> FeatureCommands.begin(queue, request);
            case Opcode.IDENTIFY -> TargetQueue.take(request, Transfer.TO_HOST, IdentifyCommand.BYTES);
            case Opcode.GET_LOG_PAGE -> LogPageCommand.begin(queue, request);
            default -> TargetQueue.refuse(request, Status.INVALID_OPCODE | Status.DO_NOT_RETRY);
        };
    }

    static void execute(final TargetQueue queue, final Request request) {
        switch (Sqe.opcode(request.sqe())) {
            case Opcode.KEEP_ALIVE -> queue.complete(request);
            case Opcode.ASYNC_EVENT_REQUEST -> {
                if (!queue.controller().events().park(request)) {
                    queue.complete(request, Status.AER_LIMIT_EXCEEDED | Status.DO_NOT_RETRY);
                }
            }
            case Opcode.ABORT -> abort(queue, request);
            case Opcode.IDENTIFY -> queue.complete(request, IdentifyCommand.execute(queue.controller(), request));
            case Opcode.GET_LOG_PAGE -> queue.complete(request, LogPageCommand.execute(queue, request));
            case Opcode.GET_FEATURES -> queue.complete(request, FeatureCommands.get(queue.controller(), request));
            case Opcode.SET_FEATURES -> queue.complete(request, FeatureCommands.set(queue.controller(), request));
            default -> queue.complete(request, Status.INTERNAL_ERROR);
        }
    }

    private static void abort(final TargetQueue queue, final Request request) {
        final Controller controller = queue.controller();
        final int sqid = Sqe.dword(request.sqe(), 10) & 0xFFFF;
        final int cid = Sqe.dword(request.sqe(), 10) >>> 16;
        queue.target().counters().add(TargetCounter.ABORTS);
        if (sqid == 0) {
            answer(queue, request, controller.events().abort(cid) || queue.abort(cid));
            return;
        }
        final TargetQueue other = controller.ioQueue(sqid);
        if (other == null) {
            answer(queue, request, false);
        } else if (other.transport().loop() == queue.transport().loop()) {
            answer(queue, request, other.abort(cid));
        } else if (controller.beginAbort(ABORT_LIMIT)) {
            abortElsewhere(queue, request, other, cid);
        } else {
            queue.complete(request, Status.ABORT_LIMIT_EXCEEDED | Status.DO_NOT_RETRY);
        }
    }

    private static void abortElsewhere(
            final TargetQueue queue, final Request request, final TargetQueue other, final int cid) {
        final Controller controller = queue.controller();
        try {
            other.transport().loop().execute(() -> {
                final boolean[] aborted = {false};
                try {
                    aborted[0] = other.abort(cid);
                } finally {
                    // Also when that meets a fault, which the other loop reports: the host waits for an answer.
                    queue.transport().loop().execute(() -> {
                        controller.endAbort();
                        answer(queue, request, aborted[0]);
                    });
                }
            });
        } catch (final RejectedExecutionException ended) {
            controller.endAbort();
            answer(queue, request, false);
        }
    }

    private static void answer(final TargetQueue queue, final Request request, final boolean aborted) {
        if (aborted) {
            queue.target().counters().add(TargetCounter.ABORTED);
        }
        request.result = aborted ? 0 : NOT_ABORTED;
        queue.complete(request);
    }
}
