// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/**
 * One stream connection, owned by the loop that made it; every method is called on that loop's thread.
 *
 * <p>There is no hidden send queue: a send takes what the stack takes now and the caller keeps the rest. No callback
 * runs inside any of these methods; failures surface as {@link #CLOSED} here and as
 * {@link ConnectionHandler#onClosed} later in the same or the next turn.
 */
public interface Connection {

    /** Returned by the send methods when the connection can take no more bytes for ever. */
    long CLOSED = -1;

    /**
     * Tries to send now.
     *
     * @param address first byte; only read during the call
     * @param length  bytes to send, at least 1
     * @return bytes taken, 0 when the stack is full (then {@link ConnectionHandler#onWritable} follows once there is
     *     room), or {@link #CLOSED}
     */
    long send(long address, long length);

    /**
     * Tries to send a gathered run now.
     *
     * @param iovecs address of {@code count} native {@code struct iovec}s (address, length: 16 bytes each)
     * @param count  1 to 1024
     * @return as {@link #send(long, long)}, summed over the run
     */
    long sendGathered(long iovecs, int count);

    /**
     * Lends memory to the stack. The bytes stay untouched until {@link ConnectionHandler#onSent} has been called with
     * the token; a backend that copies calls back within the same turn.
     *
     * @param iovecs as in {@link #sendGathered}
     * @param count  1 to 1024
     * @param token  given back after the last fragment; any value
     * @return as {@link #send(long, long)}; when less than everything was taken, only the part taken is lent and the
     *     token comes back for that part
     */
    long sendHeld(long iovecs, int count, long token);

    /**
     * A hint that the next bytes are a header of {@code headerBytes} and then a payload of {@code payloadBytes}, which would
     * be best placed so that each of its bytes has its own place within a page: the first at a page's start, in one run or
     * in segments that are whole pages. To be given at the header's first byte, when nothing behind it was received; it
     * replaces the one before, and an empty payload takes it back. Ignoring it is legal, and when the guess is wrong the
     * bytes are only placed badly.
     *
     * <p>A transport that follows it receives no further than the payload's end at once, so that what comes behind can be
     * placed as well.
     *
     * @param headerBytes  0 or more
     * @param payloadBytes 0 or more
     */
    void expect(int headerBytes, int payloadBytes);

    /**
     * Stops {@link ConnectionHandler#onReceive}; takes effect at once. What is received already and not delivered is kept,
     * as lent memory, and delivered first when reading goes on. Idempotent.
     */
    void pauseReceive();

    /** Lets {@link ConnectionHandler#onReceive} come again, from the next turn on. Idempotent. */
    void resumeReceive();

    /**
     * Tells whether receiving is paused.
     *
     * @return true between {@link #pauseReceive} and {@link #resumeReceive}
     */
    boolean receivePaused();

    /** Ends our side of the stream after what was already taken by the stack. Idempotent. */
    void shutdownSend();

    /**
     * Closes at once and forgets the handler: no callback follows, except {@link ConnectionHandler#onSent} for lent
     * memory. Unread input may make the kernel send a reset; see {@link #finish}. Idempotent.
     */
    void close();

    /**
     * Ends politely: shuts our side, drops what the peer still sends until its end of stream or until
     * {@code lingerNs} have passed, then closes. The handler is forgotten at once. Use it after a last reply that must
     * arrive although input may be unread.
     *
     * @param lingerNs 0 or more nanoseconds
     */
    void finish(long lingerNs);

    /**
     * Tells whether the connection is open on our side.
     *
     * @return false after {@link #close}, {@link #finish} or a failure
     */
    boolean isOpen();

    /**
     * The peer's address for people, e.g. {@code 127.0.0.1:5000} or {@code unix:/run/x.sock}.
     *
     * @return never null
     */
    String peerName();

    /**
     * Our own address for people.
     *
     * @return never null
     */
    String localName();

    /**
     * The descriptor, for {@code CLIENT LIST} and logs.
     *
     * @return a number that is unique among the open connections of this process
     */
    int descriptor();

    /**
     * Tells whether the peer is on this machine: a Unix socket or a loopback address.
     *
     * @return true for loopback and Unix sockets
     */
    boolean isLocalPeer();
}
