// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;

/**
 * Socket calls. Each returns what the C function returns, or the negated errno instead of -1; a call that a signal
 * interrupted is made again where that is right. One instance for each thread; no call allocates once compiled.
 *
 * <p>Addresses and lengths are not checked: a wrong one harms the process.
 */
public final class SocketCalls {
    private static final MethodHandle SOCKET = Native.capturing("socket", int.class, int.class, int.class, int.class);
    private static final MethodHandle BIND = Native.capturing("bind", int.class, int.class, long.class, int.class);
    private static final MethodHandle LISTEN = Native.capturing("listen", int.class, int.class, int.class);
    private static final MethodHandle ACCEPT4 =
            Native.capturing("accept4", int.class, int.class, long.class, long.class, int.class);
    private static final MethodHandle CONNECT =
            Native.capturing("connect", int.class, int.class, long.class, int.class);
    private static final MethodHandle RECV =
            Native.capturing("recv", long.class, int.class, long.class, long.class, int.class);
    private static final MethodHandle RECVMSG =
            Native.capturing("recvmsg", long.class, int.class, long.class, int.class);
    private static final MethodHandle SEND =
            Native.capturing("send", long.class, int.class, long.class, long.class, int.class);
    private static final MethodHandle SENDMSG =
            Native.capturing("sendmsg", long.class, int.class, long.class, int.class);
    private static final MethodHandle SHUTDOWN = Native.capturing("shutdown", int.class, int.class, int.class);
    private static final MethodHandle CLOSE = Native.capturing("close", int.class, int.class);
    private static final MethodHandle GETSOCKOPT =
            Native.capturing("getsockopt", int.class, int.class, int.class, int.class, long.class, long.class);
    private static final MethodHandle SETSOCKOPT =
            Native.capturing("setsockopt", int.class, int.class, int.class, int.class, long.class, int.class);
    private static final MethodHandle GETSOCKNAME =
            Native.capturing("getsockname", int.class, int.class, long.class, long.class);

    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_NONBLOCK = 0x800;
    private static final int SOCK_CLOEXEC = 0x80000;

    // struct msghdr, the same on both architectures; fields not listed stay zero.
    private static final int MSGHDR_BYTES = 56;
    private static final int MSGHDR_IOV = 16;
    private static final int MSGHDR_IOVLEN = 24;
    private static final int OPTION_BYTES = 16;

    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    private static final int SO_DETACH_REUSEPORT_BPF = 68;

    // struct sock_fprog (length, pointer) and struct sock_filter (code, two jumps, k), the same on both architectures.
    private static final int SOCK_FPROG_BYTES = 16;
    private static final int SOCK_FPROG_FILTER = 8;
    private static final int SOCK_FILTER_BYTES = 8;
    private static final int SOCK_FILTER_K = 4;
    private static final long BPF_RETURN_CONSTANT = 6;

    private final ErrnoState state = new ErrnoState();
    private final long scratch = Memory.allocate(MSGHDR_BYTES + OPTION_BYTES);
    private final long option = scratch + MSGHDR_BYTES;

    /** Makes the calls of one thread. Its few bytes of scratch memory live until {@link #free}. */
    public SocketCalls() {
        Memory.fill(scratch, MSGHDR_BYTES + OPTION_BYTES, (byte) 0);
    }

    /** Gives the scratch memory back; no call may follow. */
    public void free() {
        Memory.free(scratch);
    }

