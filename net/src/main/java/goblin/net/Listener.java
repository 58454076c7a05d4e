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

    /** Stops accepting and closes the socket; a Unix socket's file is removed. Accepted connections live on. Idempotent. */
    @Override
    void close();
}
