// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.FaultReporter;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that wait for files so that loops need not, shared by namespaces. Operations of a namespace start in the order in
 * which they came, the namespaces take turns, and one that hangs leaves workers to the others ({@link FairQueue}). A
 * submission allocates nothing and never waits; it wakes one worker when any rests.
 */
public final class StorageWorkers implements AutoCloseable {
    /** The usual number of threads. */
    public static final int DEFAULT_THREADS = 8;

    /** The largest number of threads. */
    public static final int MAX_THREADS = 64;

    private final FaultReporter faults;
    private final StorageWorker[] workers;
    private final StorageFinisher finisher;

    // Submitters push here without ever waiting for a worker; workers put it into the queue, one at a time.
    private final AtomicReference<BlockOperation> submitted = new AtomicReference<>();
    private final AtomicBoolean ordering = new AtomicBoolean();
    private final FairQueue queue;
    private final AtomicInteger media = new AtomicInteger();

    // Whether a worker would find something in the queue, as of the last look.
    private volatile boolean ready;

    // One bit for each worker that rests.
    private final AtomicLong resting = new AtomicLong();
    private volatile boolean closed;

    /**
     * Makes workers that report to standard error.
     *
     * @param threads 1 to {@link #MAX_THREADS}
     */
    public StorageWorkers(final int threads) {
        this(threads, FaultReporter.STANDARD_ERROR);
    }

    /**
     * Makes workers and starts their threads.
     *
     * @param threads 1 to {@link #MAX_THREADS}
     * @param faults  told what goes wrong beside the outcome of an operation; called on any thread
     */
    public StorageWorkers(final int threads, final FaultReporter faults) {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException(threads + " storage threads: 1 to " + MAX_THREADS + " are possible");
        }
        this.faults = faults;
        queue = new FairQueue(threads);
        workers = new StorageWorker[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = new StorageWorker(this, i);
        }
        finisher = new StorageFinisher(this);
        for (final StorageWorker worker : workers) {
            worker.thread().start();
        }
    }

    /**
     * How many there are.
     *
     * @return 1 or more
     */
    public int threads() {
        return workers.length;
    }

    /**
     * Ends the threads when all that was submitted is done, and waits for that. Namespaces are closed before. Idempotent.
     */
    @Override
    public void close() {
        closed = true;
        for (final StorageWorker worker : workers) {
            LockSupport.unpark(worker.thread());
        }
        finisher.close();
        boolean interrupted = join(finisher.thread());
        for (final StorageWorker worker : workers) {
            interrupted |= join(worker.thread());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a thread's end; returns whether the caller was interrupted meanwhile. */
    private static boolean join(final Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (final InterruptedException later) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    FaultReporter faults() {
        return faults;
    }

    /** Counts a medium that may submit operations. */
    void attach() {
        media.incrementAndGet();
    }

    /** The medium submits nothing any more. */
    void detach() {
        media.decrementAndGet();
    }

    /** Queues an operation that has begun and holds its range. It waits for no worker: all may be waiting for its range. */
    void finish(final BlockOperation operation, final Medium medium, final CompletionInbox inbox) {
        operation.medium = medium;
        operation.inbox = inbox;
        finisher.submit(operation);
    }

    /** Queues an operation that has entered its medium. */
    void submit(final BlockOperation operation, final Medium medium, final CompletionInbox inbox) {
        if (closed) {
            throw new IllegalStateException("the storage workers are closed, " + medium + " should have been before");
        }
        operation.medium = medium;
        operation.inbox = inbox;
        BlockOperation newest;
        do {
            newest = submitted.getPlain();
            operation.next = newest;
        } while (!submitted.compareAndSet(newest, operation));
        wakeOne();
    }

    /**
     * What the calling worker shall do next, or null.
     *
     * @param done whose operation it has just done, or null
     */
    BlockOperation take(final WorkerShare done) {
        while (!ordering.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        final BlockOperation taken;
        final boolean more;
        try {
            if (done != null) {
                queue.done(done);
            }
            BlockOperation newest = submitted.getAndSet(null);
            BlockOperation oldest = null;
            while (newest != null) {
                final BlockOperation next = newest.next;
                newest.next = oldest;
                oldest = newest;
                newest = next;
            }
            while (oldest != null) {
                final BlockOperation next = oldest.next;
                queue.add(oldest);
                oldest = next;
            }
            final boolean shared = media.get() > 1;
            taken = queue.take(shared);
            more = queue.isReady(shared);
            ready = more;
        } finally {
            ordering.set(false);
        }
        if (more) {
            // Others may start now that could not when they were submitted.
            wakeOne();
        }
        return taken;
    }

    /** Declares that a worker rests; false when there is something to do after all. */
    boolean mayRest(final int index) {
        long bits;
        do {
            bits = resting.get();
        } while (!resting.compareAndSet(bits, bits | 1L << index));
        // In this order: what is being ordered is in neither place for a moment.
        if (submitted.get() == null && !ordering.get() && !ready && !closed) {
            return true;
        }
        awake(index);
        return false;
    }

    void awake(final int index) {
        long bits;
        do {
            bits = resting.get();
        } while (!resting.compareAndSet(bits, bits & ~(1L << index)));
    }

    boolean isClosed() {
        return closed;
    }

    void survived(final Throwable thrown) {
        try {
            faults.report(Thread.currentThread().getName(), thrown);
        } catch (final Throwable ignored) {
            // There is nobody left to tell.
        }
    }

    private void wakeOne() {
        long bits;
        while ((bits = resting.get()) != 0) {
            final long one = Long.lowestOneBit(bits);
            if (resting.compareAndSet(bits, bits & ~one)) {
                LockSupport.unpark(workers[Long.numberOfTrailingZeros(one)].thread());
                return;
            }
        }
    }
}