    /**
     * Makes a stream socket that does not block and is closed by exec.
     *
     * @param family {@link SocketAddress#INET}, {@link SocketAddress#INET6} or {@link SocketAddress#UNIX}
     * @return a descriptor or the negated errno
     */
    public int socket(final int family) {
        try {
            return result(
                    (int) SOCKET.invokeExact(state.segment, family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Binds.
     *
     * @param fd      descriptor
     * @param address of a socket address
     * @param length  its bytes
     * @return 0 or the negated errno
     */
    public int bind(final int fd, final long address, final int length) {
        try {
            return result((int) BIND.invokeExact(state.segment, fd, address, length));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Listens.
     *
     * @param fd      descriptor
     * @param backlog capped by the kernel at {@code somaxconn}
     * @return 0 or the negated errno
     */
    public int listen(final int fd, final int backlog) {
        try {
            return result((int) LISTEN.invokeExact(state.segment, fd, backlog));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Accepts a connection that does not block and is closed by exec.
     *
     * @param fd            listening descriptor
     * @param address       room for the peer's address, at least {@link SocketAddress#MAX_BYTES}
     * @param lengthAddress address of an {@code int}: in the room, out the address's length
     * @return a descriptor or the negated errno
     */
    public int accept(final int fd, final long address, final long lengthAddress) {
        int accepted;
        do {
            try {
                accepted = result((int)
                        ACCEPT4.invokeExact(state.segment, fd, address, lengthAddress, SOCK_NONBLOCK | SOCK_CLOEXEC));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (accepted == -Errno.EINTR);
        return accepted;
    }

    /**
     * Starts connecting.
     *
     * @param fd      descriptor
     * @param address of a socket address
     * @param length  its bytes
     * @return 0 when established at once, or the negated errno; EINPROGRESS is the usual one
     */
    public int connect(final int fd, final long address, final int length) {
        try {
            final int outcome = result((int) CONNECT.invokeExact(state.segment, fd, address, length));
            // An interrupted connect goes on by itself, and calling again would answer EALREADY.
            return outcome == -Errno.EINTR ? -Errno.EINPROGRESS : outcome;
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Receives.
     *
     * @param fd      descriptor
     * @param address where to
     * @param length  room, at least 1
     * @return bytes received, 0 at the end of the stream, or the negated errno
     */
    public long receive(final int fd, final long address, final long length) {
        long received;
        do {
            try {
                received = result((long) RECV.invokeExact(state.segment, fd, address, length, 0));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (received == -Errno.EINTR);
        return received;
    }

    /**
     * Receives into several runs, each filled before the next.
     *
     * @param fd     descriptor
     * @param iovecs address of {@code struct iovec}s
     * @param count  1 to 1024
     * @return bytes received, 0 at the end of the stream, or the negated errno
     */
    public long receiveScattered(final int fd, final long iovecs, final int count) {
        Memory.putLong(scratch + MSGHDR_IOV, iovecs);
        Memory.putLong(scratch + MSGHDR_IOVLEN, count);
        long received;
        do {
            try {
                received = result((long) RECVMSG.invokeExact(state.segment, fd, scratch, 0));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (received == -Errno.EINTR);
        return received;
    }

    /**
     * Sends one run; never raises SIGPIPE.
     *
     * @param fd      descriptor
     * @param address first byte
     * @param length  bytes, at least 1
     * @return bytes taken or the negated errno
     */
    public long send(final int fd, final long address, final long length) {
        long sent;
        do {
            try {
                sent = result((long) SEND.invokeExact(state.segment, fd, address, length, MSG_NOSIGNAL));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (sent == -Errno.EINTR);
        return sent;
    }

    /**
     * Sends several runs; never raises SIGPIPE.
     *
     * @param fd     descriptor
     * @param iovecs address of {@code struct iovec}s
     * @param count  1 to 1024
     * @return bytes taken or the negated errno
     */
    public long sendGathered(final int fd, final long iovecs, final int count) {
        Memory.putLong(scratch + MSGHDR_IOV, iovecs);
        Memory.putLong(scratch + MSGHDR_IOVLEN, count);
        long sent;
        do {
            try {
                sent = result((long) SENDMSG.invokeExact(state.segment, fd, scratch, MSG_NOSIGNAL));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (sent == -Errno.EINTR);
        return sent;
    }

    /**
     * Ends the sending side.
     *
     * @param fd descriptor
     * @return 0 or the negated errno
     */
    public int shutdownSend(final int fd) {
        final int sendingSide = 1;
        try {
            return result((int) SHUTDOWN.invokeExact(state.segment, fd, sendingSide));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Closes a descriptor, which is free afterwards whatever is returned.
     *
     * @param fd descriptor
     * @return 0 or the negated errno
     */
    public int close(final int fd) {
        try {
            return result((int) CLOSE.invokeExact(state.segment, fd));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Reads an integer option.
     *
     * @param fd     descriptor
     * @param option which
     * @return its value; options with negative values are not read here, so a negative result is the negated errno
     */
    public int option(final int fd, final SocketOption option) {
        Memory.putInt(this.option + 8, Integer.BYTES);
        try {
            final int outcome = result((int) GETSOCKOPT.invokeExact(
                    state.segment, fd, option.level, option.number, this.option, this.option + 8));
            return outcome < 0 ? outcome : Memory.getInt(this.option);
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Sets an integer option.
     *
     * @param fd     descriptor
     * @param option which
     * @param value  its value
     * @return 0 or the negated errno
     */
    public int setOption(final int fd, final SocketOption option, final int value) {
        Memory.putInt(this.option, value);
        try {
            return result((int)
                    SETSOCKOPT.invokeExact(state.segment, fd, option.level, option.number, this.option, Integer.BYTES));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Has the kernel give new connections of a shared port (SO_REUSEPORT) to one of the sockets that listen on it, by a
     * filter program of one instruction. Where there is no such socket it goes on choosing by itself.
     *
     * @param fd    one of the listening sockets
     * @param place of the one that gets them, 0 for the oldest
     * @return 0 or the negated errno
     */
    public int divertConnections(final int fd, final int place) {
        final long program = Memory.allocate(SOCK_FPROG_BYTES + SOCK_FILTER_BYTES);
        final long filter = program + SOCK_FPROG_BYTES;
        Memory.putLong(program, 1);
        Memory.putLong(program + SOCK_FPROG_FILTER, filter);
        Memory.putLong(filter, BPF_RETURN_CONSTANT);
        Memory.putInt(filter + SOCK_FILTER_K, place);
        try {
            return result((int) SETSOCKOPT.invokeExact(
                    state.segment, fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, program, SOCK_FPROG_BYTES));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        } finally {
            Memory.free(program);
        }
    }

    /**
     * Ends what {@link #divertConnections} began, for all sockets of the port.
     *
     * @param fd one of the listening sockets
     * @return 0 or the negated errno
     */
    public int endDiversion(final int fd) {
        Memory.putInt(option, 0);
        try {
            return result((int) SETSOCKOPT.invokeExact(
                    state.segment, fd, SOL_SOCKET, SO_DETACH_REUSEPORT_BPF, option, Integer.BYTES));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Reads a socket's own address.
     *
     * @param fd            descriptor
     * @param address       room for it, at least {@link SocketAddress#MAX_BYTES}
     * @param lengthAddress address of an {@code int}: in the room, out the address's length
     * @return 0 or the negated errno
     */
    public int ownAddress(final int fd, final long address, final long lengthAddress) {
        try {
            return result((int) GETSOCKNAME.invokeExact(state.segment, fd, address, lengthAddress));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    private int result(final int returned) {
        return returned >= 0 ? returned : -state.errno();
    }

    private long result(final long returned) {
        return returned >= 0 ? returned : -state.errno();
    }
}
