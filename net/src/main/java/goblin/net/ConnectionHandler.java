// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/**
 * Receives one connection's events, on its loop's thread, never from inside a call on the connection.
 *
 * <p>What a method throws ends this connection and no other: the fault is reported, and {@link #onClosed} follows with
 * {@link goblin.net.linux.Errno#ECONNABORTED}. Several connections may share one handler.
 */
public interface ConnectionHandler {

    /**
     * An outgoing connection is established. Never called for accepted connections.
     *
     * @param connection the connection
     */
    default void onConnected(final Connection connection) {}

    /**
     * Bytes arrived. A turn makes at most one receive of one connection and delivers it a segment a call, in order, until
     * the handler pauses or closes the connection; what comes next in the stream comes in the next call.
     *
     * @param connection the connection
     * @param segment    lent for the length of the call; {@link ReceiveSegment#retain} keeps it longer
     */
    void onReceive(Connection connection, ReceiveSegment segment);

    /**
     * The peer ended its side; delivered after the last data. Sending still works until it fails.
     *
     * @param connection the connection
     */
    void onEndOfStream(Connection connection);

    /**
     * The peer ended its side while receiving is paused; unread data may precede the end. Delivered at most once;
     * {@link #onEndOfStream} still follows when reading goes on.
     *
     * @param connection the connection
     */
    default void onPeerEndedWhilePaused(final Connection connection) {}

    /**
     * There is room again after a send took less than it was given.
     *
     * @param connection the connection
     */
    void onWritable(Connection connection);

    /**
     * Memory lent by {@link Connection#sendHeld} is ours again.
     *
     * @param connection the connection
     * @param token      the token given to {@code sendHeld}
     */
    default void onSent(final Connection connection, final long token) {}

    /**
     * The connection failed or could not be established; it is closed. Called exactly once, and not after our own
     * {@link Connection#close} or {@link Connection#finish}.
     *
     * @param connection the connection
     * @param errno      the kernel's error number, see {@link goblin.net.linux.Errno}
     */
    void onClosed(Connection connection, int errno);
}
