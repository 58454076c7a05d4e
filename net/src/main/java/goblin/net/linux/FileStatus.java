// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

/** Reads a native {@code struct statx}, which is the same on every architecture. */
public final class FileStatus {
    /** Bytes of one. */
    public static final int BYTES = 256;

    /** What {@link FileCalls#status} asks for: the basic fields and the alignment of direct input and output. */
    static final int WANTED = 0x7FF | 0x2000;

    private static final int MASK = 0;
    private static final int BLOCK_BYTES = 4;
    private static final int MODE = 28;
    private static final int SIZE = 40;
    private static final int DIRECT_MEMORY = 152;
    private static final int DIRECT_OFFSET = 156;

    private static final int TYPE = 0xF000;
    private static final int REGULAR = 0x8000;
    private static final int BLOCK_DEVICE = 0x6000;
    private static final int KNOWS_DIRECT = 0x2000;

    private FileStatus() {}

    /**
     * Tells a regular file.
     *
     * @param status address
     * @return whether it is one
     */
    public static boolean isRegular(final long status) {
        return (Memory.getShort(status + MODE) & TYPE) == REGULAR;
    }

    /**
     * Tells a block device.
     *
     * @param status address
     * @return whether it is one
     */
    public static boolean isBlockDevice(final long status) {
        return (Memory.getShort(status + MODE) & TYPE) == BLOCK_DEVICE;
    }

    /**
     * The size of a regular file.
     *
     * @param status address
     * @return bytes
     */
    public static long size(final long status) {
        return Memory.getLong(status + SIZE);
    }

    /**
     * What the file system likes to read and write at a time.
     *
     * @param status address
     * @return bytes
     */
    public static int blockBytes(final long status) {
        return Memory.getInt(status + BLOCK_BYTES);
    }

    /**
     * Tells whether the kernel (6.1 and later) and the file system say how direct input and output must be aligned.
     *
     * @param status address
     * @return whether the two values below mean anything
     */
    public static boolean knowsDirect(final long status) {
        return (Memory.getInt(status + MASK) & KNOWS_DIRECT) != 0;
    }

    /**
     * The alignment of memory for direct input and output.
     *
     * @param status address
     * @return bytes; 0 when the file cannot do it
     */
    public static int directMemory(final long status) {
        return Memory.getInt(status + DIRECT_MEMORY);
    }

    /**
     * The alignment of offsets and lengths for direct input and output.
     *
     * @param status address
     * @return bytes; 0 when the file cannot do it
     */
    public static int directOffset(final long status) {
        return Memory.getInt(status + DIRECT_OFFSET);
    }
}
