// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

/** {@code struct io_uring_params}: what a ring is asked for, and what the kernel answers. Equal on both architectures. */
public final class UringParams {
    /** Bytes of the structure, all zero before it is filled. */
    public static final int BYTES = 120;

    /** The number of completions is given. */
    public static final int COMPLETION_SIZE = 1 << 3;

    /** Starts when it is enabled, by the thread that uses it. */
    public static final int DISABLED = 1 << 6;

    /** An entry that fails at once does not stop those behind it. */
    public static final int SUBMIT_ALL = 1 << 7;

    /** Completing interrupts nobody: it happens in the next system call of the thread. */
    public static final int COOPERATIVE = 1 << 8;

    /** The ring's flags tell that a system call would complete something. */
    public static final int TELL_WORK = 1 << 9;

    /** One thread submits. */
    public static final int SINGLE_ISSUER = 1 << 12;

    /** Completing happens in calls that ask for it only. */
    public static final int DEFERRED = 1 << 13;

    /** Feature: both rings lie in one mapping. */
    public static final int SINGLE_MAPPING = 1 << 0;

    /** Feature: completions are kept when their ring is full. */
    public static final int NO_DROP = 1 << 1;

    /** Feature: the bytes that describe an operation are free once it is submitted. */
    public static final int SUBMIT_STABLE = 1 << 2;

    /** Feature: a wait has a timeout. */
    public static final int EXTENDED_ARGUMENT = 1 << 8;

    /** Where the rings are mapped. */
    public static final long RINGS = 0;

    /** Where the submission entries are mapped. */
    public static final long ENTRIES = 0x1000_0000L;

    private static final int SUBMISSION = 40;
    private static final int COMPLETION = 80;

    private UringParams() {}

    /**
     * Fills a structure.
     *
     * @param at          where
     * @param flags       of the constants of this class
     * @param completions entries of the completion queue, a power of two
     */
    public static void write(final long at, final int flags, final int completions) {
        Memory.fill(at, BYTES, (byte) 0);
        Memory.putInt(at + 4, completions);
        Memory.putInt(at + 8, flags);
    }

    /**
     * Entries of the submission queue.
     *
     * @param at where
     * @return a power of two
     */
    public static int submissionEntries(final long at) {
        return Memory.getInt(at);
    }

    /**
     * Entries of the completion queue.
     *
     * @param at where
     * @return a power of two
     */
    public static int completionEntries(final long at) {
        return Memory.getInt(at + 4);
    }

    /**
     * What the kernel can.
     *
     * @param at where
     * @return feature bits
     */
    public static int features(final long at) {
        return Memory.getInt(at + 20);
    }

    /**
     * Where a word of the submission ring lies.
     *
     * @param at   where
     * @param word 0 head, 1 tail, 2 mask, 3 entries, 4 flags, 5 dropped, 6 the array of indices
     * @return offset in the mapping
     */
    public static int submissionOffset(final long at, final int word) {
        return Memory.getInt(at + SUBMISSION + (long) word * Integer.BYTES);
    }

    /**
     * Where a word of the completion ring lies.
     *
     * @param at   where
     * @param word 0 head, 1 tail, 2 mask, 3 entries, 4 overflow, 5 the completions, 6 flags
     * @return offset in the mapping
     */
    public static int completionOffset(final long at, final int word) {
        return Memory.getInt(at + COMPLETION + (long) word * Integer.BYTES);
    }
}
