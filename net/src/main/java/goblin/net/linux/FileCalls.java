// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * Calls on files and block devices. Each returns what the C function returns, or the negated errno instead of -1; a call
 * that a signal interrupted is made again. One instance for each thread; the calls that move data, sync or clear allocate
 * nothing once compiled.
 *
 * <p>Addresses and lengths are not checked: a wrong one harms the process.
 */
public final class FileCalls {
    /** {@link #open}: for reading. */
    public static final int READ_ONLY = 0;
    /** {@link #open}: for reading and writing. */
    public static final int READ_WRITE = 2;
    /** {@link #open}: made when it is not there. */
    public static final int CREATE = 0x40;
    /** {@link #open}: with {@link #CREATE}, must not be there; of a block device, must not be mounted or claimed. */
    public static final int EXCLUSIVE = 0x80;
    /** {@link #open}: does not wait for the other end of a pipe; of no meaning for files. */
    public static final int NONBLOCK = 0x800;
    /** {@link #open}: past the page cache. The architectures number it differently. */
    public static final int DIRECT = Architecture.current() == Architecture.X86_64 ? 0x4000 : 0x10000;

    private static final MethodHandle OPEN = Native.capturing("open", int.class, long.class, int.class, int.class);
    private static final MethodHandle CLOSE = Native.capturing("close", int.class, int.class);
    private static final MethodHandle STATX =
            Native.capturing("statx", int.class, int.class, long.class, int.class, int.class, long.class);
    private static final MethodHandle PREADV =
            Native.capturing("preadv", long.class, int.class, long.class, int.class, long.class);
    private static final MethodHandle PWRITEV2 =
            Native.capturing("pwritev2", long.class, int.class, long.class, int.class, long.class, int.class);
    private static final MethodHandle FDATASYNC = Native.capturing("fdatasync", int.class, int.class);
    private static final MethodHandle FALLOCATE =
            Native.capturing("fallocate", int.class, int.class, int.class, long.class, long.class);
    private static final MethodHandle FTRUNCATE = Native.capturing("ftruncate", int.class, int.class, long.class);
    private static final MethodHandle FLOCK = Native.capturing("flock", int.class, int.class, int.class);
    private static final MethodHandle IOCTL = Native.capturing("ioctl", int.class, int.class, long.class, long.class);

    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int EMPTY_PATH = 0x1000;
    private static final int WRITE_DURABLY = 2;
    private static final int KEEP_SIZE = 1;
    private static final int PUNCH_HOLE = 2;
    private static final int ZERO_RANGE = 0x10;
    private static final int LOCK_SHARED = 1;
    private static final int LOCK_EXCLUSIVE = 2;
    private static final int LOCK_AT_ONCE = 4;

    // Block device controls, numbered the same on both architectures.
    private static final long SECTOR_BYTES = 0x1268;
    private static final long DISCARD = 0x1277;
    private static final long ZERO_OUT = 0x127F;
    private static final long SIZE_BYTES = 0x80081272L;

    private final ErrnoState state = new ErrnoState();
    private final long range = Memory.allocate(16);

    /** Makes the calls of one thread. Its few bytes of scratch memory live until {@link #free}. */
    public FileCalls() {}

    /** Gives the scratch memory back; no call may follow. */
    public void free() {
        Memory.free(range);
    }

