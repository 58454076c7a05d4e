// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** Decides what an accepted connection is for. Called on the loop's thread. */
public interface AcceptHandler {

    /**
     * A connection was accepted.
     *
     * @param connection the new connection, open and not paused
     * @return its handler, or null to close it at once
     */
    ConnectionHandler onAccept(Connection connection);

    /**
     * Asked before {@link #onAccept}: another loop may serve the connection, see {@link Transport#adopt}.
     *
     * @param descriptor the accepted socket
     * @param remote     the peer
     * @param local      where it was accepted
     * @return true when the socket is somebody else's now, who closes it; then {@link #onAccept} is not called
     */
    default boolean handOver(final int descriptor, final Endpoint remote, final Endpoint local) {
        return false;
    }

    /**
     * Accepting failed in a way that users must know (for example EMFILE). The listener pauses by itself and tries
     * again; called once for each run of failures.
     *
     * @param errno the kernel's error number
     */
    void onAcceptError(int errno);
}
