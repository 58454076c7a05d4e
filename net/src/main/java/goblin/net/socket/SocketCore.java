// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.TimerQueue;
import goblin.net.TransportCounter;
import goblin.net.TransportCounters;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.linux.SocketAddress;
import goblin.net.linux.SocketCalls;
import goblin.net.linux.SocketOption;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * What all sockets of one transport share, whichever way their events come: calls, timers, who has something to do, whose
 * failures are to be told, and acknowledgements that are due. On the loop's thread.
 *
 * <p>TCP_QUICKACK is armed again at the beginning of the next turn for connections that received and did not send: where a
 * reply was sent at once it carried the acknowledgement, and no call is spent.
 */
public final class SocketCore {
    /** Calls on sockets. */
    public final SocketCalls calls = new SocketCalls();

    /** Fired by the transport. */
    public final TimerQueue timers = new TimerQueue();

    /** Who has something to do. */
    public final ReadyList ready = new ReadyList();

    final SocketBackend backend;
    /** Room for one socket address, and behind it for its length. */
    final long addressScratch = Memory.allocate(SocketAddress.MAX_BYTES + Long.BYTES);

    /** The turn's time. */
    long nowNs = System.nanoTime();

    private final long addressLength = addressScratch + SocketAddress.MAX_BYTES;
    private final TransportCounters counters = new TransportCounters();
    private final HeldTokens heldTokens = new HeldTokens();
    /** Failed, and their handlers not told yet. */
    private final ArrayDeque<SocketConnection> failed = new ArrayDeque<>();

    private final FaultReporter faults;

    private long turn;
    private SocketConnection[] quickAcks = new SocketConnection[64];
    private int quickAckCount;

    /**
     * For a backend.
     *
     * @param backend how events come
     * @param faults  told what handlers throw
     */
    public SocketCore(final SocketBackend backend, final FaultReporter faults) {
        this.backend = backend;
        this.faults = faults;
    }

    /** Gives its memory back; nothing may follow. */
    public void free() {
        Memory.free(addressScratch);
        calls.free();
    }

    // ---- beginning

    /**
     * As {@link goblin.net.Transport#listen}.
     *
     * @param local   where
     * @param options how
     * @param handler called for each accepted connection
     * @return the listener
     */
    public Listener listen(final Endpoint local, final ListenOptions options, final AcceptHandler handler) {
        return SocketListener.open(this, local, options, handler);
    }

    /**
     * As {@link goblin.net.Transport#connect}.
     *
     * @param remote  where to
     * @param handler receives the events
     * @return the connection
     */
    public Connection connect(final Endpoint remote, final ConnectionHandler handler) {
        final int length = Addresses.write(remote, addressScratch);
        final int fd = calls.socket(Addresses.family(remote));
        final SocketConnection connection = backend.newConnection(fd, remote, null);
        if (fd < 0) {
            connection.connecting(handler, -fd);
            return connection;
        }
        if (connection.isTcp()) {
            TcpOptions.set(calls, fd);
        }
        final int outcome = calls.connect(fd, addressScratch, length);
        int errno = outcome == 0 || outcome == -Errno.EINPROGRESS ? 0 : -outcome;
        // Registered after connect(): a socket that is not even connecting reports HUP.
        final int registered = backend.register(connection, SocketConnection.EVENTS);
        if (errno == 0 && registered < 0) {
            errno = -registered;
        }
        connection.connecting(handler, errno);
        return connection;
    }

    /** Accepts; the peer's address is in {@link #addressScratch} afterwards. */
    int accept(final int listening) {
        Memory.putInt(addressLength, SocketAddress.MAX_BYTES);
        return calls.accept(listening, addressScratch, addressLength);
    }

