// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.FaultReporter;
import goblin.net.linux.Errno;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A namespace in a file or on a block device. Every operation is run while its range is held, so that blocks are atomic
 * whatever the file system does: plain reads and writes by the ring of the submitter's loop, where it has one, the range is
 * free and not half the ring is taken already, everything else by a worker.
 *
 * <p>A completed write may be lost until a flush or, if it was to be durable, not even then. When making data durable has
 * failed once, nothing can be promised about what was completed before: from then on every flush and every durable write
 * fails, until the namespace is opened again.
 */
final class FileNamespace extends Medium {
    private static final int LOCK_BYTES = 4096;

    /** What is cleared or discarded under one lock. */
    private static final long CLEAR_BYTES = 1L << 30;

    /** Of a ring's places, so that others find some left when the file hangs. */
    static final int MOST_IN_RINGS = UringFiles.SLOTS / 2;

    private static final long REPORT_EVERY_NS = 1_000_000_000;

    private final RangeLocks locks = new RangeLocks(LOCK_BYTES);
    private final BackingFile file;
    private final StorageWorkers workers;
    private final NamespaceTraits traits;
    private final AtomicLong copied = new AtomicLong();
    private final AtomicLong reportedNs = new AtomicLong(System.nanoTime() - REPORT_EVERY_NS);
    private final AtomicInteger inRings = new AtomicInteger();
    private final Object control = new Object();
    private volatile boolean syncFailed;

    /** Makes a namespace of the first {@code bytes} of a file, which is the namespace's from now on. */
    FileNamespace(
            final NamespaceSpec spec,
            final NamespaceIdentity identity,
            final int blockBytes,
            final long bytes,
            final BackingFile file,
            final StorageWorkers workers,
            final FaultReporter faults) {
        super(spec, identity, blockBytes, bytes, faults);
        this.file = file;
        this.workers = workers;
        final FileFacts facts = file.facts();
        traits = new NamespaceTraits(
                facts.readOnly(),
                !facts.readOnly(),
                facts.deallocates(),
                facts.deallocatedReadZero(),
                Math.max(1, facts.preferredBytes() / blockBytes),
                Math.max(facts.memoryAlignment(), facts.lengthAlignment()));
        workers.attach();
    }

    @Override
    public void submit(final BlockOperation operation, final CompletionInbox inbox) {
        if (enter(operation) && !start(operation, inbox)) {
            handOver(operation, workers, inbox);
        }
    }

    /** Has the loop's ring read or write; false when a worker must, because of what it is or who holds its range. */
    private boolean start(final BlockOperation operation, final CompletionInbox inbox) {
        final FileRing ring = inbox.files();
        if (ring == null || inRings.get() >= MOST_IN_RINGS || !isPlain(operation)) {
            return false;
        }
        final boolean alone = operation.command().changes();
        if (!tryLock(operation.offset(), operation.length(), alone)) {
            return false;
        }
        final BlockOutcome refusal = refusal(operation);
        if (refusal != null) {
            unlock(operation.offset(), operation.length(), alone);
            leave();
            operation.completed(refusal);
            return true;
        }
        operation.inbox = inbox;
        inRings.incrementAndGet();
        if (ring.start(this, operation, file)) {
            return true;
        }
        inRings.decrementAndGet();
        unlock(operation.offset(), operation.length(), alone);
        return false;
    }

    /** Whether one call of the kernel with the vector as it is can do it. */
    private boolean isPlain(final BlockOperation operation) {
        final BlockCommand command = operation.command();
        final boolean write = command == BlockCommand.WRITE && !operation.durable() && !traits.readOnly();
        return (write || command == BlockCommand.READ)
                && operation.length() > 0
                && VectorTransfers.isWhole(
                        file.facts(), operation.iovecs(), operation.iovecCount(), operation.length());
    }

