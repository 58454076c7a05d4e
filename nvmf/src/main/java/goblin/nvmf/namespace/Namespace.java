// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/**
 * A medium of equal blocks, shared by all loops. Blocks are atomic: nobody reads half of a block that somebody else
 * writes, and a fused compare-and-write is one step for all.
 *
 * <p>All methods may be called from any thread. What it says of itself is constant but for {@link #blocks}.
 */
public interface Namespace extends AutoCloseable {

    /**
     * Starts an operation; it completes on the inbox's loop, perhaps before this method returns. Never blocks on a device.
     *
     * @param operation described completely; the namespace's until it completed
     * @param inbox     the calling loop's
     */
    void submit(BlockOperation operation, CompletionInbox inbox);

    /**
     * Who it is.
     *
     * @return UUID and NGUID; the same after a restart where the medium keeps its contents, new where it does not
     */
    NamespaceIdentity identity();

    /**
     * Bytes of a block.
     *
     * @return 512 or 4096
     */
    int blockBytes();

    /**
     * How many blocks there are now.
     *
     * @return 1 or more; changes only by {@link #resize}
     */
    long blocks();

    /**
     * What the medium can do and prefers.
     *
     * @return constant
     */
    NamespaceTraits traits();

    /**
     * The specification it was made from, for people and for {@code goblin-nvmf-ctl list}.
     *
     * @return for example {@code file:/srv/a.img,size=10G}
     */
    String specification();

    /**
     * Bytes that had to be copied because a vector was not aligned as the medium wants it.
     *
     * @return counted since the medium was opened
     */
    default long copiedBytes() {
        return 0;
    }

    /**
     * Changes the size. Contents below the smaller size stay; new blocks read as zeros.
     *
     * @param blocks 1 or more
     * @throws NamespaceException when the medium refuses, with a message for people; the size is unchanged
     */
    void resize(long blocks) throws NamespaceException;

    /**
     * Takes no more operations: later ones complete with {@link BlockOutcome#REMOVED}; those that have started finish.
     * Idempotent.
     */
    void retire();

    /**
     * Retires, waits for what has started, makes it durable and gives the medium back. Idempotent; not on a loop.
     *
     * @throws NamespaceException once, when what was completed may not be durable; the medium is given back all the same
     */
    default void closeDurably() throws NamespaceException {
        close();
    }

    /** As {@link #closeDurably}; what may not be durable is told the fault reporter. */
    @Override
    void close();
}
