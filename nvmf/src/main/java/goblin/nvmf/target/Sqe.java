// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;

/**
 * A submission queue entry of 64 bytes at a native address (NVM Express Base specification, Common Command Format). Wire
 * numbers are unsigned: those of 32 bits come as {@code long} where they are lengths.
 */
public final class Sqe {
    /** Bytes of an entry. */
    public static final int BYTES = 64;

    /** SGL data block descriptor with an offset into the capsule. */
    public static final int SGL_IN_CAPSULE = 0x01;

    /** Transport SGL data block descriptor: the transport moves the data. */
    public static final int SGL_TRANSPORT = 0x5A;

    private Sqe() {}

    /**
     * Byte 0.
     *
     * @param sqe the entry
     * @return see {@link Opcode}
     */
    public static int opcode(final long sqe) {
        return Memory.getByte(sqe) & 0xFF;
    }

    /**
     * FUSE.
     *
     * @param sqe the entry
     * @return 0 normal, 1 first, 2 second, 3 reserved
     */
    public static int fuse(final long sqe) {
        return Memory.getByte(sqe + 1) & 3;
    }

    /**
     * PSDT: whether SGLs are used.
     *
     * @param sqe the entry
     * @return 0 PRPs, 1 or 2 SGLs, 3 reserved
     */
    public static int psdt(final long sqe) {
        return (Memory.getByte(sqe + 1) >>> 6) & 3;
    }

    /**
     * The command identifier.
     *
     * @param sqe the entry
     * @return 0 to 65535
     */
    public static int cid(final long sqe) {
        return Memory.getShort(sqe + 2) & 0xFFFF;
    }

    /**
     * The namespace identifier.
     *
     * @param sqe the entry
     * @return unsigned
     */
    public static int nsid(final long sqe) {
        return Memory.getInt(sqe + 4);
    }

    /**
     * The Fabrics command type, in the place of the namespace identifier's first byte.
     *
     * @param sqe the entry
     * @return see {@link Opcode}
     */
    public static int fabricsType(final long sqe) {
        return Memory.getByte(sqe + 4) & 0xFF;
    }

    /**
     * The SGL's address or offset.
     *
     * @param sqe the entry
     * @return unsigned
     */
    public static long sglAddress(final long sqe) {
        return Memory.getLong(sqe + 24);
    }

    /**
     * The SGL's length.
     *
     * @param sqe the entry
     * @return 0 to 4294967295
     */
    public static long sglLength(final long sqe) {
        return Memory.getInt(sqe + 32) & 0xFFFF_FFFFL;
    }

    /**
     * The SGL's type and subtype.
     *
     * @param sqe the entry
     * @return {@link #SGL_IN_CAPSULE}, {@link #SGL_TRANSPORT} or something that we do not take
     */
    public static int sglType(final long sqe) {
        return Memory.getByte(sqe + 39) & 0xFF;
    }

    /**
     * One of the command dwords.
     *
     * @param sqe   the entry
     * @param dword 10 to 15
     * @return its bits
     */
    public static int dword(final long sqe, final int dword) {
        return Memory.getInt(sqe + dword * 4L);
    }

    /**
     * The first logical block of an I/O command, in dwords 10 and 11.
     *
     * @param sqe the entry
     * @return unsigned
     */
    public static long firstBlock(final long sqe) {
        return Memory.getLong(sqe + 40);
    }

    /**
     * The number of logical blocks of an I/O command, counted from one.
     *
     * @param sqe the entry
     * @return 1 to 65536
     */
    public static int blockCount(final long sqe) {
        return (Memory.getShort(sqe + 48) & 0xFFFF) + 1;
    }
}
