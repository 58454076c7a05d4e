// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;

/** Anonymous, private, zeroed, page-aligned memory. The kernel gives pages when they are first written. Any thread. */
public final class Pages {
    /** Bytes of the smallest page; a multiple of the real one on every machine we know is a multiple of this. */
    public static final int PAGE_BYTES = 4096;

    private static final MethodHandle MMAP =
            Native.capturing("mmap", long.class, long.class, long.class, int.class, int.class, int.class, long.class);
    private static final MethodHandle MUNMAP = Native.capturing("munmap", int.class, long.class, long.class);
    private static final MethodHandle MLOCK = Native.capturing("mlock", int.class, long.class, long.class);

    private static final MethodHandle MADVISE =
            Native.capturing("madvise", int.class, long.class, long.class, int.class);

    private static final int READ_WRITE = 3;
    private static final int DONTNEED = 4;
    private static final int HUGE_PAGES = 14;
    private static final int PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;

    private Pages() {}

    /**
     * Maps memory.
     *
     * @param bytes at least 1; rounded up to pages
     * @return its address
     * @throws OutOfMemoryError when the kernel refuses
     */
    public static long map(final long bytes) {
        final ErrnoState state = new ErrnoState();
        final long address;
        try {
            address = (long) MMAP.invokeExact(
                    state.segment, 0L, rounded(bytes), READ_WRITE, PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
        if (address == -1) {
            throw new OutOfMemoryError("cannot map " + bytes + " bytes: " + Errno.name(state.errno()));
        }
        return address;
    }

    /**
     * Unmaps memory.
     *
     * @param address from {@link #map}
     * @param bytes   as given to {@link #map}
     */
    public static void unmap(final long address, final long bytes) {
        final ErrnoState state = new ErrnoState();
        final int outcome;
        try {
            outcome = (int) MUNMAP.invokeExact(state.segment, address, rounded(bytes));
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
        if (outcome != 0) {
            throw new IllegalStateException("cannot unmap: " + Errno.name(state.errno()));
        }
    }

    /**
     * Locks memory into RAM, which also gives it its pages. Unmapping unlocks.
     *
     * @param address page-aligned
     * @param bytes   at least 1
     * @return whether the kernel did it; it refuses past {@link Limits#lockedMemoryLimit}
     */
    public static boolean lock(final long address, final long bytes) {
        try {
            return (int) MLOCK.invokeExact(new ErrnoState().segment, address, rounded(bytes)) == 0;
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Gives pages back to the kernel; the memory stays mapped and reads as zeros.
     *
     * @param address page-aligned, in memory from {@link #map}
     * @param bytes   whole pages
     * @return whether the kernel did it; it refuses for locked memory, which is unchanged then
     */
    public static boolean discard(final long address, final long bytes) {
        try {
            return (int) MADVISE.invokeExact(new ErrnoState().segment, address, bytes, DONTNEED) == 0;
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Asks for huge pages, before the memory is used; large memory needs fewer translations then.
     *
     * @param address page-aligned, in memory from {@link #map}
     * @param bytes   at least 1
     * @return whether the kernel will try; it does not where they are turned off
     */
    public static boolean adviseHuge(final long address, final long bytes) {
        try {
            return (int) MADVISE.invokeExact(new ErrnoState().segment, address, rounded(bytes), HUGE_PAGES) == 0;
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }

    /**
     * Writes to every page without changing a byte, so that later writes meet no page fault.
     *
     * @param address page-aligned
     * @param bytes   at least 1
     */
    public static void prefault(final long address, final long bytes) {
        for (long at = address; at < address + bytes; at += PAGE_BYTES) {
            Memory.putByte(at, Memory.getByte(at));
        }
    }

    /**
     * Rounds up to whole pages.
     *
     * @param bytes 0 or more
     * @return the next multiple of {@link #PAGE_BYTES}
     */
    public static long rounded(final long bytes) {
        return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
    }
}