    /**
     * Opens; closed by exec.
     *
     * @param path  without a zero character
     * @param flags of the constants of this class
     * @param mode  permissions of a new file
     * @return a descriptor or the negated errno
     */
    public int open(final String path, final int flags, final int mode) {
        final long name = string(path);
        try {
            int opened;
            do {
                opened = result((int) OPEN.invokeExact(state.segment, name, flags | CLOSE_ON_EXEC, mode));
            } while (opened == -Errno.EINTR);
            return opened;
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        } finally {
            Memory.free(name);
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
     * Tells what an open file is.
     *
     * @param fd     descriptor
     * @param status room for a {@link FileStatus}
     * @return 0 or the negated errno
     */
    public int status(final int fd, final long status) {
        final long empty = string("");
        try {
            return result((int) STATX.invokeExact(state.segment, fd, empty, EMPTY_PATH, FileStatus.WANTED, status));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        } finally {
            Memory.free(empty);
        }
    }

    /**
     * Reads at an offset.
     *
     * @param fd     descriptor
     * @param iovecs address of {@code struct iovec}s
     * @param count  1 to 1024
     * @param offset in the file
     * @return bytes read, fewer than asked at the file's end and whenever the kernel likes; or the negated errno
     */
    public long read(final int fd, final long iovecs, final int count, final long offset) {
        long moved;
        do {
            try {
                moved = result((long) PREADV.invokeExact(state.segment, fd, iovecs, count, offset));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (moved == -Errno.EINTR);
        return moved;
    }

    /**
     * Writes at an offset.
     *
     * @param fd      descriptor
     * @param iovecs  address of {@code struct iovec}s
     * @param count   1 to 1024
     * @param offset  in the file
     * @param durable whether the data, and what is needed to find it again, must be on the device before this returns
     * @return bytes written, fewer than asked whenever the kernel likes; or the negated errno
     */
    public long write(final int fd, final long iovecs, final int count, final long offset, final boolean durable) {
        final int flags = durable ? WRITE_DURABLY : 0;
        long moved;
        do {
            try {
                moved = result((long) PWRITEV2.invokeExact(state.segment, fd, iovecs, count, offset, flags));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (moved == -Errno.EINTR);
        return moved;
    }

    /**
     * Makes what was written, by whomever, durable. The kernel reports a failure once to each open file description.
     *
     * @param fd descriptor
     * @return 0 or the negated errno
     */
    public int syncData(final int fd) {
        int outcome;
        do {
            try {
                outcome = result((int) FDATASYNC.invokeExact(state.segment, fd));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (outcome == -Errno.EINTR);
        return outcome;
    }

    /**
     * Deallocates a range, which reads as zeros afterwards; the size stays.
     *
     * @param fd     descriptor
     * @param offset in the file
     * @param length 1 or more
     * @return 0 or the negated errno; EOPNOTSUPP where it cannot be done
     */
    public int punch(final int fd, final long offset, final long length) {
        return allocate(fd, PUNCH_HOLE | KEEP_SIZE, offset, length);
    }

    /**
     * Makes a range read as zeros without giving its room back; the size stays.
     *
     * @param fd     descriptor
     * @param offset in the file
     * @param length 1 or more
     * @return 0 or the negated errno; EOPNOTSUPP where it cannot be done
     */
    public int zero(final int fd, final long offset, final long length) {
        return allocate(fd, ZERO_RANGE | KEEP_SIZE, offset, length);
    }

    /**
     * Sets the size of a file; what is new reads as zeros and takes no room.
     *
     * @param fd   descriptor
     * @param size in bytes
     * @return 0 or the negated errno
     */
    public int truncate(final int fd, final long size) {
        int outcome;
        do {
            try {
                outcome = result((int) FTRUNCATE.invokeExact(state.segment, fd, size));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (outcome == -Errno.EINTR);
        return outcome;
    }

    /**
     * Claims a file among those who ask (flock), until the descriptor is closed.
     *
     * @param fd     descriptor
     * @param shared whether others may share the claim
     * @return 0 or the negated errno; EAGAIN when somebody else has it
     */
    public int claim(final int fd, final boolean shared) {
        try {
            return result(
                    (int) FLOCK.invokeExact(state.segment, fd, (shared ? LOCK_SHARED : LOCK_EXCLUSIVE) | LOCK_AT_ONCE));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * The size of a block device.
     *
     * @param fd descriptor
     * @return bytes or the negated errno
     */
    public long deviceBytes(final int fd) {
        final int outcome = control(fd, SIZE_BYTES);
        return outcome < 0 ? outcome : Memory.getLong(range);
    }

    /**
     * The unit that a block device reads and writes.
     *
     * @param fd descriptor
     * @return bytes or the negated errno
     */
    public int deviceSectorBytes(final int fd) {
        final int outcome = control(fd, SECTOR_BYTES);
        return outcome < 0 ? outcome : Memory.getInt(range);
    }

    /**
     * Tells a block device that a range is not needed; what it reads as afterwards is the device's affair.
     *
     * @param fd     descriptor
     * @param offset a multiple of the device's unit
     * @param length likewise
     * @return 0 or the negated errno; EOPNOTSUPP where it cannot be done
     */
    public int deviceDiscard(final int fd, final long offset, final long length) {
        return control(fd, DISCARD, offset, length);
    }

    /**
     * Has a block device, or the kernel for it, write zeros.
     *
     * @param fd     descriptor
     * @param offset a multiple of the device's unit
     * @param length likewise
     * @return 0 or the negated errno
     */
    public int deviceZero(final int fd, final long offset, final long length) {
        return control(fd, ZERO_OUT, offset, length);
    }

    private int control(final int fd, final long request, final long offset, final long length) {
        Memory.putLong(range, offset);
        Memory.putLong(range + 8, length);
        return control(fd, request);
    }

    private int control(final int fd, final long request) {
        try {
            return result((int) IOCTL.invokeExact(state.segment, fd, request, range));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    private int allocate(final int fd, final int mode, final long offset, final long length) {
        int outcome;
        do {
            try {
                outcome = result((int) FALLOCATE.invokeExact(state.segment, fd, mode, offset, length));
            } catch (final Throwable thrown) {
                throw Native.broken(thrown);
            }
        } while (outcome == -Errno.EINTR);
        return outcome;
    }

    private static long string(final String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final long address = Memory.allocate(bytes.length + 1L);
        Memory.copyIn(bytes, 0, address, bytes.length);
        Memory.putByte(address + bytes.length, (byte) 0);
        return address;
    }

    private int result(final int returned) {
        return returned >= 0 ? returned : -state.errno();
    }

    private long result(final long returned) {
        return returned >= 0 ? returned : -state.errno();
    }
}
