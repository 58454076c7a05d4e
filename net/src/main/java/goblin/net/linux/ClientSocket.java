// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;
import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * A TCP connection without a loop, for probes and tools that wait for one answer at a time. Calls go to the kernel as
 * the transport's own do: nothing is allocated, bytes are native addresses. One thread at a time may use it.
 */
public final class ClientSocket implements AutoCloseable {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int IPPROTO_IP = 0;
    private static final int IP_BIND_ADDRESS_NO_PORT = 24;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_SNDTIMEO = 21;
    private static final int SO_RCVBUF = 8;
    private static final int SO_LINGER = 13;
    private static final int TCP_MAXSEG = 2;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int SCRATCH_BYTES = 32;

    private static final MethodHandle SOCKET = Native.capturing("socket", int.class, int.class, int.class, int.class);
    private static final MethodHandle BIND = Native.capturing("bind", int.class, int.class, long.class, int.class);
    private static final MethodHandle CONNECT =
            Native.capturing("connect", int.class, int.class, long.class, int.class);
    private static final MethodHandle SETSOCKOPT =
            Native.capturing("setsockopt", int.class, int.class, int.class, int.class, long.class, int.class);
    private static final MethodHandle RECV =
            Native.capturing("recv", long.class, int.class, long.class, long.class, int.class);
    private static final MethodHandle SEND =
            Native.capturing("send", long.class, int.class, long.class, long.class, int.class);
    private static final MethodHandle CLOSE = Native.capturing("close", int.class, int.class);

    private final ErrnoState state;
    private int descriptor;

    private ClientSocket(final ErrnoState state, final int descriptor) {
        this.state = state;
        this.descriptor = descriptor;
    }

    /**
     * Connects, waiting for the answer.
     *
     * @param address   whom to connect to
     * @param port      its port, 1 to 65535
     * @param timeoutMs milliseconds after which a connect, a send or a waiting receive gives up, 0 for never
     * @return the connection; the caller closes it
     * @throws ConnectFailure when there is no connection
     */
    public static ClientSocket connect(final InetAddress address, final int port, final int timeoutMs)
            throws ConnectFailure {
        return connect(address, port, timeoutMs, Tuning.NONE);
    }

    /**
     * What is set before a connection is made.
     *
     * @param source        the address to connect from, of the same family as the peer's; null for the kernel's choice
     * @param receiveBytes  of the receive buffer, which the kernel doubles; 0 for the kernel's choice
     * @param segmentBytes  the most that the peer may send in a segment; 0 for the kernel's choice
     */
    public record Tuning(InetAddress source, int receiveBytes, int segmentBytes) {
        /** Everything is the kernel's choice. */
        public static final Tuning NONE = new Tuning(null, 0, 0);
    }

