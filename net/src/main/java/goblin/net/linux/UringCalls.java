// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;

/**
 * The three system calls of io_uring, and the mapping of its rings. The C library has no functions for them; their numbers
 * are the same on every architecture. Results are as in {@link SocketCalls}. One instance for each thread; no call
 * allocates once compiled.
 *
 * <p>Addresses and lengths are not checked: a wrong one harms the process.
 */
public final class UringCalls {
    /** {@link #enter}: take part in completing, and wait for as many as asked for. */
    public static final int ENTER_GET_EVENTS = 1;

    /** {@link #enter}: the last argument is a {@link #writeTimeout timeout}, not a signal mask. */
    public static final int ENTER_EXTENDED = 1 << 3;

    /** {@link #register}: an eventfd is signalled with each completion. */
    public static final int REGISTER_EVENTFD = 4;

    /** {@link #register}: undoes {@link #REGISTER_EVENTFD}. */
    public static final int UNREGISTER_EVENTFD = 5;

    /** {@link #register}: tells which operations there are. */
    public static final int REGISTER_PROBE = 8;

    /** {@link #register}: starts a ring that was made disabled; the calling thread is its only one from then on. */
    public static final int REGISTER_ENABLE = 12;

    /** {@link #register}: on which CPUs the kernel's workers for the calling thread may run. */
    public static final int REGISTER_WORKER_CPUS = 17;

    /** {@link #register}: how many workers the kernel may have for the calling thread: for files, and for the rest. */
    public static final int REGISTER_WORKERS = 19;

    /** {@link #register}: adds a ring of provided buffers. */
    public static final int REGISTER_BUFFERS = 22;

    /** {@link #register}: takes a ring of provided buffers away. */
    public static final int UNREGISTER_BUFFERS = 23;

    /** Bytes of what {@link #writeTimeout} writes. */
    public static final int TIMEOUT_BYTES = 40;

    private static final int EXTENDED_BYTES = 24;

    private static final long SETUP_NUMBER = 425;
    private static final long ENTER_NUMBER = 426;
    private static final long REGISTER_NUMBER = 427;

    // syscall() has variable arguments in C; Linux passes integers the same way without them on both architectures.
    private static final MethodHandle SETUP =
            Native.capturing("syscall", long.class, long.class, long.class, long.class);
    private static final MethodHandle ENTER = Native.capturing(
            "syscall", long.class, long.class, long.class, long.class, long.class, long.class, long.class, long.class);
    private static final MethodHandle REGISTER =
            Native.capturing("syscall", long.class, long.class, long.class, long.class, long.class, long.class);
    private static final MethodHandle MMAP =
            Native.capturing("mmap", long.class, long.class, long.class, int.class, int.class, int.class, long.class);
    private static final MethodHandle CLOSE = Native.capturing("close", int.class, int.class);

    private static final int READ_WRITE = 3;
    private static final int SHARED_POPULATED = 0x01 | 0x8000;

    private final ErrnoState state = new ErrnoState();

    /** Makes the calls of one thread. */
    public UringCalls() {}

    /**
     * Makes a ring.
     *
     * @param entries entries of the submission queue, 1 to 32768
     * @param params  a {@link UringParams}, in and out
     * @return a descriptor, closed by exec, or the negated errno
     */
    public int setup(final int entries, final long params) {
        try {
            return (int) result((long) SETUP.invokeExact(state.segment, SETUP_NUMBER, (long) entries, params));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Submits what is queued, and takes part in completing.
     *
     * @param fd          of a ring
     * @param submit      how many entries to submit at most
     * @param minComplete how many completions to wait for, with {@link #ENTER_GET_EVENTS}
     * @param flags       of {@link #ENTER_GET_EVENTS} and {@link #ENTER_EXTENDED}
     * @param timeout     from {@link #writeTimeout} with {@link #ENTER_EXTENDED}, else 0
     * @return how many entries were submitted, or the negated errno; EINTR is not hidden
     */
    public int enter(final int fd, final int submit, final int minComplete, final int flags, final long timeout) {
        final long bytes = timeout == 0 ? 0 : EXTENDED_BYTES;
        try {
            return (int) result((long) ENTER.invokeExact(
                    state.segment,
                    ENTER_NUMBER,
                    (long) fd,
                    (long) submit,
                    (long) minComplete,
                    (long) flags,
                    timeout,
                    bytes));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Registers something with a ring.
     *
     * @param fd        of a ring
     * @param operation of the constants of this class
     * @param argument  what the operation takes, or 0
     * @param count     how many of it
     * @return 0 or more, or the negated errno
     */
    public int register(final int fd, final int operation, final long argument, final int count) {
        try {
            return (int) result((long) REGISTER.invokeExact(
                    state.segment, REGISTER_NUMBER, (long) fd, (long) operation, argument, (long) count));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Maps one of a ring's areas; {@link Pages#unmap} takes it away.
     *
     * @param fd     of a ring
     * @param bytes  how much
     * @param offset {@link UringParams#RINGS} or {@link UringParams#ENTRIES}
     * @return its address or the negated errno
     */
    public long map(final int fd, final long bytes, final long offset) {
        final long mapped;
        try {
            mapped = (long) MMAP.invokeExact(state.segment, 0L, bytes, READ_WRITE, SHARED_POPULATED, fd, offset);
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
        return mapped == -1 ? -state.errno() : mapped;
    }

    /**
     * Closes a ring.
     *
     * @param fd its descriptor
     */
    public void close(final int fd) {
        try {
            final int ignored = (int) CLOSE.invokeExact(state.segment, fd);
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Writes how long {@link #enter} may wait.
     *
     * @param at        room for {@link #TIMEOUT_BYTES}, of which all is used
     * @param timeoutNs 0 or more nanoseconds
     */
    public static void writeTimeout(final long at, final long timeoutNs) {
        final long nanosASecond = 1_000_000_000;
        Memory.putLong(at, 0);
        Memory.putLong(at + 8, 0);
        Memory.putLong(at + 16, at + EXTENDED_BYTES);
        Memory.putLong(at + EXTENDED_BYTES, timeoutNs / nanosASecond);
        Memory.putLong(at + EXTENDED_BYTES + 8, timeoutNs % nanosASecond);
    }

    private long result(final long returned) {
        return returned >= 0 ? returned : -state.errno();
    }
}
