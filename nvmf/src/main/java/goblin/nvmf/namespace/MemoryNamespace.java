// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.FaultReporter;
import goblin.net.linux.Pages;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A namespace in memory of this process. Operations are done inside {@link #submit}, on the loop; only clearing of large
 * ranges goes to the workers. What was completed is as durable as it will ever be: there is no cache to flush.
 *
 * <p>The memory is mapped in chunks, which stay mapped until the end whatever the size becomes, so that an operation that
 * is late never meets memory of somebody else.
 */
final class MemoryNamespace extends Medium {
    /** What is locked and copied at a time. A multiple of the block size and of the page size. */
    private static final int EXTENT_BYTES = 64 << 10;

    /** What is cleared at a time; the same. */
    private static final int CLEAR_BYTES = 4 << 20;

    /** What all namespaces of this kind may use: the kernel maps more than there is. */
    private static final AtomicLong PROMISED = new AtomicLong();

    private static final int MIN_CHUNK_SHIFT = 22;
    private static final int MAX_CHUNK_SHIFT = 30;
    private static final int MOST_CHUNKS = 1 << 22;

    private final RangeLocks locks = new RangeLocks(EXTENT_BYTES);
    private final StorageWorkers workers;
    private final NamespaceTraits traits;
    private final int chunkShift;

    // Both grow only; replaced under this.
    private volatile long[] chunks = {};
    private long promised;

    /**
     * Maps the memory.
     *
     * @throws NamespaceException when the kernel refuses
     */
    MemoryNamespace(
            final NamespaceSpec spec,
            final NamespaceIdentity identity,
            final int blockBytes,
            final long bytes,
            final StorageWorkers workers,
            final FaultReporter faults)
            throws NamespaceException {
        super(spec, identity, blockBytes, bytes, faults);
        this.workers = workers;
        traits = new NamespaceTraits(false, false, true, true, Math.max(1, Pages.PAGE_BYTES / blockBytes));
        chunkShift = Math.clamp(Long.SIZE - Long.numberOfLeadingZeros(bytes - 1), MIN_CHUNK_SHIFT, MAX_CHUNK_SHIFT);
        reserve(bytes);
        workers.attach();
    }

    @Override
    public void submit(final BlockOperation operation, final CompletionInbox inbox) {
        if (!enter(operation)) {
            return;
        }
        if (clears(operation.command()) && operation.length() > CLEAR_BYTES) {
            handOver(operation, workers, inbox);
            return;
        }
        operation.completed(run(operation, null));
    }

    @Override
    BlockOutcome perform(final BlockOperation operation, final StorageWorker worker) {
        return switch (operation.command()) {
            case READ -> copy(operation, true);
            case WRITE -> copy(operation, false);
            case WRITE_ZEROES, DEALLOCATE -> clear(operation);
            case COMPARE -> compare(operation);
            case COMPARE_AND_WRITE -> compareAndWrite(operation);
            case FLUSH -> operation.mayStart() ? BlockOutcome.DONE : BlockOutcome.FENCED;
            case VERIFY -> verify(operation);
        };
    }

    @Override
    public NamespaceTraits traits() {
        return traits;
    }

    @Override
    public synchronized void resize(final long blocks) throws NamespaceException {
        requireOpen();
        final long wanted = bytesOf(blocks);
        final long now = bytes;
        if (wanted < now) {
            // First the size, so that nobody writes behind the clearing.
            bytes = wanted;
            clear(wanted, now - wanted);
        } else {
            try {
                reserve(wanted);
            } catch (final NamespaceException refused) {
                throw cannotResize(refused.getMessage());
            }
            bytes = wanted;
        }
    }

    @Override
    void release() {
        for (final long chunk : chunks) {
            Pages.unmap(chunk, 1L << chunkShift);
        }
        PROMISED.addAndGet(-promised);
        workers.detach();
    }

    private BlockOutcome copy(final BlockOperation operation, final boolean read) {
        if (!operation.mayStart()) {
            return BlockOutcome.FENCED;
        }
        final long length = operation.length();
        long done = 0;
        while (done < length) {
            final long at = operation.offset() + done;
            final long piece = extent(at, length - done);
            if (!copy(operation, at, done, piece, read)) {
                return BlockOutcome.OUT_OF_RANGE;
            }
            done += piece;
        }
        return BlockOutcome.DONE;
    }

    private boolean copy(
            final BlockOperation operation, final long at, final long done, final long piece, final boolean read) {
        lock(at, piece, !read);
        try {
            if (!reaches(operation)) {
                return false;
            }
            if (read) {
                BlockVectors.scatter(operation.iovecs(), operation.iovecCount(), done, address(at), piece);
            } else {
                BlockVectors.gather(operation.iovecs(), operation.iovecCount(), done, address(at), piece);
            }
            return true;
        } finally {
            unlock(at, piece, !read);
        }
    }

    private BlockOutcome compare(final BlockOperation operation) {
        final long at = operation.offset();
        final long length = operation.length();
        if (length == 0) {
            return BlockOutcome.DONE;
        }
        locks.lockRead(at, length);
        try {
            if (!operation.mayStart()) {
                return BlockOutcome.FENCED;
            }
            if (!reaches(operation)) {
                return BlockOutcome.OUT_OF_RANGE;
            }
            return isEqual(operation) ? BlockOutcome.DONE : BlockOutcome.MISCOMPARE;
        } finally {
            locks.unlockRead(at, length);
        }
    }

    private BlockOutcome compareAndWrite(final BlockOperation operation) {
        final long at = operation.offset();
        final long length = operation.length();
        if (length == 0) {
            return BlockOutcome.DONE;
        }
        locks.lockWrite(at, length);
        try {
            if (!operation.mayStart()) {
                return BlockOutcome.FENCED;
            }
            if (!reaches(operation)) {
                return BlockOutcome.OUT_OF_RANGE;
            }
            if (!isEqual(operation)) {
                return BlockOutcome.MISCOMPARE;
            }
            long done = 0;
            while (done < length) {
                final long piece = extent(at + done, length - done);
                BlockVectors.gather(
                        operation.iovecs(), operation.iovecCount(), length + done, address(at + done), piece);
                done += piece;
            }
            return BlockOutcome.DONE;
        } finally {
            locks.unlockWrite(at, length);
        }
    }

    private boolean isEqual(final BlockOperation operation) {
        final long length = operation.length();
        long done = 0;
        while (done < length) {
            final long at = operation.offset() + done;
            final long piece = extent(at, length - done);
            if (!BlockVectors.equal(operation.iovecs(), operation.iovecCount(), done, address(at), piece)) {
                return false;
            }
            done += piece;
        }
        return true;
    }

    private BlockOutcome verify(final BlockOperation operation) {
        if (!operation.mayStart()) {
            return BlockOutcome.FENCED;
        }
        return reaches(operation) ? BlockOutcome.DONE : BlockOutcome.OUT_OF_RANGE;
    }

    private BlockOutcome clear(final BlockOperation operation) {
        if (!operation.mayStart()) {
            return BlockOutcome.FENCED;
        }
        if (!reaches(operation)) {
            return BlockOutcome.OUT_OF_RANGE;
        }
        // Shrinking meanwhile does no harm here: behind the end everything is zeros already.
        clear(operation.offset(), operation.length());
        return BlockOutcome.DONE;
    }

    private void clear(final long offset, final long length) {
        long done = 0;
        while (done < length) {
            final long at = offset + done;
            final long piece = Math.min(CLEAR_BYTES - (at & (CLEAR_BYTES - 1)), length - done);
            locks.lockWrite(at, piece);
            try {
                clearMapped(address(at), piece);
            } finally {
                locks.unlockWrite(at, piece);
            }
            done += piece;
        }
    }

    private static void clearMapped(final long address, final long length) {
        final long first = Pages.rounded(address);
        final long end = (address + length) & -Pages.PAGE_BYTES;
        // Below that, writing zeros is cheaper than getting the pages anew.
        if (end - first < EXTENT_BYTES || !Pages.discard(first, end - first)) {
            BlockVectors.clear(address, length);
            return;
        }
        BlockVectors.clear(address, first - address);
        BlockVectors.clear(end, address + length - end);
    }

    private void lock(final long offset, final long length, final boolean alone) {
        if (alone) {
            locks.lockWrite(offset, length);
        } else {
            locks.lockRead(offset, length);
        }
    }

    private void unlock(final long offset, final long length, final boolean alone) {
        if (alone) {
            locks.unlockWrite(offset, length);
        } else {
            locks.unlockRead(offset, length);
        }
    }

    private void reserve(final long wanted) throws NamespaceException {
        final long more = Math.max(0, wanted - promised);
        final long all = MachineMemory.now().total();
        final long before = PROMISED.getAndUpdate(now -> more > all - now ? now : now + more);
        if (more > all - before) {
            throw new NamespaceException("there is no memory for " + wanted + " bytes: this machine has " + (all >> 20)
                    + " MiB with its swap, and " + (before >> 20) + " MiB are promised to namespaces already");
        }
        try {
            map(((wanted - 1) >>> chunkShift) + 1);
            promised += more;
        } catch (final OutOfMemoryError refused) {
            PROMISED.addAndGet(-more);
            throw new NamespaceException("there is no memory for " + wanted + " bytes");
        }
    }

    /** Maps as many chunks more as are missing, all or none. */
    private void map(final long count) {
        final long[] old = chunks;
        if (count > MOST_CHUNKS) {
            throw new OutOfMemoryError(count + " chunks");
        }
        if (count <= old.length) {
            return;
        }
        final long[] more = Arrays.copyOf(old, (int) count);
        int mapped = old.length;
        try {
            while (mapped < more.length) {
                more[mapped] = Pages.map(1L << chunkShift);
                Pages.adviseHuge(more[mapped], 1L << chunkShift);
                mapped++;
            }
        } catch (final OutOfMemoryError refused) {
            while (mapped > old.length) {
                Pages.unmap(more[--mapped], 1L << chunkShift);
            }
            throw refused;
        }
        chunks = more;
    }

    /** Where a byte is; an extent lies in one chunk. */
    private long address(final long offset) {
        return chunks[(int) (offset >>> chunkShift)] + (offset & ((1L << chunkShift) - 1));
    }

    private static long extent(final long at, final long left) {
        return Math.min(EXTENT_BYTES - (at & (EXTENT_BYTES - 1)), left);
    }

    private static boolean clears(final BlockCommand command) {
        return command == BlockCommand.WRITE_ZEROES || command == BlockCommand.DEALLOCATE;
    }
}
