// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.BlockCommand;
import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.namespace.Namespace;

/**
 * Commands that need several operations of storage, one after the other: a flush of all namespaces, the ranges of Dataset
 * Management, a read with FUA (a flush, then the read). On the queue's loop.
 */
final class SteppedCommands {
    /** After so much a command goes on in the next turn: a medium may clear a range inside submit. */
    private static final long TURN_BYTES = 4 << 20;

    private final IoCommands io;
    private final Request.StorageStep whenStored = this::stored;

    SteppedCommands(final IoCommands io) {
        this.io = io;
    }

    void start(final Request request) {
        request.step = 0;
        request.stepBytes = 0;
        if (Sqe.opcode(request.sqe()) == Opcode.DATASET_MANAGEMENT && !rangesReach(request)) {
            request.status = IoChecks.refused(Status.LBA_OUT_OF_RANGE);
            io.end(request);
            return;
        }
        advance(request);
    }

    private void stored(final Request request, final BlockOutcome how) {
        final boolean flush = Sqe.opcode(request.sqe()) == Opcode.FLUSH;
        // A namespace that was removed meanwhile has nothing to flush; the others are flushed whatever becomes of one.
        if (!flush || how != BlockOutcome.REMOVED) {
            io.note(request, how);
        }
        if (!flush && how != BlockOutcome.DONE) {
            request.step = Integer.MAX_VALUE;
        }
        advance(request);
    }

    private void advance(final Request request) {
        if (request.stepping) {
            // The medium completed inside submit: the loop below goes on, so that the stack does not grow.
            request.stepDone = true;
            return;
        }
        request.stepping = true;
        boolean submitted;
        do {
            request.stepDone = false;
            submitted = next(request);
        } while (submitted && request.stepDone && request.stepBytes < TURN_BYTES);
        request.stepping = false;
        if (!submitted) {
            io.end(request);
        } else if (request.stepDone) {
            request.stepBytes = 0;
            io.later(() -> goOn(request));
        }
    }

    private void goOn(final Request request) {
        try {
            advance(request);
        } catch (final RuntimeException thrown) {
            if (request.owner == null) {
                throw thrown;
            }
            request.owner.broken(request, thrown);
        }
    }

    /** Starts the next operation; false when there is none. */
    private boolean next(final Request request) {
        return switch (Sqe.opcode(request.sqe())) {
            case Opcode.FLUSH -> nextNamespace(request);
            case Opcode.DATASET_MANAGEMENT -> nextRange(request);
            default -> nextOfRead(request);
        };
    }

    private boolean nextNamespace(final Request request) {
        final NamespaceTable table = io.namespaces();
        while (request.step < table.highestNsid()) {
            final NamespaceEntry entry = table.find(++request.step);
            if (entry != null) {
                request.namespace = entry.namespace();
                io.submit(request, whenStored);
                return true;
            }
        }
        return false;
    }

    private boolean nextRange(final Request request) {
        final long sqe = request.sqe();
        final Namespace namespace = request.namespace;
        if ((Sqe.dword(sqe, 11) & IoChecks.DEALLOCATE_RANGES) == 0
                || !namespace.traits().deallocates()) {
            return false;
        }
        final int ranges = IoChecks.rangeCount(sqe);
        while (request.step < ranges) {
            final int range = request.step++;
            final long blocks = blocks(request, range);
            if (blocks > 0) {
                final long blockBytes = namespace.blockBytes();
                request.stepBytes += blocks * blockBytes;
                request.describe(BlockCommand.DEALLOCATE, first(request, range) * blockBytes, blocks * blockBytes);
                io.submit(request, whenStored);
                return true;
            }
        }
        return false;
    }

    private boolean nextOfRead(final Request request) {
        if (request.step == 0) {
            request.describe(BlockCommand.FLUSH, 0, 0);
        } else if (request.step == 1) {
            final long blockBytes = request.namespace.blockBytes();
            request.describe(BlockCommand.READ, Sqe.firstBlock(request.sqe()) * blockBytes, request.dataLength);
            IoCommands.attach(request);
        } else {
            return false;
        }
        request.step++;
        io.submit(request, whenStored);
        return true;
    }

    private static boolean rangesReach(final Request request) {
        final int ranges = IoChecks.rangeCount(request.sqe());
        for (int range = 0; range < ranges; range++) {
            final long blocks = blocks(request, range);
            if (blocks > 0 && !IoChecks.reaches(request.namespace, first(request, range), blocks)) {
                return false;
            }
        }
        return true;
    }

    private static long blocks(final Request request, final int range) {
        return VectorReader.u32(request.vector(), (long) range * IoChecks.RANGE_BYTES + 4);
    }

    private static long first(final Request request, final int range) {
        return VectorReader.u64(request.vector(), (long) range * IoChecks.RANGE_BYTES + 8);
    }
}
