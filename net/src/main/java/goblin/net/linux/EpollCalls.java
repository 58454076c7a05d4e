// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Calls and layouts of epoll and of the eventfd that wakes it. Results are as in {@link SocketCalls}. One instance for
 * each thread, but {@link #signal}, which has no state and may be called from any thread.
 */
public final class EpollCalls {
    /** {@code epoll_ctl}: watch a descriptor. */
    public static final int ADD = 1;

    /** Bytes of one {@code struct epoll_event}: packed on x86-64, naturally aligned elsewhere. */
    public static final int EVENT_BYTES = Architecture.current() == Architecture.X86_64 ? 12 : 16;

    private static final int DATA = EVENT_BYTES - Long.BYTES;

    private static final MethodHandle CREATE = Native.capturing("epoll_create1", int.class, int.class);
    private static final MethodHandle CONTROL =
            Native.capturing("epoll_ctl", int.class, int.class, int.class, int.class, long.class);
    private static final MethodHandle WAIT =
            Native.capturing("epoll_wait", int.class, int.class, long.class, int.class, int.class);
    private static final MethodHandle EVENTFD = Native.capturing("eventfd", int.class, int.class, int.class);
    private static final MethodHandle EVENTFD_WRITE = Native.plain("eventfd_write", int.class, int.class, long.class);

    // epoll_wait counts milliseconds; the newer call sleeps to the nanosecond, which keeps timers in time.
    private static final MethodHandle PWAIT2;

    static {
        final Optional<MethodHandle> pwait2 =
                Native.optional("epoll_pwait2", int.class, int.class, long.class, int.class, long.class, long.class);
        PWAIT2 = pwait2.orElse(null);
    }

    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int NONBLOCK = 0x800;
    private static final long NANOS_A_SECOND = 1_000_000_000;
    private static final long NANOS_A_MILLI = 1_000_000;

    private final ErrnoState state = new ErrnoState();
    private final long scratch = Memory.allocate(16);
    private boolean precise = PWAIT2 != null;

    /** Makes the calls of one thread. Its few bytes of scratch memory live until {@link #free}. */
    public EpollCalls() {}

    /** Gives the scratch memory back; no call may follow. */
    public void free() {
        Memory.free(scratch);
    }

    /**
     * Makes an epoll instance.
     *
     * @return a descriptor or the negated errno
     */
    public int create() {
        try {
            return result((int) CREATE.invokeExact(state.segment, CLOSE_ON_EXEC));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Watches a descriptor. Closing the descriptor ends it.
     *
     * @param epoll  an epoll descriptor
     * @param fd     the descriptor to watch
     * @param events event bits
     * @param data   comes back with each event
     * @return 0 or the negated errno
     */
    public int add(final int epoll, final int fd, final int events, final long data) {
        Memory.putInt(scratch, events);
        Memory.putLong(scratch + DATA, data);
        try {
            return result((int) CONTROL.invokeExact(state.segment, epoll, ADD, fd, scratch));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Fetches what is ready, without sleeping.
     *
     * @param epoll  an epoll descriptor
     * @param events room for {@code max} events
     * @param max    at least 1
     * @return number of events, or the negated errno
     */
    public int poll(final int epoll, final long events, final int max) {
        try {
            return result((int) WAIT.invokeExact(state.segment, epoll, events, max, 0));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Fetches what is ready, sleeping until something is.
     *
     * @param epoll     an epoll descriptor
     * @param events    room for {@code max} events
     * @param max       at least 1
     * @param timeoutNs at most this long; where the kernel counts milliseconds only, rounded up to the next one
     * @return number of events, 0 when the time is up, or the negated errno; EINTR is not hidden
     */
    public int await(final int epoll, final long events, final int max, final long timeoutNs) {
        if (precise) {
            final int outcome = awaitPrecisely(epoll, events, max, timeoutNs);
            if (outcome != -Errno.ENOSYS) {
                return outcome;
            }
            precise = false;
        }
        final long millis = timeoutNs / NANOS_A_MILLI + (timeoutNs % NANOS_A_MILLI == 0 ? 0 : 1);
        try {
            return result((int)
                    WAIT.invokeExact(state.segment, epoll, events, max, (int) Math.min(millis, Integer.MAX_VALUE)));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    private int awaitPrecisely(final int epoll, final long events, final int max, final long timeoutNs) {
        Memory.putLong(scratch, timeoutNs / NANOS_A_SECOND);
        Memory.putLong(scratch + 8, timeoutNs % NANOS_A_SECOND);
        try {
            return result((int) PWAIT2.invokeExact(state.segment, epoll, events, max, scratch, 0L));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Reads an event's bits.
     *
     * @param events address of the array
     * @param index  which event
     * @return the bits
     */
    public static int bits(final long events, final int index) {
        return Memory.getInt(events + (long) index * EVENT_BYTES);
    }

    /**
     * Reads an event's data.
     *
     * @param events address of the array
     * @param index  which event
     * @return as given to {@link #add}
     */
    public static long data(final long events, final int index) {
        return Memory.getLong(events + (long) index * EVENT_BYTES + DATA);
    }

    /**
     * Makes an eventfd.
     *
     * @return a descriptor or the negated errno
     */
    public int eventfd() {
        try {
            return result((int) EVENTFD.invokeExact(state.segment, 0, CLOSE_ON_EXEC | NONBLOCK));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Signals an eventfd. Any thread.
     *
     * @param fd the eventfd
     */
    public static void signal(final int fd) {
        try {
            // Fails only when the counter is full, and then the sleeper is awake already.
            final int ignored = (int) EVENTFD_WRITE.invokeExact(fd, 1L);
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    private int result(final int returned) {
        return returned >= 0 ? returned : -state.errno();
    }
}
