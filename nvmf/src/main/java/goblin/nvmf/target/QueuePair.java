// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/**
 * One queue as its transport sees it, from the connection's first command to its end. All methods are called on the
 * queue's loop.
 *
 * <p>A command's way: {@link #begin} when its submission entry is there; then the transport gets the data or the memory
 * for it; then {@link #execute}; later the target calls {@link QueueTransport#complete}, and the transport calls
 * {@link #retire} before it hands the last byte of the completion to its stack. A command that fails early is given back
 * by {@code begin} with false and is completed by the transport once it has dropped what came with it.
 */
public interface QueuePair {

    /**
     * Looks at a command before any of its data is asked for: identifier, queue, permission, namespace, range and length.
     *
     * @param request its {@link Request#sqe} filled
     * @return true: the transport provides data or memory and calls {@link #execute}; false: the command has failed with
     *     {@link Request#status} and the transport completes it
     */
    boolean begin(Request request);

    /**
     * Runs a command whose data has arrived whole and undamaged, or whose memory is there. A status set by the transport
     * with {@link Request#fail} (a damaged digest) completes it without running.
     *
     * @param request begun before, in any order; the target's until it is completed
     */
    void execute(Request request);

    /**
     * Frees a command's identifier and its place in the queue.
     *
     * @param request completed, or failed by {@link #begin}
     * @return the submission queue head to put into the completion
     */
    int retire(Request request);

    /**
     * Tells how many commands may be outstanding; the transport never needs more requests than this and one.
     *
     * @return 1 or more; before Connect what a Connect needs
     */
    int depth();

    /**
     * Tells whether a read's success may be folded into its last data (SQ flow control is off).
     *
     * @return true from a Connect that disabled SQ flow control on
     */
    boolean flowControlDisabled();

    /**
     * Tells whether this is an admin queue, or not connected yet: its in-capsule data has a limit of its own, and it is
     * never made to wait for the memory of I/O.
     *
     * @return false for I/O queues
     */
    boolean isAdmin();

    /**
     * Tells whether a Connect succeeded: until then the connection may be a stranger's.
     *
     * @return true from then on
     */
    boolean isConnected();

    /**
     * Whom it serves, for logs and metrics.
     *
     * @return such as {@code qid 1 of controller 3 (nqn...)}; for people
     */
    String name();

    /**
     * The connection is gone. Commands begun and not executed are forgotten at once and the transport may reuse their
     * requests; those that are at storage still come back by {@link QueueTransport#complete}, so that their memory is
     * kept until then.
     */
    void closed();
}
