// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.EventLoop;
import goblin.net.LoopPoller;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;

/**
 * Where a loop gets completed operations back, in the order in which they completed. Any thread posts; the loop is woken
 * once for all that are there. Nothing is allocated.
 */
public final class CompletionInbox {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(CompletionInbox.class, "top", BlockOperation.class);
        } catch (final ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final EventLoop loop;
    private final FileRing files;

    @SuppressWarnings("unused") // by TOP
    private volatile BlockOperation top;

    /**
     * Makes a loop's inbox, before the loop is started or on its thread.
     *
     * @param loop where operations complete
     */
    public CompletionInbox(final EventLoop loop) {
        this(loop, null);
    }

    /** Makes the inbox of a loop that has files read and written by {@code files}, or by workers alone when that is null. */
    CompletionInbox(final EventLoop loop, final FileRing files) {
        this.loop = loop;
        this.files = files;
        loop.addPoller(new LoopPoller() {
            @Override
            public int poll() {
                return deliver();
            }

            @Override
            public void ended() {
                // What was posted while the loop ended.
                deliver();
            }
        });
    }

    /**
     * Makes the inbox of a loop that has files read and written by an io_uring of its own. Before the loop runs.
     *
     * @param loop where operations are submitted and complete
     * @return the inbox; the loop gives the ring back when it ends
     * @throws goblin.net.NetException when the kernel refuses, with a message for people
     */
    public static CompletionInbox withRing(final EventLoop loop) {
        final UringFiles files = new UringFiles(loop.transport().wakeDescriptor());
        final CompletionInbox inbox = new CompletionInbox(loop, files);
        loop.addPoller(files);
        return inbox;
    }

    /** What reads and writes files for the calling thread, null when that is only workers. */
    FileRing files() {
        return files != null && loop.inLoop() ? files : null;
    }

    /**
     * Hands a finished operation, its outcome set, to the loop.
     *
     * @throws RejectedExecutionException when the loop has ended
     */
    void post(final BlockOperation operation) {
        BlockOperation first;
        do {
            first = top;
            operation.next = first;
        } while (!TOP.compareAndSet(this, first, operation));
        if (first == null && !loop.wake()) {
            throw new RejectedExecutionException(loop + " has ended");
        }
    }

    private int deliver() {
        if (top == null) {
            return 0;
        }
        BlockOperation newest = (BlockOperation) TOP.getAndSet(this, null);
        BlockOperation oldest = null;
        while (newest != null) {
            final BlockOperation next = newest.next;
            newest.next = oldest;
            oldest = newest;
            newest = next;
        }
        int delivered = 0;
        while (oldest != null) {
            final BlockOperation done = oldest;
            oldest = done.next;
            done.next = null;
            complete(done);
            delivered++;
        }
        return delivered;
    }

    /** Completes an operation, its outcome set, on the loop. */
    void complete(final BlockOperation operation) {
        // A handler that throws must not keep the others from completing.
        try {
            operation.completed(operation.outcome);
        } catch (final RuntimeException thrown) {
            loop.execute(() -> {
                throw thrown;
            });
        } catch (final Error thrown) {
            loop.execute(() -> {
                throw thrown;
            });
        }
    }
}
