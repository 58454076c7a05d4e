// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.FaultReporter;

/**
 * A namespace that takes everything and keeps nothing, for measurements. It reads as zeros: the memory of a read may hold
 * what another host wrote. Operations are done inside {@link #submit}.
 */
final class NullNamespace extends Medium {
    private static final NamespaceTraits TRAITS = new NamespaceTraits(false, false, true, true, 1);

    NullNamespace(
            final NamespaceSpec spec,
            final NamespaceIdentity identity,
            final int blockBytes,
            final long bytes,
            final FaultReporter faults) {
        super(spec, identity, blockBytes, bytes, faults);
    }

    @Override
    public void submit(final BlockOperation operation, final CompletionInbox inbox) {
        if (enter(operation)) {
            operation.completed(run(operation, null));
        }
    }

    @Override
    BlockOutcome perform(final BlockOperation operation, final StorageWorker worker) {
        if (!operation.mayStart()) {
            return BlockOutcome.FENCED;
        }
        if (!reaches(operation)) {
            return BlockOutcome.OUT_OF_RANGE;
        }
        return switch (operation.command()) {
            case READ -> {
                BlockVectors.clear(operation.iovecs(), operation.iovecCount(), operation.length());
                yield BlockOutcome.DONE;
            }
            case COMPARE, COMPARE_AND_WRITE ->
                BlockVectors.isClear(operation.iovecs(), operation.iovecCount(), operation.length())
                        ? BlockOutcome.DONE
                        : BlockOutcome.MISCOMPARE;
            case WRITE, WRITE_ZEROES, DEALLOCATE, FLUSH, VERIFY -> BlockOutcome.DONE;
        };
    }

    @Override
    public NamespaceTraits traits() {
        return TRAITS;
    }

    @Override
    public synchronized void resize(final long blocks) throws NamespaceException {
        requireOpen();
        bytes = bytesOf(blocks);
    }

    @Override
    void release() {
        // There is nothing to give back.
    }
}
