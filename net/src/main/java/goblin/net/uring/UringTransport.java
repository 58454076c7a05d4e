// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.LentSegment;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.NetException;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.net.TransportCounter;
import goblin.net.linux.EpollCalls;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.socket.Pollable;
import goblin.net.socket.SocketBackend;
import goblin.net.socket.SocketConnection;
import goblin.net.socket.SocketCore;
import java.util.ArrayDeque;

/**
 * Kernel TCP and Unix sockets under one loop, driven by io_uring.
 *
 * <p>The kernel receives by itself into primed segments of the {@link SegmentArena}, one receive a segment, and tells by a
 * completion; a turn in which nothing happened makes no system call. A connection may be given several segments in a turn.
 * Where the arena has small pieces, up to 2 KiB are copied into one and the segment goes to the kernel again at once; they
 * are counted as {@link TransportCounter#COPIED_BYTES}. Idle connections hold no receive memory; when no segment is left,
 * reading stops until one comes back. Sends are plain calls, since they tell at once what was taken. {@link
 * Connection#expect} is ignored.
 *
 * <p>The ring belongs to the thread that first calls {@link #poll} or {@link #await}. Bytes are received only in calls of
 * these two, so a connection that pauses gets none after the segments that were received by then; they are kept for it, and
 * count as lent. A descriptor that is closed is closed for the peer in the next turn, when the kernel has given it up.
 *
 * <p>Listeners, acknowledgements, options and Unix sockets' files are as with epoll.
 */
public final class UringTransport implements Transport {
    /** Bytes of primed segments when its maker does not say. */
    public static final int DEFAULT_WINDOW_BYTES = 1 << 20;

    /** The most primed segments. */
    public static final int MOST_PIECES = 32_768;

    private static final int ENTRIES = 256;
    private static final int COMPLETIONS = 4096;
    private static final long CLOSING_NS = 5_000_000_000L;

    private final SegmentArena arena;
    private final SocketCore core;
    private final FaultReporter faults;
    private final Ring ring;
    private final BufferRing buffers;
    private final Operations operations;
    private final boolean copiesSmall;
    private final int waker;
    private final ArrayDeque<UringConnection> starved = new ArrayDeque<>();
    /** Descriptors of which an entry may wait that the kernel had no room for. */
    private final ArrayDeque<Integer> closeLater = new ArrayDeque<>();

    private final Object wakerLock = new Object();

    private Thread owner;
    private boolean polling;
    private boolean closed;

    private volatile boolean sleeping;
    private volatile boolean woken;

    /**
     * Makes a transport that primes {@link #DEFAULT_WINDOW_BYTES}.
     *
     * @param arena  its receive memory, closed with it
     * @param faults told what handlers throw
     * @throws NetException when the kernel refuses; see {@link Ring#refusal}
     */
    public UringTransport(final SegmentArena arena, final FaultReporter faults) {
        this(arena, DEFAULT_WINDOW_BYTES, faults);
    }

    /**
     * Makes a transport.
     *
     * @param arena       its receive memory, closed with it
     * @param windowBytes how much is primed, for all connections together, rounded down to whole segments: one to
     *     {@link #MOST_PIECES}, and no more than there are
     * @param faults      told what handlers throw
     * @throws NetException when the kernel refuses; see {@link Ring#refusal}
     */
    public UringTransport(final SegmentArena arena, final int windowBytes, final FaultReporter faults) {
        this.arena = arena;
        this.faults = faults;
        copiesSmall = arena.hasSmall();
        final int pieces = Math.min(Math.min(windowBytes / arena.segmentBytes(), MOST_PIECES), arena.segments());
        ring = new Ring(ENTRIES, COMPLETIONS);
        final EpollCalls eventCalls = new EpollCalls();
        waker = eventCalls.eventfd();
        eventCalls.free();
        if (waker < 0) {
            ring.close();
            throw new NetException("cannot make an eventfd: " + Errno.name(-waker), -waker);
        }
        buffers = new BufferRing(ring, arena, Math.max(1, pieces));
        core = new SocketCore(new Backend(), faults);
        operations = new Operations(ring, buffers, waker);
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

    // ---- a turn

    @Override
    public int poll(final long nowNs) {
        core.turn(nowNs);
        own();
        polling = true;
        try {
            core.requestQuickAcks();
            arena.collect();
            buffers.refill();
            feedStarved();
            int work = core.deliverOutcomes();
            // Nothing runs between the two that could close a descriptor of which an entry is queued.
            operations.prepare();
            operations.submit();
            closeThose();
            work += operations.fetch();
            work += core.ready.serve();
            work += core.timers.fire(nowNs);
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
        operations.prepare();
        sleeping = true;
        if (!woken && bounded > 0) {
            operations.await(bounded);
        }
        sleeping = false;
        woken = false;
    }

    private void closeThose() {
        while (!closeLater.isEmpty() && (closed || operations.mayCloseNow())) {
            core.calls.close(closeLater.poll());
        }
    }

    private boolean hasWork() {
        return core.hasWork()
                || ring.hasCompletion()
                || (!starved.isEmpty() && (buffers.available() > 0 || arena.freeSegments() > 0));
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

    private void own() {
        final Thread current = Thread.currentThread();
        if (owner != current) {
            owner = current;
            arena.own(this::wake);
        }
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
        operations.closeAll();
        final boolean quiet = operations.end(CLOSING_NS);
        closeThose();
        core.calls.close(waker);
        if (quiet) {
            buffers.close(ring);
            ring.close();
            arena.close();
        } else {
            // The kernel may still write: memory that stays mapped for ever is the lesser evil.
            ring.close();
            faults.report("closing an io_uring", new IllegalStateException("operations are still under way"));
        }
        core.free();
    }

    // ---- for connections

    /** Queues a look at what the kernel should do for a connection. */
    void changed(final UringConnection connection) {
        operations.changed(connection);
    }

    /** Lends what the kernel put into a buffer. */
    LentSegment lend(final int number, final int length) {
        if (length <= SegmentArena.SMALL_BYTES && copiesSmall) {
            // Copied before it is lent, so that its address stays the same when the handler keeps it.
            final LentSegment small = arena.takeSmall();
            if (small != null) {
                Memory.copy(buffers.address(number), small.address(), length);
                small.length(length);
                core.count(TransportCounter.COPIED_BYTES, length);
                buffers.provide(number);
                return small;
            }
        }
        final LentSegment segment = buffers.lend(number);
        segment.length(length);
        return segment;
    }

    void provide(final int number) {
        buffers.provide(number);
    }

    void starve(final UringConnection connection) {
        if (arena.freeSegments() == 0) {
            core.count(TransportCounter.STARVED, 1);
        }
        starved.add(connection);
    }

    private void feedStarved() {
        for (int free = buffers.available(); free > 0 && !starved.isEmpty(); ) {
            final UringConnection connection = starved.poll();
            connection.starved = false;
            if (connection.wantsBytes()) {
                operations.changed(connection);
                free--;
            }
        }
    }

    private final class Backend implements SocketBackend {
        @Override
        public SocketConnection newConnection(final int descriptor, final Endpoint remote, final Endpoint local) {
            return new UringConnection(UringTransport.this, core, descriptor, remote, local);
        }

        @Override
        public int register(final Pollable pollable, final int events) {
            operations.register(pollable, events);
            return 0;
        }

        @Override
        public void unregister(final Pollable pollable) {
            if (operations.unregister(pollable)) {
                if (operations.mayCloseNow()) {
                    core.calls.close(pollable.descriptor());
                } else {
                    closeLater.add(pollable.descriptor());
                }
            }
        }
    }
}
