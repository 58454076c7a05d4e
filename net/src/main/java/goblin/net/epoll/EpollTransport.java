// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.NetException;
import goblin.net.SegmentArena;
import goblin.net.TimerQueue;
import goblin.net.Transport;
import goblin.net.TransportCounter;
import goblin.net.TransportCounters;
import goblin.net.linux.EpollCalls;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.linux.SocketAddress;
import goblin.net.linux.SocketCalls;
import goblin.net.linux.SocketOption;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Kernel TCP and Unix sockets under one loop, driven by edge-triggered epoll.
 *
 * <p>A turn costs one {@code epoll_wait} and what is ready, however many connections are idle. A connection gets at most
 * one receive a turn, a listener at most 64 accepts. A receive goes straight into the segments of the
 * {@link SegmentArena} that make up the receive window, which is one for all connections, and is delivered a segment a
 * callback. Where the arena has small pieces, up to 2 KiB are copied into one, so that few bytes never pin a large segment,
 * and counted as {@link TransportCounter#COPIED_BYTES}. Idle connections hold no receive memory; when no segment is left,
 * reading pauses until one comes back.
 *
 * <p>{@link Connection#expect} is followed where segments are whole pages: see there.
 *
 * <p>TCP_QUICKACK is armed again at the beginning of the next turn for connections that received and did not send:
 * where a reply was sent at once it carried the acknowledgement, and no call is spent. (Arming it after every receive made
 * an echo over loopback 1.3 µs slower, 7.4 instead of 6.1 µs at the median.)
 *
 * <p>A listener on an IPv6 address serves IPv6 only. A Unix socket's file is taken over when nobody answers behind it.
 */
public final class EpollTransport implements Transport {
    /** The most segments that one receive fills. */
    public static final int MOST_PIECES = 1023;

    static final int DROP_BUFFER_BYTES = 64 * 1024;

    private static final int MAX_EVENTS = 256;
    private static final long WAKE_DATA = -1;

    final SegmentArena arena;
    final ReceiveWindow window;
    final SocketCalls calls = new SocketCalls();
    final TimerQueue timers = new TimerQueue();
    final ReadyList ready = new ReadyList();
    final HeldTokens heldTokens = new HeldTokens();
    /** Failed, and their handlers not told yet. */
    final ArrayDeque<EpollConnection> failed = new ArrayDeque<>();
    /** Room for one socket address, and behind it for its length. */
    final long addressScratch = Memory.allocate(SocketAddress.MAX_BYTES + Long.BYTES);
    /** Where the input of finishing connections goes. */
    final long dropBuffer = Memory.allocate(DROP_BUFFER_BYTES);

    long nowNs = System.nanoTime();
    long turn;

    private final EpollCalls epollCalls = new EpollCalls();
    private final FaultReporter faults;
    private final int epoll;
    private final int waker;
    private final long events = Memory.allocate((long) MAX_EVENTS * EpollCalls.EVENT_BYTES);
    private final long addressLength = addressScratch + SocketAddress.MAX_BYTES;
    private final TransportCounters counters = new TransportCounters();
    private final Object wakerLock = new Object();

    private Pollable[] byDescriptor = new Pollable[256];
    private int generations;
    private int fetchedEvents;
    private final ArrayDeque<EpollConnection> starved = new ArrayDeque<>();
    private EpollConnection[] quickAcks = new EpollConnection[64];
    private int quickAckCount;
    /** Whether a connection has kept a partly filled segment since all were made to give theirs up. */
    private boolean anyPartlyFilled;

    private Thread owner;
    private boolean polling;
    private boolean closed;

    private volatile boolean sleeping;
    private volatile boolean woken;

    /** Makes a transport with an arena of its own, of {@link SegmentArena#DEFAULT_BYTES}. */
    public EpollTransport() {
        this(new SegmentArena(), FaultReporter.STANDARD_ERROR);
    }

    /**
     * Makes a transport whose receive window is one segment.
     *
     * @param arena  its receive memory, closed with it
     * @param faults told what handlers throw
     */
    public EpollTransport(final SegmentArena arena, final FaultReporter faults) {
        this(arena, arena.segmentBytes(), faults);
    }

    /**
     * Makes a transport.
     *
     * @param arena       its receive memory, closed with it
     * @param windowBytes how much one receive may bring, rounded down to whole segments: one to {@link #MOST_PIECES}, and no
     *     more than there are
     * @param faults      told what handlers throw
     */
    public EpollTransport(final SegmentArena arena, final int windowBytes, final FaultReporter faults) {
        this.arena = arena;
        final int pieces = Math.min(Math.min(windowBytes / arena.segmentBytes(), MOST_PIECES), arena.segments());
        window = new ReceiveWindow(arena, Math.max(1, pieces));
        this.faults = faults;
        epoll = checked(epollCalls.create(), "epoll");
        waker = checked(epollCalls.eventfd(), "eventfd");
        checked(epollCalls.add(epoll, waker, EpollEvents.INPUT, WAKE_DATA), "epoll");
    }

    private static int checked(final int outcome, final String what) {
        if (outcome < 0) {
            throw new NetException("cannot make an " + what + " descriptor: " + Errno.name(-outcome), -outcome);
        }
        return outcome;
    }

    @Override
    public Listener listen(final Endpoint local, final ListenOptions options, final AcceptHandler handler) {
        checkOpen();
        return EpollListener.open(this, local, options, handler);
    }

    @Override
    public Connection connect(final Endpoint remote, final ConnectionHandler handler) {
        checkOpen();
        final int length = Addresses.write(remote, addressScratch);
        final int fd = calls.socket(Addresses.family(remote));
        final EpollConnection connection = new EpollConnection(this, fd, remote, null);
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
        final int registered = register(connection, EpollEvents.CONNECTION);
        if (errno == 0 && registered < 0) {
            errno = -registered;
        }
        connection.connecting(handler, errno);
        return connection;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the transport is closed");
        }
    }

    @Override
    public int poll(final long now) {
        nowNs = now;
        turn++;
        own();
        polling = true;
        try {
            requestQuickAcks();
            arena.collect();
            feedStarved();
            int work = deliverOutcomes();
            work += fetch();
            work += ready.serve();
            work += timers.fire(now);
            return work + deliverOutcomes();
        } finally {
            polling = false;
        }
    }

    @Override
    public void await(final long timeoutNs) {
        if (timeoutNs <= 0 || hasWork()) {
            return;
        }
        requestQuickAcks();
        final long bounded = Math.min(timeoutNs, timers.untilNextNs(System.nanoTime()));
        sleeping = true;
        if (!woken) {
            // Fetched here, handled by the next poll: an edge is reported once.
            fetchedEvents = Math.max(0, epollCalls.await(epoll, events, MAX_EVENTS, bounded));
        }
        sleeping = false;
        woken = false;
    }

    @Override
    public void wake() {
        woken = true;
        if (sleeping) {
            synchronized (wakerLock) {
                if (!closed) {
                    EpollCalls.signal(waker);
                }
            }
        }
    }

    @Override
    public int wakeDescriptor() {
        return waker;
    }

    @Override
    public long lentBytes() {
        return arena.lentBytes();
    }

    /**
     * Reads a counter. On the loop's thread it is exact; on others it may be a little old.
     *
     * @param counter which
     * @return its value, from 0 on
     */
    public long counter(final TransportCounter counter) {
        return counters.get(counter);
    }

    @Override
    public void close() {
        if (polling) {
            throw new IllegalStateException("a transport cannot be closed from inside a callback");
        }
        synchronized (wakerLock) {
            if (closed) {
                return;
            }
            closed = true;
        }
        for (final Pollable pollable : byDescriptor) {
            switch (pollable) {
                case null -> {}
                case EpollConnection connection -> connection.close();
                case EpollListener listener -> listener.close();
                default -> throw new IllegalStateException("unknown pollable " + pollable);
            }
        }
        calls.close(waker);
        calls.close(epoll);
        window.close();
        arena.close();
        Memory.free(events);
        Memory.free(addressScratch);
        Memory.free(dropBuffer);
        calls.free();
        epollCalls.free();
    }

    // ---- for listeners and connections

    /** Puts a pollable into the epoll set; returns 0 or the negated errno. */
    int register(final Pollable pollable, final int eventBits) {
        final int fd = pollable.descriptor;
        if (fd >= byDescriptor.length) {
            byDescriptor = Arrays.copyOf(byDescriptor, Math.max(fd + 1, byDescriptor.length * 2));
        }
        byDescriptor[fd] = pollable;
        pollable.generation = ++generations & Integer.MAX_VALUE;
        final int outcome = epollCalls.add(epoll, fd, eventBits, (long) pollable.generation << Integer.SIZE | fd);
        if (outcome < 0) {
            byDescriptor[fd] = null;
        }
        return outcome;
    }

    /** Closes a pollable's descriptor, once. */
    void unregister(final Pollable pollable) {
        final int fd = pollable.descriptor;
        if (pollable.generation != 0) {
            pollable.generation = 0;
            byDescriptor[fd] = null;
            calls.close(fd);
        }
    }

    /** Accepts; the peer's address is in {@link #addressScratch} afterwards. */
    int accept(final int listening) {
        Memory.putInt(addressLength, SocketAddress.MAX_BYTES);
        return calls.accept(listening, addressScratch, addressLength);
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

    void quickAckLater(final EpollConnection connection) {
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

    void starve(final EpollConnection connection) {
        count(TransportCounter.STARVED, 1);
        starved.add(connection);
        if (anyPartlyFilled) {
            // Segments that wait for their own connection's next bytes: nobody knows when those come.
            anyPartlyFilled = false;
            for (final Pollable pollable : byDescriptor) {
                if (pollable instanceof EpollConnection other) {
                    other.giveUpPartlyFilled();
                }
            }
        }
    }

    void keepsPartlyFilled() {
        anyPartlyFilled = true;
    }

    void count(final TransportCounter counter, final long howMany) {
        counters.add(counter, howMany);
    }

    void handlerFault(final String where, final Throwable thrown) {
        FaultReporter.rethrowFatal(thrown);
        count(TransportCounter.HANDLER_FAULTS, 1);
        faults.report(where, thrown);
    }

    // ---- a turn

    private void own() {
        final Thread current = Thread.currentThread();
        if (owner != current) {
            owner = current;
            arena.own(this::wake);
        }
    }

    private boolean hasWork() {
        return fetchedEvents > 0
                || ready.size() > 0
                || !failed.isEmpty()
                || !heldTokens.isEmpty()
                || (!starved.isEmpty() && freeSegments() > 0);
    }

    private int freeSegments() {
        return window.primed() + arena.freeSegments();
    }

    private void requestQuickAcks() {
        for (int i = 0; i < quickAckCount; i++) {
            quickAcks[i].requestQuickAck();
            quickAcks[i] = null;
        }
        quickAckCount = 0;
    }

    private void feedStarved() {
        int free = freeSegments();
        while (free > 0 && !starved.isEmpty()) {
            if (starved.poll().feed()) {
                free--;
            }
        }
    }

    private int deliverOutcomes() {
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

    private int fetch() {
        final int count = fetchedEvents > 0 ? fetchedEvents : epollCalls.poll(epoll, events, MAX_EVENTS);
        fetchedEvents = 0;
        for (int i = 0; i < count; i++) {
            final long data = EpollCalls.data(events, i);
            if (data == WAKE_DATA) {
                continue;
            }
            final Pollable pollable = byDescriptor[(int) data];
            // The descriptor may have been closed and used anew since the event was fetched.
            if (pollable != null && pollable.generation == (int) (data >>> Integer.SIZE)) {
                pollable.onEvents(EpollCalls.bits(events, i));
            }
        }
        return Math.max(0, count);
    }
}
