// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.nvmf.namespace.CompletionInbox;
import java.util.concurrent.RejectedExecutionException;

/** What I/O commands find on a connected queue. */
final class ConnectedIo implements IoQueue {
    private final TargetQueue queue;
    private final Controller controller;
    private final Subsystem subsystem;
    private final CompletionInbox inbox;
    private final int maxIoBytes;
    private final IoCounters counters;

    ConnectedIo(final TargetQueue queue, final Controller controller) {
        this.queue = queue;
        this.controller = controller;
        subsystem = controller.subsystem();
        inbox = queue.transport().inbox();
        maxIoBytes = queue.target().options().maxIoBytes();
        counters = subsystem.smart().open();
    }

    @Override
    public NamespaceTable namespaces() {
        return subsystem.namespaces();
    }

    @Override
    public CompletionInbox inbox() {
        return inbox;
    }

    @Override
    public int maxIoBytes() {
        return maxIoBytes;
    }

    @Override
    public boolean writesThrough() {
        return !controller.features().writeCacheEnabled()
                || !controller.cachePromise().isPresent();
    }

    @Override
    public IoCounters counters() {
        return counters;
    }

    @Override
    public void later(final Runnable what) {
        try {
            queue.transport().loop().execute(what);
        } catch (final RejectedExecutionException ended) {
            what.run();
        }
    }

    @Override
    public boolean withdraw(final Request request) {
        return queue.withdraw(request);
    }

    @Override
    public void complete(final Request request) {
        queue.complete(request);
    }
}
