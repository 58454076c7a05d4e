// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.FaultReporter;

/** What all namespaces have in common: who they are, how large, who uses them, and how an operation is run. */
abstract class Medium implements Namespace {
    private final String specification;
    private final NamespaceIdentity identity;
    private final int blockBytes;
    private final FaultReporter faults;
    /** Its part of the workers; theirs. */
    final WorkerShare share = new WorkerShare();

    private final Usage usage = new Usage();
    private boolean closed;

    /** The size; changed under {@code this}, read by operations while they hold their range. */
    volatile long bytes;

    Medium(
            final NamespaceSpec spec,
            final NamespaceIdentity identity,
            final int blockBytes,
            final long bytes,
            final FaultReporter faults) {
        this.specification = spec.text();
        this.identity = identity;
        this.blockBytes = blockBytes;
        this.bytes = bytes;
        this.faults = faults;
    }

    /**
     * Does an operation, all of it. {@code worker} is the calling worker, null on a submitter's loop. May be called by
     * several threads at once, each with its own operation.
     */
    abstract BlockOutcome perform(BlockOperation operation, StorageWorker worker);

    /**
     * Makes everything durable and gives the medium back. Called once, when nobody uses it.
     *
     * @throws NamespaceException when something may not be durable; the medium is given back all the same
     */
    abstract void release() throws NamespaceException;

    /** Begins the use of the medium for an operation; when that is refused it has completed. */
    final boolean enter(final BlockOperation operation) {
        if (usage.enter()) {
            return true;
        }
        operation.completed(BlockOutcome.REMOVED);
        return false;
    }

    /** Runs an operation that has entered, here and now; nothing it throws gets out. */
    final BlockOutcome run(final BlockOperation operation, final StorageWorker worker) {
        try {
            return perform(operation, worker);
        } catch (final Throwable thrown) {
            report(operation.command() + " failed", thrown);
            return BlockOutcome.FAILED;
        } finally {
            usage.exit();
        }
    }

    /** Ends the use of the medium for an operation that has entered and neither is run nor handed over. */
    final void leave() {
        usage.exit();
    }

    /** Has an operation that has entered run by a worker. */
    final void handOver(final BlockOperation operation, final StorageWorkers workers, final CompletionInbox inbox) {
        try {
            workers.submit(operation, this, inbox);
        } catch (final IllegalStateException closed) {
            usage.exit();
            throw closed;
        }
    }

    final void report(final String what, final Throwable thrown) {
        try {
            faults.report("namespace " + specification + ": " + what, thrown);
        } catch (final Throwable ignored) {
            // There is nobody left to tell, and the operation is still to complete.
        }
    }

    /** Tells whether the range still lies inside; asked while the range is held. */
    final boolean reaches(final BlockOperation operation) {
        return operation.offset() >= 0 && operation.length() >= 0 && operation.length() <= bytes - operation.offset();
    }

    final long bytesOf(final long blocks) throws NamespaceException {
        if (blocks < 1 || blocks > Long.MAX_VALUE / blockBytes) {
            throw new NamespaceException(specification + " cannot have " + blocks + " blocks");
        }
        return blocks * blockBytes;
    }

    final NamespaceException cannotResize(final String why) {
        return new NamespaceException(specification + " cannot be resized: " + why);
    }

    final void requireOpen() throws NamespaceException {
        if (usage.isRetired()) {
            throw cannotResize("it was removed");
        }
    }

    @Override
    public final NamespaceIdentity identity() {
        return identity;
    }

    @Override
    public final int blockBytes() {
        return blockBytes;
    }

    @Override
    public final long blocks() {
        return bytes / blockBytes;
    }

    @Override
    public final String specification() {
        return specification;
    }

    @Override
    public final void retire() {
        usage.retire();
    }

    @Override
    public final synchronized void closeDurably() throws NamespaceException {
        retire();
        if (!closed) {
            closed = true;
            usage.awaitIdle();
            release();
        }
    }

    @Override
    public final void close() {
        try {
            closeDurably();
        } catch (final NamespaceException lost) {
            report("closed", lost);
        }
    }

    @Override
    public final String toString() {
        return specification;
    }
}