    /**
     * The ring is done with an operation. What it did not do, or not all of it, a worker goes on with while the range stays
     * held, so that nobody sees the half.
     *
     * @param result bytes moved, or the negated errno
     */
    void moved(final BlockOperation operation, final int result) {
        final CompletionInbox inbox = operation.inbox;
        inRings.decrementAndGet();
        if (result != operation.length() && !isLasting(result)) {
            operation.holdsRange = true;
            workers.finish(operation, this, inbox);
            return;
        }
        final boolean read = operation.command() == BlockCommand.READ;
        unlock(operation.offset(), operation.length(), !read);
        if (result < 0) {
            operation.outcome = read ? readOutcome(-result) : writeOutcome(-result);
        } else {
            operation.outcome = BlockOutcome.DONE;
        }
        leave();
        inbox.complete(operation);
    }

    /** Whether trying again would end the same; anything else may be the ring's own trouble. */
    private static boolean isLasting(final int result) {
        return result == -Errno.EIO || (result < 0 && isNoSpace(-result));
    }

    @Override
    public NamespaceTraits traits() {
        return traits;
    }

    @Override
    public long copiedBytes() {
        return copied.get();
    }

    @Override
    BlockOutcome perform(final BlockOperation operation, final StorageWorker worker) {
        final VectorTransfers transfers = worker.transfers();
        if (traits.readOnly() && operation.command().changes()) {
            return BlockOutcome.READ_ONLY;
        }
        if (operation.command() == BlockCommand.FLUSH) {
            return operation.mayStart() ? flush(transfers) : BlockOutcome.FENCED;
        }
        if (operation.length() == 0) {
            return BlockOutcome.DONE;
        }
        return switch (operation.command()) {
            case READ, COMPARE, WRITE, COMPARE_AND_WRITE -> transfer(operation, transfers);
            case WRITE_ZEROES -> clear(operation, transfers, operation.deallocate());
            case DEALLOCATE -> discard(operation, transfers);
            default -> verify(operation, transfers);
        };
    }

    private BlockOutcome transfer(final BlockOperation operation, final VectorTransfers transfers) {
        if (operation.holdsRange) {
            operation.holdsRange = false;
            // The control lane, which is shared with whoever resizes.
            synchronized (control) {
                return transfer(operation, transfers, true);
            }
        }
        lock(operation.offset(), operation.length(), operation.command().changes());
        return transfer(operation, transfers, false);
    }

    private BlockOutcome transfer(
            final BlockOperation operation, final VectorTransfers transfers, final boolean begun) {
        final boolean alone = operation.command().changes();
        try {
            final BlockOutcome refusal = begun ? null : refusal(operation);
            if (refusal != null) {
                return refusal;
            }
            return switch (operation.command()) {
                case READ ->
                    readOutcome(transfers.read(
                            file, operation.iovecs(), operation.iovecCount(), operation.length(), operation.offset()));
                case COMPARE -> compare(operation, transfers);
                case WRITE -> write(operation, transfers, 0);
                default -> {
                    final BlockOutcome compared = compare(operation, transfers);
                    yield compared == BlockOutcome.DONE ? write(operation, transfers, operation.length()) : compared;
                }
            };
        } finally {
            unlock(operation.offset(), operation.length(), alone);
            copied.getAndAdd(transfers.takeCopied());
        }
    }

    private BlockOutcome compare(final BlockOperation operation, final VectorTransfers transfers) {
        final int errno = transfers.compare(
                file, operation.iovecs(), operation.iovecCount(), operation.length(), operation.offset());
        return errno < 0 ? BlockOutcome.MISCOMPARE : readOutcome(errno);
    }

    private BlockOutcome write(final BlockOperation operation, final VectorTransfers transfers, final long skip) {
        if (!operation.durable()) {
            return writeOutcome(write(operation, transfers, skip, false));
        }
        if (syncFailed) {
            return BlockOutcome.SYNC_FAILED;
        }
        final int errno = write(operation, transfers, skip, true);
        if (errno == 0) {
            return BlockOutcome.DONE;
        }
        // Which half failed? Only the sync may have been about other, earlier writes, and only a cache holds such.
        if (isNoSpace(errno) || file.facts().direct()) {
            final int plain = write(operation, transfers, skip, false);
            if (plain != 0) {
                return refused(plain);
            }
        }
        return syncFailed("a durable write", errno);
    }

