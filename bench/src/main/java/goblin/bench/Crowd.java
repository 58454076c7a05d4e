// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.ClientSocket;
import goblin.net.linux.EpollCalls;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.linux.SocketCalls;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Subscribers that must all receive the same bytes: each byte of each is compared. Receiving allocates nothing. One
 * thread.
 */
final class Crowd implements AutoCloseable {
    private static final int EPOLLIN = 1;
    private static final int EVENTS = 256;
    /** Received at once at most. */
    static final int BUFFER_BYTES = 256 * 1024;

    private static final int DISCARDED_BYTES = 1 << 20;

    /** How long nothing may arrive. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final ProbeConnection[] connections;
    private final long[] received;
    private final EpollCalls calls = new EpollCalls();
    private final long events = Memory.allocate((long) EVENTS * EpollCalls.EVENT_BYTES);
    private final long buffer = Memory.allocate(BUFFER_BYTES);
    private final int epoll;
    private int open;
    private long expected;
    private int period;
    private long length;
    private int lacking;
    private int comparedEvery = 1;
    private long comparedTail;

    /**
     * Connects and subscribes.
     *
     * @param port      of the server
     * @param count     subscribers, at least 1
     * @param exchanges what each sends and is answered, in turn
     */
    Crowd(final int port, final int count, final List<Publications.Exchange> exchanges) throws Failure {
        this(port, count, exchanges, ClientSocket.Tuning.NONE);
    }

    /** The same, with sockets that are tuned so. */
    Crowd(
            final int port,
            final int count,
            final List<Publications.Exchange> exchanges,
            final ClientSocket.Tuning tuning)
            throws Failure {
        connections = new ProbeConnection[count];
        received = new long[count];
        epoll = calls.create();
        try {
            if (epoll < 0) {
                throw new Failure("no epoll: " + Errno.name(-epoll));
            }
            while (open < count) {
                final ProbeConnection connection = ProbeConnection.open(Server.ADDRESS, port, tuning);
                connections[open] = connection;
                open++;
                for (final Publications.Exchange exchange : exchanges) {
                    connection.exchange(exchange.command(), exchange.answer());
                }
                final int outcome = calls.add(epoll, connection.socket().descriptor(), EPOLLIN, open - 1);
                if (outcome < 0) {
                    throw new Failure("epoll: " + Errno.name(-outcome));
                }
            }
        } catch (final Failure failure) {
            close();
            throw failure;
        }
    }

    /**
     * Waits until everybody has received these bytes, and nobody more.
     *
     * @param bytes   address of the bytes
     * @param length  how many, at least 1
     * @param polling whether to ask again and again, or to sleep in the kernel
     */
    void expect(final long bytes, final int length, final boolean polling) throws Failure {
        begin(bytes, length, length);
        long idleSinceNs = 0;
        while (lacking > 0) {
            if (turn(polling ? 0 : PATIENCE_NS)) {
                idleSinceNs = 0;
                continue;
            }
            final long nowNs = System.nanoTime();
            idleSinceNs = idleSinceNs == 0 ? nowNs : idleSinceNs;
            if (!polling || nowNs - idleSinceNs > PATIENCE_NS) {
                throw missing();
            }
            Thread.onSpinWait();
        }
    }

    /**
     * Begins to await bytes that repeat themselves; {@link #turn} receives them.
     *
     * @param bytes  address of the bytes; those of one period, and behind them again as many as are received at once,
     *     {@link #BUFFER_BYTES}, unless there is one period only
     * @param period after so many they begin again
     * @param length bytes in all, at least 1
     */
    void begin(final long bytes, final int period, final long length) {
        Arrays.fill(received, 0);
        this.expected = bytes;
        this.period = period;
        this.length = length;
        lacking = open;
    }

    /**
     * Compares all bytes of every so many subscribers only. Of the others the kernel drops them where they are, which
     * costs little, and they are counted; just the last ones of what is awaited are compared: a stream that lost or
     * doubled anything would not end so.
     *
     * @param every 1 for all
     * @param tail  bytes that are compared at each
     */
    void compare(final int every, final long tail) {
        comparedEvery = every;
        comparedTail = tail;
    }

    /** Whether everybody has all that is awaited. */
    boolean complete() {
        return lacking == 0;
    }

    /**
     * Receives what is there from each.
     *
     * @param timeoutNs how long to sleep in the kernel until something is; 0 not at all
     * @return whether something was there
     */
    boolean turn(final long timeoutNs) throws Failure {
        final int ready =
                timeoutNs == 0 ? calls.poll(epoll, events, EVENTS) : calls.await(epoll, events, EVENTS, timeoutNs);
        if (ready < 0 && ready != -Errno.EINTR) {
            throw new Failure("epoll: " + Errno.name(-ready));
        }
        for (int i = 0; i < ready; i++) {
            receive((int) EpollCalls.data(events, i));
        }
        return ready != 0;
    }

    /** Proves that nobody received anything more: what was delivered twice stands before the answer of a PING. */
    void checkNothingMore() throws Failure {
        for (int i = 0; i < open; i++) {
            Barrier.check(connections[i]);
        }
    }

    private void receive(final int index) throws Failure {
        final long before = received[index];
        final long dropped = index % comparedEvery == 0 ? 0 : length - before - comparedTail;
        final ClientSocket socket = connections[index].socket();
        final int got = dropped > 0
                ? socket.discard((int) Math.min(DISCARDED_BYTES, dropped))
                : socket.receive(buffer, BUFFER_BYTES, false);
        if (got <= 0) {
            if (got == -Errno.EAGAIN || got == -Errno.EINTR) {
                return;
            }
            throw new Failure("subscriber " + index + (got == 0 ? " was cut" : " was cut: " + Errno.name(-got)));
        }
        if (got > length - before) {
            throw new Failure("subscriber " + index + " received more than was published: '"
                    + text(buffer + length - before, (int) (got - length + before)) + "'");
        }
        final long place = expected + before % period;
        if (dropped <= 0 && !Memory.equal(buffer, place, got)) {
            throw new Failure("subscriber " + index + " received '" + text(buffer, got) + "' instead of '"
                    + text(place, got) + "'");
        }
        received[index] = before + got;
        if (received[index] == length) {
            lacking--;
        }
    }

    /** Why it does not go on: what subscribers lack. */
    Failure missing() {
        long least = length;
        for (int i = 0; i < open; i++) {
            least = Math.min(least, received[i]);
        }
        return new Failure(lacking + " of " + open + " subscribers lack bytes, one has " + least + " of " + length
                + ", and nothing more came within " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NS) + " s");
    }

    private static String text(final long address, final int length) {
        return RespBytes.printable(Memory.toBytes(address, Math.min(length, 128)));
    }

    @Override
    public void close() {
        for (int i = 0; i < open; i++) {
            // By a reset: runs by the dozen would leave no local port free for a minute.
            connections[i].socket().closeAbruptly();
            connections[i].close();
        }
        open = 0;
        if (epoll >= 0) {
            final SocketCalls sockets = new SocketCalls();
            sockets.close(epoll);
            sockets.free();
        }
        calls.free();
        Memory.free(events);
        Memory.free(buffer);
    }
}
