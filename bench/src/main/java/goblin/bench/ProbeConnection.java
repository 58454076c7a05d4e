// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.ClientSocket;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * One RESP connection of a probe, which knows every byte it is going to receive. The measured calls allocate nothing.
 * One thread uses it.
 */
final class ProbeConnection implements AutoCloseable {
    /** How long any answer may take, in milliseconds. */
    static final int TIMEOUT_MS = 10_000;

    private static final int INITIAL_BYTES = 4096;
    private static final int POLLS_BETWEEN_CLOCK_READS = 4096;

    /** How a connection waits for bytes. */
    enum Waiting {
        /** In the kernel. */
        BLOCKING,
        /** By asking again and again. */
        POLLING,
        /**
         * As {@link #POLLING}, but other threads of the same priority on this core run in between: with real-time
         * priority no compiler thread would otherwise.
         */
        YIELDING
    }

    private final String peer;
    private final ClientSocket socket;
    private long buffer = Memory.allocate(INITIAL_BYTES);
    private int capacity = INITIAL_BYTES;
    private Waiting waiting = Waiting.BLOCKING;

    private ProbeConnection(final String peer, final ClientSocket socket) {
        this.peer = peer;
        this.socket = socket;
    }

    static ProbeConnection open(final String host, final int port) throws Failure {
        return open(host, port, ClientSocket.Tuning.NONE);
    }

    static ProbeConnection open(final String host, final int port, final ClientSocket.Tuning tuning) throws Failure {
        final String peer = host + ":" + port;
        try {
            return new ProbeConnection(
                    peer, ClientSocket.connect(InetAddress.getByName(host), port, TIMEOUT_MS, tuning));
        } catch (final UnknownHostException unknown) {
            throw new Failure("host '" + host + "' is unknown", unknown);
        } catch (final ClientSocket.ConnectFailure failure) {
            throw new Failure("cannot connect to " + peer + ": " + failure.getMessage(), failure);
        }
    }

    /** The same failure, with what this connection was told meanwhile: often the reason. */
    Failure explain(final Failure failure) {
        final int got = socket.receive(buffer, capacity, false);
        return got <= 0
                ? failure
                : new Failure(
                        failure.getMessage() + "; the publisher received '"
                                + RespBytes.printable(Memory.toBytes(buffer, got)) + "'",
                        failure);
    }

    /** For those who read by themselves, many connections in turn. */
    ClientSocket socket() {
        return socket;
    }

    void waiting(final Waiting mode) {
        waiting = mode;
    }

    /** Sends a command and waits for exactly this answer. */
    void exchange(final byte[] command, final byte[] answer) throws Failure {
        send(command);
        expect(answer);
    }

    void send(final byte[] bytes) throws Failure {
        final long copy = Memory.allocate(bytes.length);
        try {
            Memory.copyIn(bytes, 0, copy, bytes.length);
            send(copy, bytes.length);
        } finally {
            Memory.free(copy);
        }
    }

    void expect(final byte[] bytes) throws Failure {
        final long copy = Memory.allocate(bytes.length);
        try {
            Memory.copyIn(bytes, 0, copy, bytes.length);
            expect(copy, bytes.length);
        } finally {
            Memory.free(copy);
        }
    }

    /** Sends all bytes. */
    void send(final long address, final int length) throws Failure {
        int sent = 0;
        while (sent < length) {
            final int taken = socket.send(address + sent, length - sent);
            if (taken > 0) {
                sent += taken;
            } else if (taken != -Errno.EINTR) {
                throw new Failure("cannot send to " + peer + ": " + Errno.name(-taken));
            }
        }
    }

    /** Waits for as many bytes as are expected and compares them. */
    void expect(final long expected, final int length) throws Failure {
        if (length > capacity) {
            grow(length);
        }
        int got = 0;
        int polls = 0;
        long deadlineNs = 0;
        while (got < length) {
            final int received = socket.receive(buffer + got, length - got, waiting == Waiting.BLOCKING);
            if (received > 0) {
                got += received;
                // What differs is reported at once: an error line is often shorter than the frame expected.
                if (!Memory.equal(buffer, expected, got)) {
                    throw unexpected(expected, length, got);
                }
            } else if (received == -Errno.EAGAIN && waiting != Waiting.BLOCKING) {
                pause();
                if (++polls % POLLS_BETWEEN_CLOCK_READS == 0) {
                    final long nowNs = System.nanoTime();
                    if (deadlineNs == 0) {
                        deadlineNs = nowNs + TIMEOUT_MS * 1_000_000L;
                    } else if (nowNs - deadlineNs > 0) {
                        throw missing(expected, length, got);
                    }
                }
            } else if (received == -Errno.EAGAIN) {
                throw missing(expected, length, got);
            } else if (received != -Errno.EINTR) {
                throw ended(received);
            }
        }
    }

    // The scheduler is the point here: a thread of the same real-time priority runs only when this one yields.
    @SuppressWarnings("ThreadPriorityCheck")
    private void pause() {
        if (waiting == Waiting.YIELDING) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        socket.close();
        Memory.free(buffer);
        buffer = 0;
    }

    private void grow(final int length) {
        Memory.free(buffer);
        buffer = 0;
        buffer = Memory.allocate(length);
        capacity = length;
    }

    private Failure unexpected(final long expected, final int length, final int got) {
        // The rest of a short line follows at once, and helps the reader.
        final int more = got < capacity ? Math.max(0, socket.receive(buffer + got, capacity - got, false)) : 0;
        return new Failure(peer + " sent '" + RespBytes.printable(Memory.toBytes(buffer, got + more)) + "' instead of '"
                + RespBytes.printable(Memory.toBytes(expected, length)) + "'");
    }

    private Failure missing(final long expected, final int length, final int got) {
        return new Failure(peer + " sent only " + got + " of " + length + " bytes within " + TIMEOUT_MS / 1000
                + " s, expected '" + RespBytes.printable(Memory.toBytes(expected, length)) + "'");
    }

    private Failure ended(final int result) {
        return new Failure(peer + (result == 0 ? " closed the connection" : " failed: " + Errno.name(-result)));
    }
}
