// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

/**
 * {@code struct io_uring_sqe}: one operation. Each method fills a whole entry. Equal on both architectures. What an entry
 * points to is only needed until it is submitted, but the memory that is read or written, until it has completed.
 */
public final class UringEntry {
    /** Bytes of an entry. */
    public static final int BYTES = 64;

    /** Operation: nothing. */
    public static final int NOP = 0;
    /** Operation: read into several runs. */
    public static final int READV = 1;
    /** Operation: write several runs. */
    public static final int WRITEV = 2;
    /** Operation: make durable. */
    public static final int FSYNC = 3;
    /** Operation: wait for a descriptor. */
    public static final int POLL_ADD = 6;
    /** Operation: wait for a time. */
    public static final int TIMEOUT = 11;
    /** Operation: end another operation. */
    public static final int CANCEL = 14;
    /** Operation: reserve or clear a range of a file. */
    public static final int FALLOCATE = 17;
    /** Operation: receive. */
    public static final int RECV = 27;

    private static final int MULTISHOT_POLL = 1;
    private static final int RECEIVE_POLL_FIRST = 1;
    private static final int RECEIVE_MULTISHOT = 2;
    private static final int SELECT_BUFFER = 1 << 5;
    private static final int DATA_ONLY = 1;
    private static final int CANCEL_ALL = 1;
    private static final int CANCEL_ANY = 4;

    private UringEntry() {}

    /**
     * Does nothing but complete.
     *
     * @param at       the entry
     * @param userData comes back with the completion
     */
    public static void nop(final long at, final long userData) {
        fill(at, NOP, -1, 0, 0, 0, 0, userData);
    }

    /**
     * Reads; completes with the bytes read, 0 at the end of the file, or the negated errno.
     *
     * @param at       the entry
     * @param fd       a file
     * @param iovecs   address of {@code struct iovec}s
     * @param count    1 to 1024
     * @param offset   in the file
     * @param userData comes back with the completion
     */
    public static void readv(
            final long at, final int fd, final long iovecs, final int count, final long offset, final long userData) {
        fill(at, READV, fd, offset, iovecs, count, 0, userData);
    }

    /**
     * Writes; completes with the bytes written or the negated errno.
     *
     * @param at       the entry
     * @param fd       a file
     * @param iovecs   address of {@code struct iovec}s
     * @param count    1 to 1024
     * @param offset   in the file
     * @param flags    of {@code pwritev2}, e.g. 2 to write durably
     * @param userData comes back with the completion
     */
    public static void writev(
            final long at,
            final int fd,
            final long iovecs,
            final int count,
            final long offset,
            final int flags,
            final long userData) {
        fill(at, WRITEV, fd, offset, iovecs, count, flags, userData);
    }

    /**
     * Makes what was written durable; completes with 0 or the negated errno.
     *
     * @param at       the entry
     * @param fd       a file
     * @param dataOnly whether what is not needed to read the data again may be left out
     * @param userData comes back with the completion
     */
    public static void fsync(final long at, final int fd, final boolean dataOnly, final long userData) {
        fill(at, FSYNC, fd, 0, 0, 0, dataOnly ? DATA_ONLY : 0, userData);
    }

    /**
     * Reserves, clears or gives back a range; completes with 0 or the negated errno.
     *
     * @param at       the entry
     * @param fd       a file
     * @param mode     of {@code fallocate}
     * @param offset   in the file
     * @param bytes    how many
     * @param userData comes back with the completion
     */
    public static void fallocate(
            final long at, final int fd, final int mode, final long offset, final long bytes, final long userData) {
        fill(at, FALLOCATE, fd, offset, bytes, mode, 0, userData);
    }

    /**
     * Waits; completes with {@code -ETIME}.
     *
     * @param at       the entry
     * @param time     address of a {@code struct __kernel_timespec}: seconds and nanoseconds, 8 bytes each
     * @param userData comes back with the completion
     */
    public static void timeout(final long at, final long time, final long userData) {
        fill(at, TIMEOUT, -1, 0, time, 1, 0, userData);
    }

    /**
     * Waits for a descriptor once; completes with the event bits or the negated errno.
     *
     * @param at       the entry
     * @param fd       the descriptor
     * @param events   event bits; errors and hang-up are always reported
     * @param userData comes back with the completion
     */
    public static void poll(final long at, final int fd, final int events, final long userData) {
        fill(at, POLL_ADD, fd, 0, 0, 0, events, userData);
    }

    /**
     * Watches a descriptor: completes with the event bits for what is there and then for each change, until a
     * completion says that none follows.
     *
     * @param at       the entry
     * @param fd       the descriptor
     * @param events   event bits; errors and hang-up are always reported
     * @param userData comes back with each completion
     */
    public static void watch(final long at, final int fd, final int events, final long userData) {
        fill(at, POLL_ADD, fd, 0, 0, MULTISHOT_POLL, events, userData);
    }

    /**
     * Receives into provided buffers whenever bytes are there, until a completion says that none follows. Completes with
     * the bytes received, 0 at the end of the stream, or the negated errno; ENOBUFS means that no buffer was left.
     *
     * @param at       the entry
     * @param fd       a socket
     * @param group    of the provided buffers
     * @param userData comes back with each completion
     */
    public static void receiveAlways(final long at, final int fd, final int group, final long userData) {
        fill(at, RECV, fd, 0, 0, 0, 0, userData);
        Memory.putByte(at + 1, (byte) SELECT_BUFFER);
        Memory.putShort(at + 2, (short) (RECEIVE_MULTISHOT | RECEIVE_POLL_FIRST));
        Memory.putShort(at + 40, (short) group);
    }

    /**
     * Ends an operation; completes with 0, or the negated errno when there is none or it cannot be ended. The operation
     * itself completes, too.
     *
     * @param at             the entry
     * @param userDataOfThat the operation's user data
     * @param userData       comes back with the completion
     */
    public static void cancel(final long at, final long userDataOfThat, final long userData) {
        fill(at, CANCEL, -1, 0, userDataOfThat, 0, 0, userData);
    }

    /**
     * Ends all operations of the ring; completes with their number or the negated errno.
     *
     * @param at       the entry
     * @param userData comes back with the completion
     */
    public static void cancelAll(final long at, final long userData) {
        fill(at, CANCEL, -1, 0, 0, 0, CANCEL_ALL | CANCEL_ANY, userData);
    }

    private static void fill(
            final long at,
            final int operation,
            final int fd,
            final long offset,
            final long address,
            final int length,
            final int flags,
            final long userData) {
        Memory.putInt(at, operation);
        Memory.putInt(at + 4, fd);
        Memory.putLong(at + 8, offset);
        Memory.putLong(at + 16, address);
        Memory.putInt(at + 24, length);
        Memory.putInt(at + 28, flags);
        Memory.putLong(at + 32, userData);
        Memory.putLong(at + 40, 0);
        Memory.putLong(at + 48, 0);
        Memory.putLong(at + 56, 0);
    }
}
