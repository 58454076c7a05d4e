// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.initiator;

/** Told of an association's life, on its loop. */
public interface InitiatorListener {

    /**
     * The controller is enabled and all I/O queues are connected.
     *
     * @param initiator the association
     */
    void onReady(Initiator initiator);

    /**
     * The association could not be made, or was lost. All its connections are closed. At most once, and not after
     * {@link #onClosed}.
     *
     * @param initiator the association
     * @param reason    one line for people
     */
    void onFailed(Initiator initiator, String reason);

    /**
     * {@link Initiator#shutDown} has finished.
     *
     * @param initiator the association
     */
    default void onClosed(final Initiator initiator) {}

    /**
     * An asynchronous event came; the next one is asked for already.
     *
     * @param initiator the association
     * @param dword0    type in bits 2:0, information in bits 15:8, log page in bits 23:16
     */
    default void onEvent(final Initiator initiator, final int dword0) {}
}
