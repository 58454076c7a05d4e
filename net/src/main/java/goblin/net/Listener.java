// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** A listening socket of one loop. */
public interface Listener extends AutoCloseable {

    /**
     * Where it listens, with the port the kernel chose when 0 was asked for.
     *
     * @return never null
     */
    Endpoint endpoint();

    /**
     * Accepts what waits, and closes: the kernel would reset connections that it has queued for this socket, although
     * others may listen on the same port. Not from inside a callback. Idempotent.
     */
    void finish();

    /**
     * Has connections that begin from now on go to another listener of a port that several share
     * ({@link ListenOptions#reusePort}), as far as the kernel can; this one still accepts those that have begun. Without
     * another one nothing changes. {@link #close} ends it.
     *
     * @param place of the listener that gets them, counted in the order in which those that are open began to listen, 0
     *     for the oldest; it needs to be none of this process
     * @return whether the kernel does it
     */
    boolean divert(int place);

    /** Stops accepting and closes the socket; a Unix socket's file is removed. Accepted connections live on. Idempotent. */
    @Override
    void close();
}
