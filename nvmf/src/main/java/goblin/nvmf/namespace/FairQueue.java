// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/**
 * Who is served next: the operations of one medium in the order in which they came, the media in turn. While several media
 * share the workers, one gets another worker only as long as more are free than it has already. So a medium that hangs
 * takes half of them at most, the next that hangs half of the rest, and the others go on.
 *
 * <p>One thread at a time. Allocates nothing.
 */
final class FairQueue {
    private final int workers;
    private int busy;
    private WorkerShare first;
    private WorkerShare last;

    /** Makes an empty queue before so many workers. */
    FairQueue(final int workers) {
        this.workers = workers;
    }

    /** Adds an operation, its medium set. */
    void add(final BlockOperation operation) {
        final WorkerShare share = operation.medium.share;
        operation.next = null;
        if (share.oldest == null) {
            share.oldest = operation;
            append(share);
        } else {
            share.newest.next = operation;
        }
        share.newest = operation;
    }

    /**
     * Takes the operation that a free worker shall do; {@link #done} follows.
     *
     * @param shared whether there are several media
     * @return null when there is none that may start now
     */
    BlockOperation take(final boolean shared) {
        WorkerShare before = null;
        WorkerShare share = first;
        while (share != null && !mayStart(share, shared)) {
            before = share;
            share = share.next;
        }
        if (share == null) {
            return null;
        }
        remove(share, before);
        final BlockOperation taken = share.oldest;
        share.oldest = taken.next;
        taken.next = null;
        if (share.oldest != null) {
            append(share);
        }
        share.running++;
        busy++;
        return taken;
    }

    /** A worker has done an operation of a medium. */
    void done(final WorkerShare share) {
        share.running--;
        busy--;
    }

    /** Tells whether {@link #take} has something to give. */
    boolean isReady(final boolean shared) {
        WorkerShare share = first;
        while (share != null && !mayStart(share, shared)) {
            share = share.next;
        }
        return share != null;
    }

    private boolean mayStart(final WorkerShare share, final boolean shared) {
        return (shared ? share.running : 0) < workers - busy;
    }

    private void append(final WorkerShare share) {
        share.next = null;
        if (last == null) {
            first = share;
        } else {
            last.next = share;
        }
        last = share;
    }

    private void remove(final WorkerShare share, final WorkerShare before) {
        if (before == null) {
            first = share.next;
        } else {
            before.next = share.next;
        }
        if (last == share) {
            last = before;
        }
    }
}
