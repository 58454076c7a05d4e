// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import java.lang.invoke.MethodHandle;

/** Resource limits of this process. Any thread. */
public final class Limits {
    /** No limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final MethodHandle GET = Native.capturing("getrlimit", int.class, int.class, long.class);
    private static final MethodHandle SET = Native.capturing("setrlimit", int.class, int.class, long.class);

    private static final int OPEN_FILES = 7;
    private static final int LOCKED_MEMORY = 8;
    private static final int RLIMIT_BYTES = 16;

    private Limits() {}

    /**
     * Raises the limit of open files as far as it goes.
     *
     * @return the limit now in force
     */
    public static long raiseOpenFiles() {
        final long limit = Memory.allocate(RLIMIT_BYTES);
        try {
            get(OPEN_FILES, limit);
            Memory.putLong(limit, Memory.getLong(limit + 8));
            set(OPEN_FILES, limit);
        } finally {
            Memory.free(limit);
        }
        return openFiles();
    }

    /**
     * Tells how many files may be open.
     *
     * @return descriptors must be below this number
     */
    public static long openFiles() {
        return soft(OPEN_FILES);
    }

    /**
     * Changes how many files may be open; those already open stay open.
     *
     * @param files the new limit, at most the hard one
     * @return whether the kernel did it
     */
    public static boolean setOpenFiles(final long files) {
        final long limit = Memory.allocate(RLIMIT_BYTES);
        try {
            get(OPEN_FILES, limit);
            Memory.putLong(limit, files);
            return set(OPEN_FILES, limit);
        } finally {
            Memory.free(limit);
        }
    }

    /**
     * Tells how much memory may be locked.
     *
     * @return bytes, or {@link #UNLIMITED}
     */
    public static long lockedMemoryLimit() {
        return soft(LOCKED_MEMORY);
    }

    private static long soft(final int resource) {
        final long limit = Memory.allocate(RLIMIT_BYTES);
        try {
            get(resource, limit);
            final long value = Memory.getLong(limit);
            return value < 0 ? UNLIMITED : value;
        } finally {
            Memory.free(limit);
        }
    }

    private static void get(final int resource, final long limit) {
        final ErrnoState state = new ErrnoState();
        final int outcome;
        try {
            outcome = (int) GET.invokeExact(state.segment, resource, limit);
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
        if (outcome != 0) {
            throw new IllegalStateException("getrlimit: " + Errno.name(state.errno()));
        }
    }

    private static boolean set(final int resource, final long limit) {
        try {
            return (int) SET.invokeExact(new ErrnoState().segment, resource, limit) == 0;
        } catch (final Throwable thrown) {
            throw Native.broken(thrown);
        }
    }
}