    /**
     * How a durable write ends that cannot be done at all. Its lane may have been told with it of an earlier failure, and is
     * not told again: only another lane still is.
     */
    private BlockOutcome refused(final int errno) {
        final int earlier = syncControl();
        return earlier == 0 ? writeOutcome(errno) : syncFailed("a durable write", -earlier);
    }

    private int write(
            final BlockOperation operation, final VectorTransfers transfers, final long skip, final boolean durable) {
        return transfers.write(
                file,
                operation.iovecs(),
                operation.iovecCount(),
                skip,
                operation.length(),
                operation.offset(),
                durable);
    }

    private BlockOutcome flush(final VectorTransfers transfers) {
        if (traits.readOnly()) {
            return BlockOutcome.DONE;
        }
        if (syncFailed) {
            return BlockOutcome.SYNC_FAILED;
        }
        final int outcome = file.sync(transfers.lane());
        return outcome == 0 ? BlockOutcome.DONE : syncFailed("a flush", -outcome);
    }

    /** A sync on the control lane, which workers share with whoever resizes. */
    private int syncControl() {
        synchronized (control) {
            return file.sync(BackingFile.CONTROL);
        }
    }

    private BlockOutcome syncFailed(final String what, final int errno) {
        if (syncFailed) {
            return BlockOutcome.SYNC_FAILED;
        }
        syncFailed = true;
        report(
                what + " failed; flushes fail from now on, until the namespace is opened again",
                new IllegalStateException(Errno.name(errno)));
        return BlockOutcome.SYNC_FAILED;
    }

    private BlockOutcome clear(
            final BlockOperation operation, final VectorTransfers transfers, final boolean deallocate) {
        boolean byHand = false;
        long done = 0;
        while (done < operation.length()) {
            final long at = operation.offset() + done;
            final long step = byHand ? VectorTransfers.ZEROING_BYTES : CLEAR_BYTES;
            final long piece = Math.min(step, operation.length() - done);
            final int errno;
            locks.lockWrite(at, piece);
            try {
                final BlockOutcome refusal = done == 0 && !byHand ? refusal(operation) : shrunk(operation);
                if (refusal != null) {
                    return refusal;
                }
                errno = byHand
                        ? transfers.writeZeros(file, piece, at)
                        : -file.clear(transfers.lane(), at, piece, deallocate);
            } finally {
                locks.unlockWrite(at, piece);
            }
            if (errno == Errno.EOPNOTSUPP && !byHand) {
                byHand = true;
                continue;
            }
            if (errno != 0) {
                return writeOutcome(errno);
            }
            done += piece;
        }
        return operation.durable() ? flush(transfers) : BlockOutcome.DONE;
    }

    private BlockOutcome discard(final BlockOperation operation, final VectorTransfers transfers) {
        if (traits.deallocatedReadZero()) {
            return clear(operation, transfers, true);
        }
        long done = 0;
        while (done < operation.length()) {
            final long at = operation.offset() + done;
            final long piece = Math.min(CLEAR_BYTES, operation.length() - done);
            final int errno;
            locks.lockWrite(at, piece);
            try {
                final BlockOutcome refusal = done == 0 ? refusal(operation) : shrunk(operation);
                if (refusal != null) {
                    return refusal;
                }
                errno = -file.discard(transfers.lane(), at, piece);
            } finally {
                locks.unlockWrite(at, piece);
            }
            if (errno == Errno.EOPNOTSUPP) {
                // A hint that nobody can take.
                return BlockOutcome.DONE;
            }
            if (errno != 0) {
                return writeOutcome(errno);
            }
            done += piece;
        }
        return BlockOutcome.DONE;
    }

