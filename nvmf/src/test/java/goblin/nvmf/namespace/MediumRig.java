// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.epoll.EpollTransport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A loop with its inbox and workers, for tests of media. */
final class MediumRig implements AutoCloseable {
    final List<Throwable> faults = new CopyOnWriteArrayList<>();
    final FaultReporter reporter = (where, fault) -> faults.add(fault);
    final EventLoop loop =
            new EventLoop("media", new EpollTransport(), IdlePolicy.BACKOFF, EventLoop.ANY_CPU, reporter);
    final CompletionInbox inbox;
    final StorageWorkers workers = new StorageWorkers(4, reporter);

    MediumRig() {
        this(FileIo.THREADS);
    }

    MediumRig(final FileIo files) {
        this(files::inbox);
    }

    MediumRig(final Function<EventLoop, CompletionInbox> inboxes) {
        inbox = inboxes.apply(loop);
        loop.start();
    }

    Namespace open(final String spec, final int blockBytes) {
        try {
            return Namespaces.open(NamespaceSpec.parse(spec), blockBytes, "nqn.2026-01.test:a", 1, workers);
        } catch (final NamespaceException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    /** Does one operation, waits for it and forgets it. */
    BlockOutcome run(final Namespace namespace, final TestOperation operation) {
        try (operation) {
            return submit(namespace, operation).await();
        }
    }

    /** Submits on the loop, as targets do. */
    TestOperation submit(final Namespace namespace, final TestOperation operation) {
        loop.execute(() -> namespace.submit(operation, inbox));
        return operation;
    }

    byte[] read(final Namespace namespace, final long offset, final int length) {
        try (TestOperation read = TestOperation.read(offset, length)) {
            final BlockOutcome how = submit(namespace, read).await();
            if (how != BlockOutcome.DONE) {
                throw new IllegalStateException("a read ended with " + how);
            }
            return read.data();
        }
    }

    @Override
    public void close() {
        workers.close();
        loop.close();
    }
}
