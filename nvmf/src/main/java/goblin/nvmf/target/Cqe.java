// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;

/** A completion queue entry of 16 bytes at a native address (NVM Express Base specification, Common Completion Format). */
public final class Cqe {
    /** Bytes of an entry. */
    public static final int BYTES = 16;

    private Cqe() {}

    /**
     * Writes an entry. On fabrics the queue identifier and the phase stay zero.
     *
     * @param cqe    16 bytes
     * @param result dwords 0 and 1, dword 0 in the lower half
     * @param sqHead the submission queue's head, 0 to 65535
     * @param cid    the command's identifier
     * @param status see {@link Status}
     */
    public static void put(final long cqe, final long result, final int sqHead, final int cid, final int status) {
        Memory.putLong(cqe, result);
        Memory.putInt(cqe + 8, sqHead & 0xFFFF);
        Memory.putInt(cqe + 12, (cid & 0xFFFF) | (status << 17));
    }

    /**
     * Dwords 0 and 1.
     *
     * @param cqe the entry
     * @return dword 0 in the lower half
     */
    public static long result(final long cqe) {
        return Memory.getLong(cqe);
    }

    /**
     * The submission queue's head.
     *
     * @param cqe the entry
     * @return 0 to 65535
     */
    public static int sqHead(final long cqe) {
        return Memory.getShort(cqe + 8) & 0xFFFF;
    }

    /**
     * The command's identifier.
     *
     * @param cqe the entry
     * @return 0 to 65535
     */
    public static int cid(final long cqe) {
        return Memory.getShort(cqe + 12) & 0xFFFF;
    }

    /**
     * The status.
     *
     * @param cqe the entry
     * @return see {@link Status}; {@link Status#DO_NOT_RETRY} included
     */
    public static int status(final long cqe) {
        return (Memory.getShort(cqe + 14) & 0xFFFF) >>> 1;
    }
}
