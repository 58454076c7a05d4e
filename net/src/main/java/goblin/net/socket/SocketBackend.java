// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import goblin.net.Endpoint;

/** How the events of sockets come. On the loop's thread. */
public interface SocketBackend {

    /**
     * Makes a connection of this backend; nothing is watched yet.
     *
     * @param descriptor its socket, or negative when there is none
     * @param remote     the peer
     * @param local      the own address, or null to ask the kernel when somebody wants to know
     * @return the connection
     */
    SocketConnection newConnection(int descriptor, Endpoint remote, Endpoint local);

    /**
     * Has the changes of a descriptor reported to {@link Pollable#onEvents}.
     *
     * @param pollable whose
     * @param events   bits of {@link PollEvents}
     * @return 0 or the negated errno
     */
    int register(Pollable pollable, int events);

    /**
     * Ends the reports and closes the descriptor, once; nothing when it is not registered.
     *
     * @param pollable whose
     */
    void unregister(Pollable pollable);
}
