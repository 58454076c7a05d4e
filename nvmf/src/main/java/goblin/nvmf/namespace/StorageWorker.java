// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.util.concurrent.locks.LockSupport;

/** One thread of {@link StorageWorkers}, and the memory that it uses for the operation it is at. */
final class StorageWorker implements Runnable {
    private final StorageWorkers pool;
    private final int index;
    private final Thread thread;
    private final VectorTransfers transfers;

    StorageWorker(final StorageWorkers pool, final int index) {
        this.pool = pool;
        this.index = index;
        transfers = new VectorTransfers(index);
        thread = new Thread(this, "storage-" + index);
        thread.setDaemon(true);
    }

    /** What moves its data; for its own thread only. */
    VectorTransfers transfers() {
        return transfers;
    }

    Thread thread() {
        return thread;
    }

    @Override
    public void run() {
        WorkerShare done = null;
        while (true) {
            final BlockOperation operation = pool.take(done);
            done = null;
            if (operation != null) {
                done = operation.medium.share;
                run(operation);
            } else if (pool.isClosed()) {
                transfers.free();
                return;
            } else if (pool.mayRest(index)) {
                LockSupport.park(pool);
                pool.awake(index);
            }
        }
    }

    /** Does an operation, on this thread, and hands it back to its loop. */
    void run(final BlockOperation operation) {
        final Medium medium = operation.medium;
        final CompletionInbox inbox = operation.inbox;
        operation.medium = null;
        try {
            operation.outcome = medium.run(operation, this);
            inbox.post(operation);
        } catch (final Throwable thrown) {
            // The loop has ended, or reporting itself failed: this worker is still needed by others.
            pool.survived(thrown);
        }
    }
}
