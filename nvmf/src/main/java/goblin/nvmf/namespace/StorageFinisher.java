// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.util.concurrent.LinkedBlockingQueue;

/**
 * Goes on with operations that a ring has begun and not done, which is rare. They hold their ranges, so that all workers
 * may be waiting for them: that is why no worker does it.
 */
final class StorageFinisher implements Runnable {
    private final LinkedBlockingQueue<BlockOperation> begun = new LinkedBlockingQueue<>();
    private final StorageWorker worker;
    private final Thread thread = new Thread(this, "begun-storage");
    private volatile boolean closed;

    /** Makes it and starts its thread. */
    StorageFinisher(final StorageWorkers pool) {
        worker = new StorageWorker(pool, BackingFile.CONTROL);
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues an operation whose medium and inbox are set. */
    void submit(final BlockOperation operation) {
        begun.add(operation);
    }

    @Override
    public void run() {
        while (!closed || !begun.isEmpty()) {
            try {
                worker.run(begun.take());
            } catch (final InterruptedException ends) {
                // Closed, and looked at anew.
            }
        }
        worker.transfers().free();
    }

    /** Ends the thread when all that was submitted is done; {@link #thread} is to be joined. */
    void close() {
        closed = true;
        thread.interrupt();
    }

    Thread thread() {
        return thread;
    }
}