    private BlockOutcome verify(final BlockOperation operation, final VectorTransfers transfers) {
        long done = 0;
        while (done < operation.length()) {
            final long at = operation.offset() + done;
            final long piece = Math.min(VectorTransfers.BOUNCE_BYTES, operation.length() - done);
            locks.lockRead(at, piece);
            try {
                final BlockOutcome refusal = done == 0 ? refusal(operation) : shrunk(operation);
                if (refusal != null) {
                    return refusal;
                }
                final int errno = transfers.load(file, piece, at);
                if (errno != 0) {
                    return readOutcome(errno);
                }
            } finally {
                locks.unlockRead(at, piece);
            }
            done += piece;
        }
        return BlockOutcome.DONE;
    }

    @Override
    public synchronized void resize(final long blocks) throws NamespaceException {
        requireOpen();
        final long wanted = bytesOf(blocks);
        final long now = bytes;
        if (traits.readOnly()) {
            throw cannotResize("it is read-only");
        }
        if (file.facts().device()) {
            if (wanted < now || wanted > file.bytes()) {
                throw cannotResize("the device has " + file.bytes() + " bytes");
            }
            bytes = wanted;
            return;
        }
        // Nobody may be at what is cut off, nor write there afterwards.
        locks.lockWrite(0, Long.MAX_VALUE);
        try {
            // The odd rest behind the last block must not appear in a new one.
            final int outcome = wanted > now && file.resize(now) != 0 ? -Errno.EIO : file.resize(wanted);
            if (outcome != 0) {
                throw cannotResize(Errno.name(-outcome));
            }
            bytes = wanted;
            final int synced = syncControl();
            if (synced != 0) {
                syncFailed("resizing", -synced);
            }
        } finally {
            locks.unlockWrite(0, Long.MAX_VALUE);
        }
    }

    @Override
    void release() throws NamespaceException {
        final int outcome = traits.readOnly() ? 0 : syncControl();
        file.close();
        workers.detach();
        if (outcome != 0 || syncFailed) {
            throw new NamespaceException(this + ": what was written may not be on the device, "
                    + (outcome == 0 ? "an earlier sync failed" : "the last sync failed: " + Errno.name(-outcome)));
        }
    }

    /** Why an operation whose range is held may not start, null when it may. */
    private BlockOutcome refusal(final BlockOperation operation) {
        return operation.mayStart() ? shrunk(operation) : BlockOutcome.FENCED;
    }

    private BlockOutcome shrunk(final BlockOperation operation) {
        return reaches(operation) ? null : BlockOutcome.OUT_OF_RANGE;
    }

    private BlockOutcome readOutcome(final int errno) {
        if (errno == 0) {
            return BlockOutcome.DONE;
        }
        reportRarely("a read failed", errno);
        return BlockOutcome.READ_FAILED;
    }

    private BlockOutcome writeOutcome(final int errno) {
        if (errno == 0) {
            return BlockOutcome.DONE;
        }
        reportRarely("a write failed", errno);
        return isNoSpace(errno) ? BlockOutcome.NO_SPACE : BlockOutcome.WRITE_FAILED;
    }

    private void reportRarely(final String what, final int errno) {
        final long now = System.nanoTime();
        final long last = reportedNs.get();
        if (now - last >= REPORT_EVERY_NS && reportedNs.compareAndSet(last, now)) {
            report(what, new IllegalStateException(Errno.name(errno)));
        }
    }

    private static boolean isNoSpace(final int errno) {
        return errno == Errno.ENOSPC || errno == Errno.EDQUOT || errno == Errno.EFBIG;
    }

    private void lock(final long offset, final long length, final boolean alone) {
        if (alone) {
            locks.lockWrite(offset, length);
        } else {
            locks.lockRead(offset, length);
        }
    }

    private boolean tryLock(final long offset, final long length, final boolean alone) {
        return alone ? locks.tryLockWrite(offset, length) : locks.tryLockRead(offset, length);
    }

    private void unlock(final long offset, final long length, final boolean alone) {
        if (alone) {
            locks.unlockWrite(offset, length);
        } else {
            locks.unlockRead(offset, length);
        }
    }
}