    /**
     * Connects, waiting for the answer.
     *
     * @param address   whom to connect to
     * @param port      its port, 1 to 65535
     * @param timeoutMs milliseconds after which a connect, a send or a waiting receive gives up, 0 for never
     * @param tuning    what is set before
     * @return the connection; the caller closes it
     * @throws ConnectFailure when there is no connection
     */
    public static ClientSocket connect(
            final InetAddress address, final int port, final int timeoutMs, final Tuning tuning) throws ConnectFailure {
        final ErrnoState state = new ErrnoState();
        final long scratch = Memory.allocate(SCRATCH_BYTES);
        try {
            final boolean four = address instanceof Inet4Address;
            final int descriptor =
                    (int) SOCKET.invokeExact(state.segment, four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
            if (descriptor < 0) {
                throw new ConnectFailure(state.errno());
            }
            final ClientSocket socket = new ClientSocket(state, descriptor);
            final int errno = socket.configure(scratch, timeoutMs) && socket.tune(scratch, tuning)
                    ? socket.connect(scratch, address, port)
                    : -1;
            if (errno != 0) {
                final ConnectFailure failure = new ConnectFailure(errno > 0 ? errno : state.errno());
                socket.close();
                throw failure;
            }
            return socket;
        } catch (final ConnectFailure failure) {
            throw failure;
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        } finally {
            Memory.free(scratch);
        }
    }

    /**
     * Receives what is there.
     *
     * @param address where to put it
     * @param length  bytes at most, at least 1
     * @param wait    whether to sleep in the kernel until something is there, at most for the time given at connect
     * @return bytes received, 0 at the end of the stream, or a negative error number: {@code -EAGAIN} when nothing
     *     was there (in time)
     */
    public int receive(final long address, final int length, final boolean wait) {
        try {
            final long received =
                    (long) RECV.invokeExact(state.segment, descriptor, address, (long) length, wait ? 0 : MSG_DONTWAIT);
            return received >= 0 ? (int) received : -state.errno();
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Sends, waiting for room in the socket's buffer.
     *
     * @param address first byte
     * @param length  bytes, at least 1
     * @return bytes taken, at least 1, or a negative error number
     */
    public int send(final long address, final int length) {
        try {
            final long sent = (long) SEND.invokeExact(state.segment, descriptor, address, (long) length, MSG_NOSIGNAL);
            return sent >= 0 ? (int) sent : -state.errno();
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Drops received bytes where they are, without waiting for any.
     *
     * @param length bytes at most, at least 1
     * @return bytes dropped, otherwise as {@link #receive}
     */
    public int discard(final int length) {
        try {
            final long dropped =
                    (long) RECV.invokeExact(state.segment, descriptor, 0L, (long) length, MSG_TRUNC | MSG_DONTWAIT);
            return dropped >= 0 ? (int) dropped : -state.errno();
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Tells its number in the kernel, for an {@link EpollCalls} that watches it.
     *
     * @return the descriptor; this object stays the one that closes it
     */
    public int descriptor() {
        return descriptor;
    }

    /** Closes by a reset, which leaves nothing behind: the local port is free at once. */
    public void closeAbruptly() {
        final long linger = Memory.allocate(Long.BYTES);
        try {
            Memory.putInt(linger, 1);
            Memory.putInt(linger + Integer.BYTES, 0);
            final int ignored =
                    (int) SETSOCKOPT.invokeExact(state.segment, descriptor, SOL_SOCKET, SO_LINGER, linger, Long.BYTES);
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        } finally {
            Memory.free(linger);
        }
        close();
    }

    /** Closes the connection; again does nothing. */
    @Override
    public void close() {
        if (descriptor >= 0) {
            try {
                final int ignored = (int) CLOSE.invokeExact(state.segment, descriptor);
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            } finally {
                descriptor = -1;
            }
        }
    }

    private boolean configure(final long scratch, final int timeoutMs) throws Throwable {
        Memory.putInt(scratch, 1);
        final int noDelay =
                (int) SETSOCKOPT.invokeExact(state.segment, descriptor, IPPROTO_TCP, TCP_NODELAY, scratch, 4);
        // struct timeval, alike on every 64-bit architecture; SO_SNDTIMEO bounds connect as well.
        Memory.putLong(scratch, timeoutMs / 1000);
        Memory.putLong(scratch + 8, timeoutMs % 1000 * 1000L);
        final int receive =
                (int) SETSOCKOPT.invokeExact(state.segment, descriptor, SOL_SOCKET, SO_RCVTIMEO, scratch, 16);
        final int send = (int) SETSOCKOPT.invokeExact(state.segment, descriptor, SOL_SOCKET, SO_SNDTIMEO, scratch, 16);
        return noDelay == 0 && receive == 0 && send == 0;
    }

    private boolean tune(final long scratch, final Tuning tuning) throws Throwable {
        return option(scratch, SOL_SOCKET, SO_RCVBUF, tuning.receiveBytes())
                && option(scratch, IPPROTO_TCP, TCP_MAXSEG, tuning.segmentBytes())
                && (tuning.source() == null || bind(scratch, tuning.source()));
    }

    private boolean option(final long scratch, final int level, final int name, final int value) throws Throwable {
        if (value == 0) {
            return true;
        }
        Memory.putInt(scratch, value);
        return (int) SETSOCKOPT.invokeExact(state.segment, descriptor, level, name, scratch, Integer.BYTES) == 0;
    }

    private boolean bind(final long scratch, final InetAddress source) throws Throwable {
        // Otherwise each local port would serve one connection only, whatever the peer; where the kernel does not know
        // this, it is so.
        if (source instanceof Inet4Address) {
            final boolean ignored = option(scratch, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
        }
        final int length = writeAddress(scratch, source, 0);
        return (int) BIND.invokeExact(state.segment, descriptor, scratch, length) == 0;
    }

    private static int writeAddress(final long scratch, final InetAddress address, final int port) {
        final byte[] bytes = address.getAddress();
        final boolean four = bytes.length == 4;
        Memory.fill(scratch, SCRATCH_BYTES, (byte) 0);
        Memory.putShort(scratch, (short) (four ? AF_INET : AF_INET6));
        Memory.putShort(scratch + 2, Short.reverseBytes((short) port));
        Memory.copyIn(bytes, 0, scratch + (four ? 4 : 8), bytes.length);
        return four ? 16 : 28;
    }

    /** Returns 0 or the error number. */
    private int connect(final long scratch, final InetAddress address, final int port) throws Throwable {
        final int length = writeAddress(scratch, address, port);
        while ((int) CONNECT.invokeExact(state.segment, descriptor, scratch, length) != 0) {
            final int errno = state.errno();
            if (errno != Errno.EINTR) {
                // A connect that SO_SNDTIMEO ended says "in progress".
                return errno == Errno.EINPROGRESS ? Errno.ETIMEDOUT : errno;
            }
        }
        return 0;
    }

    /** No connection, and why. */
    public static final class ConnectFailure extends Exception {
        private static final long serialVersionUID = 1L;

        private final int errno;

        private ConnectFailure(final int errno) {
            super(Errno.name(errno), null, false, false);
            this.errno = errno;
        }

        /**
         * The cause.
         *
         * @return the kernel's error number, see {@link Errno}
         */
        public int errno() {
            return errno;
        }
    }
}
