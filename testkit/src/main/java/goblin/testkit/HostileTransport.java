// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.Transport;
import goblin.net.TransportCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A transport over another one that does everything the contract allows and a good network does not: it cuts what is
 * received at any byte, takes less than it is given, says "would block" while there is room, delays, and keeps lent memory
 * as long as it may. The same seed gives the same behaviour for the same calls. Single connections can be held and reset
 * through {@link HostileConnection}.
 */
public final class HostileTransport implements Transport {
    final Random random;
    final Mischief mischief;
    long turn;

    private final Transport inner;
    private final FaultReporter faults;
    private final List<HostileConnection> connections = new ArrayList<>();

    /**
     * Wraps a transport.
     *
     * @param inner    the transport below, closed with this one
     * @param seed     of all chances
     * @param mischief how bad
     * @param faults   told what handlers throw
     */
    public HostileTransport(
            final Transport inner, final long seed, final Mischief mischief, final FaultReporter faults) {
        this.inner = inner;
        this.mischief = mischief;
        this.faults = faults;
        random = new Random(seed);
    }

    /**
     * The transport below.
     *
     * @return as given to the constructor
     */
    public Transport inner() {
        return inner;
    }

    /**
     * The connections that are not over, oldest first. On the loop's thread.
     *
     * @return a copy
     */
    public List<HostileConnection> connections() {
        return List.copyOf(connections);
    }

    @Override
    public Listener listen(final Endpoint local, final ListenOptions options, final AcceptHandler handler) {
        return inner.listen(local, options, hostile(handler));
    }

    @Override
    public int adopt(final int descriptor, final Endpoint remote, final Endpoint local, final AcceptHandler handler) {
        return inner.adopt(descriptor, remote, local, hostile(handler));
    }

    private AcceptHandler hostile(final AcceptHandler handler) {
        return new AcceptHandler() {
            @Override
            public boolean handOver(final int descriptor, final Endpoint remote, final Endpoint local) {
                return handler.handOver(descriptor, remote, local);
            }

            @Override
            public ConnectionHandler onAccept(final Connection connection) {
                final HostileConnection hostile = new HostileConnection(HostileTransport.this, true);
                hostile.inner(connection);
                final ConnectionHandler chosen = handler.onAccept(hostile);
                if (chosen == null) {
                    return null;
                }
                hostile.handler(chosen);
                connections.add(hostile);
                return hostile.innerHandler();
            }

            @Override
            public void onAcceptError(final int errno) {
                handler.onAcceptError(errno);
            }
        };
    }

    @Override
    public Connection connect(final Endpoint remote, final ConnectionHandler handler) {
        final HostileConnection hostile = new HostileConnection(this, false);
        hostile.handler(handler);
        hostile.inner(inner.connect(remote, hostile.innerHandler()));
        connections.add(hostile);
        return hostile;
    }

    @Override
    public int poll(final long nowNs) {
        turn++;
        int work = inner.poll(nowNs);
        for (final HostileConnection connection : List.copyOf(connections)) {
            work += connection.turn();
        }
        connections.removeIf(HostileConnection::isOver);
        return work;
    }

    @Override
    public void await(final long timeoutNs) {
        if (connections.stream().noneMatch(HostileConnection::hasWork)) {
            inner.await(timeoutNs);
        }
    }

    @Override
    public int wakeDescriptor() {
        return inner.wakeDescriptor();
    }

    @Override
    public void wake() {
        inner.wake();
    }

    @Override
    public long lentBytes() {
        return inner.lentBytes();
    }

    @Override
    public long counter(final TransportCounter counter) {
        return inner.counter(counter);
    }

    @Override
    public void close() {
        connections.forEach(HostileConnection::abandon);
        connections.clear();
        inner.close();
    }

    int delay() {
        return mischief.maxDelayTurns() == 0 ? 0 : random.nextInt(mischief.maxDelayTurns() + 1);
    }

    boolean blocksByChance() {
        return mischief.wouldBlockPercent() > 0 && random.nextInt(100) < mischief.wouldBlockPercent();
    }

    void fault(final String where, final Throwable thrown) {
        FaultReporter.rethrowFatal(thrown);
        faults.report(where, thrown);
    }
}
