// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;

/**
 * The last failed commands of one controller (log page 01h, Error Information). Any thread; takes a lock, for failures
 * only.
 */
final class ErrorLog {
    /** Bytes of an entry on the wire. */
    static final int ENTRY_BYTES = 64;

    private static final int ENTRIES = ControllerPage.ERROR_ENTRIES;
    private static final int TCP = 3;

    private final int[] queues = new int[ENTRIES];
    private final int[] commands = new int[ENTRIES];
    private final int[] statuses = new int[ENTRIES];
    private final long[] blocks = new long[ENTRIES];
    private final int[] namespaces = new int[ENTRIES];
    private long total;

    /**
     * Notes a failure.
     *
     * @param queue  queue identifier
     * @param cid    the command's identifier
     * @param status see {@link Status}
     * @param block  the first logical block concerned, 0 if none
     * @param nsid   the namespace, 0 if none
     */
    synchronized void add(final int queue, final int cid, final int status, final long block, final int nsid) {
        final int at = (int) (total++ % ENTRIES);
        queues[at] = queue;
        commands[at] = cid;
        statuses[at] = status;
        blocks[at] = block;
        namespaces[at] = nsid;
    }

    /**
     * How many failures were noted, over the controller's life.
     *
     * @return 0 or more
     */
    synchronized long total() {
        return total;
    }

    /**
     * Writes the entries over zeros, the newest first.
     *
     * @param page {@value VectorWriter#PART_BYTES} bytes
     */
    synchronized void put(final long page) {
        final int held = (int) Math.min(total, ENTRIES);
        for (int i = 0; i < held; i++) {
            final long number = total - i;
            final int at = (int) ((number - 1) % ENTRIES);
            final long entry = page + (long) i * ENTRY_BYTES;
            Memory.putLong(entry, number);
            Memory.putShort(entry + 8, (short) queues[at]);
            Memory.putShort(entry + 10, (short) commands[at]);
            Memory.putShort(entry + 12, (short) (statuses[at] << 1));
            // Parameter Error Location: not given.
            Memory.putShort(entry + 14, (short) 0xFFFF);
            Memory.putLong(entry + 16, blocks[at]);
            Memory.putInt(entry + 24, namespaces[at]);
            Memory.putByte(entry + 29, (byte) TCP);
        }
    }
}
