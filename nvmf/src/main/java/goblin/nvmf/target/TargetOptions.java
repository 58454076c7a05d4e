// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/**
 * The limits of a target, the same for all its subsystems.
 *
 * @param maxIoBytes    bytes that one command moves at most, a power of two, 8192 or more, since MDTS comes from it and 4096 would be
 *                     0 there, no limit
 * @param maxQueueDepth entries of an I/O queue at most, 2 to 65536; MQES comes from it
 * @param inCapsuleBytes data in a capsule at most on I/O queues, 0 or a multiple of 16; IOCCSZ comes from it
 * @param maxIoQueues   I/O queues of a controller at most, 1 to 65534
 * @param firmware      the firmware revision that Identify shows, up to 8 printable ASCII characters
 */
public record TargetOptions(int maxIoBytes, int maxQueueDepth, int inCapsuleBytes, int maxIoQueues, String firmware) {
    /** What a target does unless told otherwise. */
    public static final TargetOptions DEFAULTS = new TargetOptions(1 << 20, 128, 8192, 128, "0.1.0");

    /** Entries of an admin queue at most. */
    public static final int ADMIN_QUEUE_DEPTH = 128;

    /** Data in a capsule at most on admin queues. */
    public static final int ADMIN_IN_CAPSULE_BYTES = 8192;

    private static final int PAGE = 4096;

    /** Checks the ranges. */
    public TargetOptions {
        require(
                maxIoBytes > PAGE && Integer.bitCount(maxIoBytes) == 1,
                "the I/O size must be a power of two above " + PAGE);
        require(maxQueueDepth >= 2 && maxQueueDepth <= 65536, "the queue depth must be 2 to 65536");
        require(inCapsuleBytes >= 0 && inCapsuleBytes % 16 == 0, "in-capsule data must be a multiple of 16 bytes");
        require(maxIoQueues >= 1 && maxIoQueues <= 65534, "the number of I/O queues must be 1 to 65534");
        require(
                firmware.length() <= 8 && firmware.chars().allMatch(c -> c >= 0x20 && c < 0x7F),
                "the firmware revision must be up to 8 printable characters");
    }

    /**
     * The same with another I/O size.
     *
     * @param bytes a power of two, 8192 or more
     * @return new options
     */
    public TargetOptions withMaxIoBytes(final int bytes) {
        return new TargetOptions(bytes, maxQueueDepth, inCapsuleBytes, maxIoQueues, firmware);
    }

    /**
     * The same with another queue depth.
     *
     * @param entries 2 to 65536
     * @return new options
     */
    public TargetOptions withMaxQueueDepth(final int entries) {
        return new TargetOptions(maxIoBytes, entries, inCapsuleBytes, maxIoQueues, firmware);
    }

    /**
     * MDTS.
     *
     * @return the largest I/O as a power of two of 4096 bytes
     */
    int mdts() {
        return Integer.numberOfTrailingZeros(maxIoBytes / PAGE);
    }

    private static void require(final boolean holds, final String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
