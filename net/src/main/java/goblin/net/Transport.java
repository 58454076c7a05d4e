// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** One TCP stack under an event loop. All methods run on the loop's thread (or before it starts). */
public interface Transport extends AutoCloseable {

    /**
     * Starts listening.
     *
     * @param local   where; port 0 lets the kernel choose
     * @param options backlog, socket file mode, port sharing
     * @param handler called for each accepted connection
     * @return the listener
     * @throws NetException when the kernel refuses, with a message for people that names the endpoint and the cause
     */
    Listener listen(Endpoint local, ListenOptions options, AcceptHandler handler);

    /**
     * Starts connecting without blocking. Success is {@link ConnectionHandler#onConnected}; failure, immediate failure
     * included, is {@link ConnectionHandler#onClosed} in a later turn.
     *
     * @param remote  where to
     * @param handler receives the events
     * @return the connection; sends return 0 until it is established
     */
    Connection connect(Endpoint remote, ConnectionHandler handler);

    /**
     * Takes a socket that another transport's listener accepted ({@link AcceptHandler#handOver}). May be called after
     * {@link #close}.
     *
     * @param descriptor a connected stream socket that nobody else uses; the transport's from now on, closed on failure
     * @param remote     the peer
     * @param local      where it was accepted
     * @param handler    asked at once what the connection is for, as after accepting
     * @return 0, or the negated errno when it cannot be served; then the handler was not asked
     */
    int adopt(int descriptor, Endpoint remote, Endpoint local, AcceptHandler handler);

    /**
     * Handles what is ready, without waiting.
     *
     * @param nowNs the turn's time, {@link System#nanoTime} based
     * @return how much was done; 0 when nothing was ready
     */
    int poll(long nowNs);

    /**
     * Sleeps until something is ready, {@link #wake} is called, or the time is up. Does not handle anything itself.
     *
     * @param timeoutNs at most this long; 0 or less returns at once
     */
    void await(long timeoutNs);

    /** Ends an {@link #await} early. May be called from any thread; never lost when it comes just before the sleep. */
    void wake();

    /**
     * The descriptor whose becoming readable ends an {@link #await}: an eventfd, so that the kernel can wake the loop.
     *
     * @return open until {@link #close}
     */
    int wakeDescriptor();

    /**
     * Bytes of receive memory lent and not yet given back, for leak checks and metrics.
     *
     * @return 0 when nobody retains a segment
     */
    long lentBytes();

    /**
     * Reads a counter. On the loop's thread it is exact; on others it may be a little old.
     *
     * @param counter which
     * @return its value, from 0 on
     */
    long counter(TransportCounter counter);

    /** Closes all listeners and connections without callbacks. Not from inside a callback. Idempotent. */
    @Override
    void close();
}