    /**
     * Takes an accepted socket: registers it and asks for its handler.
     *
     * @param fd      the socket, closed on failure
     * @param remote  the peer
     * @param local   the own address
     * @param handler asked for the connection's handler
     * @return 0 or the negated errno
     */
    public int take(final int fd, final Endpoint remote, final Endpoint local, final AcceptHandler handler) {
        final SocketConnection connection = backend.newConnection(fd, remote, local);
        final int outcome = backend.register(connection, SocketConnection.EVENTS);
        if (outcome < 0) {
            calls.close(fd);
            return outcome;
        }
        count(TransportCounter.ACCEPTED, 1);
        ConnectionHandler chosen = null;
        try {
            chosen = handler.onAccept(connection);
        } catch (final Throwable thrown) {
            handlerFault("accepting on " + local, thrown);
        }
        if (chosen == null) {
            connection.close();
        } else {
            connection.handler(chosen);
        }
        return 0;
    }

    /**
     * Closes a socket that comes when the transport is closed already.
     *
     * @param fd the socket
     * @return the negated errno for whoever gave it
     */
    public static int refuse(final int fd) {
        final SocketCalls closing = new SocketCalls();
        closing.close(fd);
        closing.free();
        return -Errno.ESHUTDOWN;
    }

    /** The own address of a socket; for Unix sockets {@code otherwise}. */
    Endpoint ownEndpoint(final int fd, final Endpoint otherwise) {
        if (otherwise instanceof Endpoint.Unix) {
            return otherwise;
        }
        Memory.putInt(addressLength, SocketAddress.MAX_BYTES);
        return calls.ownAddress(fd, addressScratch, addressLength) < 0 ? otherwise : Addresses.read(addressScratch);
    }

    int pendingError(final int fd) {
        return Math.abs(calls.option(fd, SocketOption.ERROR));
    }

    // ---- counting and telling

    /**
     * Counts.
     *
     * @param counter which
     * @param howMany 0 or more
     */
    public void count(final TransportCounter counter, final long howMany) {
        counters.add(counter, howMany);
    }

    /**
     * Reads a counter.
     *
     * @param counter which
     * @return 0 or more
     */
    public long counter(final TransportCounter counter) {
        return counters.get(counter);
    }

    void handlerFault(final String where, final Throwable thrown) {
        FaultReporter.rethrowFatal(thrown);
        count(TransportCounter.HANDLER_FAULTS, 1);
        faults.report(where, thrown);
    }

    void held(final SocketConnection connection, final ConnectionHandler handler, final long token) {
        heldTokens.add(connection, handler, token);
    }

    void failed(final SocketConnection connection) {
        failed.add(connection);
    }

    // ---- a turn

    /**
     * A turn begins.
     *
     * @param now its time
     */
    public void turn(final long now) {
        nowNs = now;
        turn++;
    }

    /**
     * Counts turns.
     *
     * @return the present turn's number
     */
    long turn() {
        return turn;
    }

    /**
     * Whether the next turn has something to do without any event.
     *
     * @return whether somebody is ready or to be told something
     */
    public boolean hasWork() {
        return ready.size() > 0 || !failed.isEmpty() || !heldTokens.isEmpty();
    }

    void quickAckLater(final SocketConnection connection) {
        if (quickAckCount == quickAcks.length) {
            quickAcks = Arrays.copyOf(quickAcks, quickAckCount * 2);
        }
        connection.inQuickAckList = true;
        quickAcks[quickAckCount++] = connection;
    }

    void quickAck(final int fd) {
        count(TransportCounter.QUICK_ACKS, 1);
        calls.setOption(fd, SocketOption.TCP_QUICK_ACK, 1);
    }

    /** Asks for the acknowledgements that no answer carried since the turn before. */
    public void requestQuickAcks() {
        for (int i = 0; i < quickAckCount; i++) {
            quickAcks[i].requestQuickAck();
            quickAcks[i] = null;
        }
        quickAckCount = 0;
    }

    /**
     * Tells handlers what became of lent memory and of failed connections. No call of a handler may be on the stack.
     *
     * @return how many were told
     */
    public int deliverOutcomes() {
        int work = 0;
        if (!heldTokens.isEmpty()) {
            work += heldTokens.deliver();
        }
        for (int left = failed.size(); left > 0; left--) {
            failed.poll().deliverFailure();
            work++;
        }
        return work;
    }
}
