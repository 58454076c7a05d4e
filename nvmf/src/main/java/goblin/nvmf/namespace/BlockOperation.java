// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/**
 * One operation on a {@link Namespace}: what to do, where, and with which memory. Its submitter makes it once and uses it
 * again and again; between {@link Namespace#submit} and {@link #completed} it and the memory of its vector belong to the
 * namespace, which may work on it on another thread.
 *
 * <p>Offsets and lengths are bytes and multiples of the namespace's block size, checked by the submitter against
 * {@link Namespace#blocks}.
 */
public abstract class BlockOperation {
    /** Next in a list that the operation is in: the workers' queue, or an inbox of completed ones. */
    BlockOperation next;

    /** Whose worker is to run it, while it waits for one. */
    Medium medium;

    /** Where it completes. */
    CompletionInbox inbox;

    /** Whether its range is held for the worker that is to go on with it. */
    boolean holdsRange;

    /** How it ended, set before it is posted to the inbox. */
    BlockOutcome outcome;

    private BlockCommand command;
    private long offset;
    private long length;
    private long iovecs;
    private int iovecCount;
    private boolean durable;
    private boolean deallocate;

    /** Makes an operation that says nothing yet. */
    protected BlockOperation() {}

    /**
     * Says what to do without memory.
     *
     * @param what     the command
     * @param at       offset in bytes; 0 for a flush
     * @param howMuch  length in bytes; 0 for a flush
     */
    public final void describe(final BlockCommand what, final long at, final long howMuch) {
        command = what;
        offset = at;
        length = howMuch;
        iovecs = 0;
        iovecCount = 0;
        durable = false;
        deallocate = false;
    }

    /**
     * Names the memory to read into, to write from or to compare with.
     *
     * @param vector address of native {@code struct iovec}s, which stay untouched until completion
     * @param count  how many, 1 to 1024
     */
    public final void memory(final long vector, final int count) {
        iovecs = vector;
        iovecCount = count;
    }

    /**
     * Asks that a write be durable before it completes (FUA).
     *
     * @param yes whether
     */
    public final void durable(final boolean yes) {
        durable = yes;
    }

    /**
     * Allows a write of zeros to deallocate.
     *
     * @param yes whether
     */
    public final void deallocate(final boolean yes) {
        deallocate = yes;
    }

    /**
     * What to do.
     *
     * @return as described
     */
    public final BlockCommand command() {
        return command;
    }

    /**
     * Where.
     *
     * @return bytes from the namespace's beginning
     */
    public final long offset() {
        return offset;
    }

    /**
     * How much.
     *
     * @return bytes; the vector of a compare-and-write holds twice as many
     */
    public final long length() {
        return length;
    }

    /**
     * The vector.
     *
     * @return address of native iovecs, 0 without memory
     */
    public final long iovecs() {
        return iovecs;
    }

    /**
     * The vector's entries.
     *
     * @return 0 or more
     */
    public final int iovecCount() {
        return iovecCount;
    }

    /**
     * Whether a write must be durable before it completes.
     *
     * @return FUA
     */
    public final boolean durable() {
        return durable;
    }

    /**
     * Whether zeros may be deallocated.
     *
     * @return as asked
     */
    public final boolean deallocate() {
        return deallocate;
    }

    /**
     * Asked on the thread that is about to start the operation: an answer of false fences it, nothing is touched and it
     * completes with {@link BlockOutcome#FENCED}. So no write of an association starts after its end was announced.
     *
     * @return whether the operation may still start
     */
    protected boolean mayStart() {
        return true;
    }

    /**
     * Called exactly once on the submitter's loop, possibly before {@link Namespace#submit} has returned. From now on the
     * operation and its memory are the submitter's again.
     *
     * @param how how it ended
     */
    protected abstract void completed(BlockOutcome how);
}
