// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/**
 * What a {@link FileNamespace} keeps its blocks in. Calls block; those that name a lane may be made by several threads at
 * once, each on a lane of its own. Results are counts of bytes or 0, or the negated errno.
 *
 * <p>Each lane hears of each failure to make data durable by itself: what one lane's sync was told, another's is told too.
 */
interface BackingFile {
    /** The lane of whoever is no worker; one thread at a time. Workers have lanes 0 to their number - 1. */
    int CONTROL = -1;

    /** What it is and can do; constant. */
    FileFacts facts();

    /** Its size now, of a device perhaps more than at first; or the negated errno. */
    long bytes();

    /** What the kernel knows it by, for a loop's ring to read and write; -1 when it does not. */
    int descriptor();

    /** Reads, perhaps less than asked; 0 at the end. */
    long read(int lane, long iovecs, int count, long offset);

    /** Writes, perhaps less than asked; {@code durable} data, and the way to find it, is on the device on return. */
    long write(int lane, long iovecs, int count, long offset, boolean durable);

    /** Makes durable what any lane has written, cleared and discarded. */
    int sync(int lane);

    /** Makes a range read as zeros, perhaps giving its room back; EOPNOTSUPP where writing zeros is the only way. */
    int clear(int lane, long offset, long length, boolean deallocate);

    /** Gives a range back; {@link FileFacts#deallocatedReadZero} says what it reads as. EOPNOTSUPP where it cannot. */
    int discard(int lane, long offset, long length);

    /** Sets the size of a file that is no device. */
    int resize(long bytes);

    /** Gives everything back; no call may follow or be under way. */
    void close();
}
