// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import goblin.net.Iovec;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.net.linux.Pages;

/**
 * Moves whole ranges between vectors and files, however short the single transfers are. A vector goes to the kernel as it
 * is; it is copied through page-aligned memory of {@link #BOUNCE_BYTES} only when the file wants an alignment that it does
 * not have. One for each worker; results are 0 or an errno. Allocates nothing.
 */
final class VectorTransfers {
    /** What is copied at a time. */
    static final int BOUNCE_BYTES = 1 << 20;

    /** What is cleared by one write at most. */
    static final long ZEROING_BYTES = 4 << 20;

    private static final int MAX_IOVECS = 1024;

    private final int lane;
    private final long window = Memory.allocate((long) MAX_IOVECS * Iovec.BYTES);
    private long bounce;
    private long copied;

    VectorTransfers(final int lane) {
        this.lane = lane;
    }

    /** Gives the memory back. */
    void free() {
        Memory.free(window);
        if (bounce != 0) {
            Pages.unmap(bounce, BOUNCE_BYTES);
        }
    }

    /** Which lane of files it uses. */
    int lane() {
        return lane;
    }

    /** The bytes copied for the sake of alignment since the last call of this method. */
    long takeCopied() {
        final long bytes = copied;
        copied = 0;
        return bytes;
    }

    /** Reads {@code length} bytes at {@code offset} into the vector. */
    int read(final BackingFile file, final long iovecs, final int count, final long length, final long offset) {
        return move(file, iovecs, count, 0, length, offset, false, false);
    }

    /** Writes {@code length} bytes of the vector, from its byte {@code skip} on, at {@code offset}. */
    int write(
            final BackingFile file,
            final long iovecs,
            final int count,
            final long skip,
            final long length,
            final long offset,
            final boolean durable) {
        return move(file, iovecs, count, skip, length, offset, true, durable);
    }

    /** Compares {@code length} bytes at {@code offset} with the vector: 0 when equal, -1 when not, or an errno. */
    int compare(final BackingFile file, final long iovecs, final int count, final long length, final long offset) {
        for (long done = 0; done < length; done += BOUNCE_BYTES) {
            final long piece = Math.min(BOUNCE_BYTES, length - done);
            final int errno = load(file, piece, offset + done);
            if (errno != 0) {
                return errno;
            }
            if (!BlockVectors.equal(iovecs, count, done, bounce, piece)) {
                return -1;
            }
        }
        return 0;
    }

    /** Reads {@code length} bytes, at most {@link #BOUNCE_BYTES}, at {@code offset} and drops them. */
    int load(final BackingFile file, final long length, final long offset) {
        long done = 0;
        while (done < length) {
            Iovec.put(window, 0, bounce() + done, length - done);
            final long moved = file.read(lane, window, 1, offset + done);
            if (moved == 0) {
                return Errno.EIO;
            }
            if (moved < 0 && moved != -Errno.EINTR) {
                return (int) -moved;
            }
            done += Math.max(0, moved);
        }
        return 0;
    }

    /** Writes {@code length} zeros at {@code offset}. */
    int writeZeros(final BackingFile file, final long length, final long offset) {
        long done = 0;
        while (done < length) {
            final long piece = Math.min(ZEROING_BYTES, length - done);
            int count = 0;
            for (long at = 0; at < piece; at += BlockVectors.ZERO_BYTES) {
                Iovec.put(window, count++, BlockVectors.zeros(), Math.min(BlockVectors.ZERO_BYTES, piece - at));
            }
            final long moved = file.write(lane, window, count, offset + done, false);
            if (moved == 0) {
                return Errno.EIO;
            }
            if (moved < 0 && moved != -Errno.EINTR) {
                return (int) -moved;
            }
            done += Math.max(0, moved);
        }
        return 0;
    }

    private int move(
            final BackingFile file,
            final long iovecs,
            final int count,
            final long skip,
            final long length,
            final long offset,
            final boolean write,
            final boolean durable) {
        long done = 0;
        while (done < length) {
            final long moved = moveSome(file, iovecs, count, skip + done, length - done, offset + done, write, durable);
            // Nothing read is the end of a file that somebody else cut short.
            if (moved == 0) {
                return Errno.EIO;
            }
            if (moved < 0 && moved != -Errno.EINTR) {
                return (int) -moved;
            }
            done += Math.max(0, moved);
        }
        return 0;
    }

    private long moveSome(
            final BackingFile file,
            final long iovecs,
            final int count,
            final long skip,
            final long left,
            final long offset,
            final boolean write,
            final boolean durable) {
        int first = 0;
        long within = skip;
        while (first < count && within >= Iovec.length(iovecs, first)) {
            within -= Iovec.length(iovecs, first++);
        }
        int entries = 0;
        long total = 0;
        while (first + entries < count && entries < MAX_IOVECS && total < left) {
            total += Iovec.length(iovecs, first + entries) - (entries == 0 ? within : 0);
            entries++;
        }
        if (total == 0) {
            throw new IllegalArgumentException("the vector is " + left + " bytes too short");
        }
        long part = iovecs + (long) first * Iovec.BYTES;
        if (within > 0 || total > left) {
            Memory.copy(part, window, (long) entries * Iovec.BYTES);
            part = window;
            Iovec.put(part, 0, Iovec.address(part, 0) + within, Iovec.length(part, 0) - within);
            if (total > left) {
                final int last = entries - 1;
                Iovec.put(part, last, Iovec.address(part, last), Iovec.length(part, last) - (total - left));
            }
        }
        if (!isAligned(file.facts(), part, entries)) {
            return moveCopied(file, iovecs, count, skip, Math.min(left, BOUNCE_BYTES), offset, write, durable);
        }
        return write ? file.write(lane, part, entries, offset, durable) : file.read(lane, part, entries, offset);
    }

    private long moveCopied(
            final BackingFile file,
            final long iovecs,
            final int count,
            final long skip,
            final long length,
            final long offset,
            final boolean write,
            final boolean durable) {
        if (write) {
            BlockVectors.gather(iovecs, count, skip, bounce(), length);
        }
        Iovec.put(window, 0, bounce(), length);
        final long moved = write ? file.write(lane, window, 1, offset, durable) : file.read(lane, window, 1, offset);
        if (moved > 0) {
            copied += moved;
            if (!write) {
                BlockVectors.scatter(iovecs, count, skip, bounce, moved);
            }
        }
        return moved;
    }

    /** Whether one call moves exactly {@code length} bytes with the vector as it is. */
    static boolean isWhole(final FileFacts facts, final long iovecs, final int count, final long length) {
        if (count > MAX_IOVECS) {
            return false;
        }
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += Iovec.length(iovecs, i);
        }
        return total == length && isAligned(facts, iovecs, count);
    }

    private static boolean isAligned(final FileFacts facts, final long iovecs, final int count) {
        final long memory = facts.memoryAlignment() - 1L;
        final long length = facts.lengthAlignment() - 1L;
        if ((memory | length) == 0) {
            return true;
        }
        for (int i = 0; i < count; i++) {
            if ((Iovec.address(iovecs, i) & memory) != 0 || (Iovec.length(iovecs, i) & length) != 0) {
                return false;
            }
        }
        return true;
    }

    private long bounce() {
        if (bounce == 0) {
            bounce = Pages.map(BOUNCE_BYTES);
        }
        return bounce;
    }
}
