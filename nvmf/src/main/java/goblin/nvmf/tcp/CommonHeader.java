// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;

/** The first 8 bytes of every PDU, at a native address (TCP Transport specification, Common Header). */
public final class CommonHeader {
    /** Bytes of the common header. */
    public static final int BYTES = 8;

    /** Bytes of a header digest or a data digest. */
    public static final int DIGEST_BYTES = 4;

    /** The furthest that data may begin after the first byte of its PDU. */
    public static final int MAX_DATA_OFFSET = 128;

    /** Flag HDGSTF: a header digest follows the header. */
    public static final int HEADER_DIGEST = 0x01;

    /** Flag DDGSTF: a data digest follows the data. */
    public static final int DATA_DIGEST = 0x02;

    /** Flag LAST_PDU of H2CData and C2HData: the transfer ends with this PDU. */
    public static final int LAST = 0x04;

    /** Flag SUCCESS of C2HData: the command succeeded and no response capsule follows. */
    public static final int SUCCESS = 0x08;

    /** Where the type stands, as a fatal error names it. */
    public static final int TYPE_OFFSET = 0;

    /** Where the flags stand. */
    public static final int FLAGS_OFFSET = 1;

    /** Where HLEN stands. */
    public static final int HEADER_LENGTH_OFFSET = 2;

    /** Where PDO stands. */
    public static final int DATA_OFFSET_OFFSET = 3;

    /** Where PLEN stands. */
    public static final int LENGTH_OFFSET = 4;

    private CommonHeader() {}

    /**
     * PDU-Type.
     *
     * @param pdu the PDU
     * @return 0 to 255; see {@link PduType}
     */
    public static int type(final long pdu) {
        return Memory.getByte(pdu) & 0xFF;
    }

    /**
     * FLAGS.
     *
     * @param pdu the PDU
     * @return 0 to 255
     */
    public static int flags(final long pdu) {
        return Memory.getByte(pdu + FLAGS_OFFSET) & 0xFF;
    }

    /**
     * Tells whether a flag is set.
     *
     * @param pdu  the PDU
     * @param flag one of the flags above
     * @return whether it is
     */
    public static boolean has(final long pdu, final int flag) {
        return (Memory.getByte(pdu + FLAGS_OFFSET) & flag) != 0;
    }

    /**
     * HLEN: bytes of the header, without its digest.
     *
     * @param pdu the PDU
     * @return 0 to 255
     */
    public static int headerLength(final long pdu) {
        return Memory.getByte(pdu + HEADER_LENGTH_OFFSET) & 0xFF;
    }

    /**
     * PDO: where the data begins, counted from the first byte of the PDU. Means nothing in a PDU without data.
     *
     * @param pdu the PDU
     * @return 0 to 255
     */
    public static int dataOffset(final long pdu) {
        return Memory.getByte(pdu + DATA_OFFSET_OFFSET) & 0xFF;
    }

    /**
     * PLEN: bytes of the PDU with its digests and padding.
     *
     * @param pdu the PDU
     * @return 0 to 4294967295
     */
    public static long length(final long pdu) {
        return Memory.getInt(pdu + LENGTH_OFFSET) & 0xFFFF_FFFFL;
    }

    /**
     * Writes a common header.
     *
     * @param pdu          {@link #BYTES} bytes
     * @param type         see {@link PduType}
     * @param flags        0 to 255
     * @param headerLength HLEN, 0 to 255
     * @param dataOffset   PDO, 0 to 255
     * @param length       PLEN, 0 to 4294967295
     */
    public static void put(
            final long pdu,
            final int type,
            final int flags,
            final int headerLength,
            final int dataOffset,
            final long length) {
        Memory.putInt(
                pdu, (type & 0xFF) | (flags & 0xFF) << 8 | (headerLength & 0xFF) << 16 | (dataOffset & 0xFF) << 24);
        Memory.putInt(pdu + LENGTH_OFFSET, (int) length);
    }
}
