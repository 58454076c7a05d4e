// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.BlockCommand;
import goblin.nvmf.namespace.Namespace;

/**
 * Everything that can be wrong with an I/O command before its data is there (NVM Command Set specification 1.0), in this
 * order: opcode, SGL use, namespace, path, write protection, range of blocks, MDTS, length of the SGL.
 *
 * <p>The SGL of a command that moves blocks must be exactly as long as they are, as SGLS bit 18 = 0 says; a longer one is
 * refused, not cut. Dataset Management alone may bring more than its ranges: the Linux kernel always sends 4096 bytes.
 *
 * <p>A flush of all namespaces is done whatever their ANA states are: it is sent to the subsystem, not along a path to one
 * namespace, and no host can want less to be durable.
 */
final class IoChecks {
    /** All namespaces. */
    static final int ALL_NAMESPACES = 0xFFFF_FFFF;

    /** FUA in dword 12. */
    static final int FORCE_UNIT_ACCESS = 1 << 30;

    /** DEAC in dword 12 of Write Zeroes. */
    static final int DEALLOCATE_ZEROES = 1 << 25;

    /** AD in dword 11 of Dataset Management. */
    static final int DEALLOCATE_RANGES = 1 << 2;

    /** Bytes of a range of Dataset Management. */
    static final int RANGE_BYTES = 16;

    private IoChecks() {}

    /**
     * Checks a command and, when it is good, says which way its data goes and describes the storage operation.
     *
     * @return {@link Status#SUCCESS} or what it is refused with
     */
    static int check(final IoQueue queue, final Request request) {
        request.namespace = null;
        return switch (Sqe.opcode(request.sqe())) {
            case Opcode.READ -> transfer(queue, request, BlockCommand.READ, Transfer.TO_HOST);
            case Opcode.WRITE -> transfer(queue, request, BlockCommand.WRITE, Transfer.FROM_HOST);
            case Opcode.COMPARE -> transfer(queue, request, BlockCommand.COMPARE, Transfer.FROM_HOST);
            case Opcode.WRITE_ZEROES -> range(queue, request, BlockCommand.WRITE_ZEROES);
            case Opcode.VERIFY -> range(queue, request, BlockCommand.VERIFY);
            case Opcode.FLUSH -> flush(queue, request);
            case Opcode.DATASET_MANAGEMENT -> dataset(queue, request);
            default -> refused(Status.INVALID_OPCODE);
        };
    }

    /** Tells whether blocks lie inside a namespace; the numbers are unsigned and their sum may not be one. */
    static boolean reaches(final Namespace namespace, final long firstBlock, final long blocks) {
        final long size = namespace.blocks();
        return Long.compareUnsigned(firstBlock, size) < 0 && blocks <= size - firstBlock;
    }

    /** How many ranges a Dataset Management command has. */
    static int rangeCount(final long sqe) {
        return (Sqe.dword(sqe, 10) & 0xFF) + 1;
    }

    static int refused(final int status) {
        return status | Status.DO_NOT_RETRY;
    }

    private static int transfer(
            final IoQueue queue, final Request request, final BlockCommand command, final Transfer transfer) {
        final long sqe = request.sqe();
        if (!usesSgl(sqe)) {
            return refused(Status.INVALID_FIELD);
        }
        final int status = range(queue, request, command);
        if (status != Status.SUCCESS) {
            return status;
        }
        final long bytes = request.length();
        if (bytes > queue.maxIoBytes()) {
            return refused(Status.INVALID_FIELD);
        }
        if (Sqe.sglLength(sqe) != bytes) {
            return refused(Status.DATA_SGL_LENGTH_INVALID);
        }
        request.transfer = transfer;
        request.dataLength = (int) bytes;
        if (command == BlockCommand.WRITE) {
            request.dataAlignment = request.namespace.traits().dataAlignment();
        }
        return Status.SUCCESS;
    }

    private static int range(final IoQueue queue, final Request request, final BlockCommand command) {
        final int status = open(queue, request, command.changes());
        if (status != Status.SUCCESS) {
            return status;
        }
        final long sqe = request.sqe();
        final Namespace namespace = request.namespace;
        final int blocks = Sqe.blockCount(sqe);
        if (!reaches(namespace, Sqe.firstBlock(sqe), blocks)) {
            return refused(Status.LBA_OUT_OF_RANGE);
        }
        final long blockBytes = namespace.blockBytes();
        request.describe(command, Sqe.firstBlock(sqe) * blockBytes, blocks * blockBytes);
        if (command.changes()) {
            final int flags = Sqe.dword(sqe, 12);
            request.durable((flags & FORCE_UNIT_ACCESS) != 0 || queue.writesThrough());
            request.deallocate(command == BlockCommand.WRITE_ZEROES && (flags & DEALLOCATE_ZEROES) != 0);
        }
        return Status.SUCCESS;
    }

    private static int flush(final IoQueue queue, final Request request) {
        request.describe(BlockCommand.FLUSH, 0, 0);
        return Sqe.nsid(request.sqe()) == ALL_NAMESPACES ? Status.SUCCESS : open(queue, request, false);
    }

    private static int dataset(final IoQueue queue, final Request request) {
        final long sqe = request.sqe();
        if (!usesSgl(sqe)) {
            return refused(Status.INVALID_FIELD);
        }
        final int status = open(queue, request, (Sqe.dword(sqe, 11) & DEALLOCATE_RANGES) != 0);
        if (status != Status.SUCCESS) {
            return status;
        }
        final long bytes = Sqe.sglLength(sqe);
        if (bytes > queue.maxIoBytes()) {
            return refused(Status.INVALID_FIELD);
        }
        if (bytes < (long) rangeCount(sqe) * RANGE_BYTES) {
            return refused(Status.DATA_SGL_LENGTH_INVALID);
        }
        request.transfer = Transfer.FROM_HOST;
        // Any length may be described (SGLS), only whole dwords can be asked for; ranges are whole ones.
        request.dataLength = (int) bytes & -4;
        return Status.SUCCESS;
    }

    private static int open(final IoQueue queue, final Request request, final boolean changes) {
        final NamespaceEntry entry = queue.namespaces().find(Sqe.nsid(request.sqe()));
        if (entry == null) {
            return refused(Status.INVALID_NAMESPACE);
        }
        final int path = entry.anaState().status();
        if (path != Status.SUCCESS) {
            // The host is to try another path: never "do not retry".
            return path;
        }
        if (changes && entry.namespace().traits().readOnly()) {
            return refused(Status.NAMESPACE_WRITE_PROTECTED);
        }
        request.namespace = entry.namespace();
        return Status.SUCCESS;
    }

    private static boolean usesSgl(final long sqe) {
        final int psdt = Sqe.psdt(sqe);
        return psdt == 1 || psdt == 2;
    }
}
