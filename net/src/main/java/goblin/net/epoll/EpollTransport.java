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
import goblin.net.Transport;
import goblin.net.TransportCounter;
import goblin.net.linux.EpollCalls;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.socket.PollEvents;
import goblin.net.socket.Pollable;
import goblin.net.socket.SocketBackend;
import goblin.net.socket.SocketConnection;
import goblin.net.socket.SocketCore;
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
    private static final int EDGE = 1 << 31;

    final SegmentArena arena;
    final ReceiveWindow window;
    /** Where the input of finishing connections goes. */
    final long dropBuffer = Memory.allocate(DROP_BUFFER_BYTES);

    private final SocketCore core;
    private final EpollCalls epollCalls = new EpollCalls();
    private final int epoll;
    private final int waker;
    private final long events = Memory.allocate((long) MAX_EVENTS * EpollCalls.EVENT_BYTES);
    private final Object wakerLock = new Object();

    private Pollable[] byDescriptor = new Pollable[256];
    private int fetchedEvents;
    private final ArrayDeque<EpollConnection> starved = new ArrayDeque<>();
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
        core = new SocketCore(new Backend(), faults);
        epoll = checked(epollCalls.create(), "epoll");
        waker = checked(epollCalls.eventfd(), "eventfd");
        checked(epollCalls.add(epoll, waker, PollEvents.IN | EDGE, WAKE_DATA), "epoll");
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
        return core.listen(local, options, handler);
    }

    @Override
    public Connection connect(final Endpoint remote, final ConnectionHandler handler) {
        checkOpen();
        return core.connect(remote, handler);
    }

    @Override
    public int adopt(final int descriptor, final Endpoint remote, final Endpoint local, final AcceptHandler handler) {
        return closed ? SocketCore.refuse(descriptor) : core.take(descriptor, remote, local, handler);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the transport is closed");
        }
    }

    @Override
    public int poll(final long now) {
        core.turn(now);
        own();
        polling = true;
        try {
            core.requestQuickAcks();
            arena.collect();
            feedStarved();
            int work = core.deliverOutcomes();
            work += fetch();
            work += core.ready.serve();
            work += core.timers.fire(now);
            return work + core.deliverOutcomes();
        } finally {
            polling = false;
        }
    }

    @Override
    public void await(final long timeoutNs) {
        if (timeoutNs <= 0 || hasWork()) {
            return;
        }
        core.requestQuickAcks();
        final long bounded = Math.min(timeoutNs, core.timers.untilNextNs(System.nanoTime()));
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

    @Override
    public long counter(final TransportCounter counter) {
        return core.counter(counter);
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
            if (pollable != null) {
                pollable.close();
            }
        }
        core.calls.close(waker);
        core.calls.close(epoll);
        window.close();
        arena.close();
        Memory.free(events);
        Memory.free(dropBuffer);
        core.free();
        epollCalls.free();
    }

    // ---- for connections

    void starve(final EpollConnection connection) {
        core.count(TransportCounter.STARVED, 1);
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

    // ---- a turn

    private void own() {
        final Thread current = Thread.currentThread();
        if (owner != current) {
            owner = current;
            arena.own(this::wake);
        }
    }

    private boolean hasWork() {
        return fetchedEvents > 0 || core.hasWork() || (!starved.isEmpty() && freeSegments() > 0);
    }

    private int freeSegments() {
        return window.primed() + arena.freeSegments();
    }

    private void feedStarved() {
        int free = freeSegments();
        while (free > 0 && !starved.isEmpty()) {
            if (starved.poll().feed()) {
                free--;
            }
        }
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
            if (pollable != null && pollable.registration == (int) (data >>> Integer.SIZE)) {
                pollable.onEvents(EpollCalls.bits(events, i));
            }
        }
        return Math.max(0, count);
    }

    private final class Backend implements SocketBackend {
        private int registrations;

        @Override
        public SocketConnection newConnection(final int descriptor, final Endpoint remote, final Endpoint local) {
            return new EpollConnection(EpollTransport.this, core, descriptor, remote, local);
        }

        @Override
        public int register(final Pollable pollable, final int eventBits) {
            final int fd = pollable.descriptor();
            if (fd >= byDescriptor.length) {
                byDescriptor = Arrays.copyOf(byDescriptor, Math.max(fd + 1, byDescriptor.length * 2));
            }
            byDescriptor[fd] = pollable;
            pollable.registration = ++registrations & Integer.MAX_VALUE;
            final int outcome = epollCalls.add(
                    epoll, fd, eventBits | PollEvents.IN | EDGE, (long) pollable.registration << Integer.SIZE | fd);
            if (outcome < 0) {
                byDescriptor[fd] = null;
            }
            return outcome;
        }

        @Override
        public void unregister(final Pollable pollable) {
            if (pollable.registration != 0) {
                pollable.registration = 0;
                byDescriptor[pollable.descriptor()] = null;
                core.calls.close(pollable.descriptor());
            }
        }
    }
}
