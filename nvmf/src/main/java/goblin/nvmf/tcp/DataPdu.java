// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;

/**
 * H2CData or C2HData at a native address: a piece of a command's data (TCP Transport specification). Lengths and offsets
 * are unsigned.
 */
public final class DataPdu {
    /** HLEN. */
    public static final int BYTES = 24;

    /** Where TTAG stands, as a fatal error names it. */
    public static final int TAG_OFFSET = 10;

    /** Where DATAO stands. */
    public static final int OFFSET_OFFSET = 12;

    /** Where DATAL stands. */
    public static final int LENGTH_OFFSET = 16;

    /** Where CCCID stands. */
    public static final int CID_OFFSET = 8;

    private DataPdu() {}

    /**
     * CCCID: the command the data belongs to.
     *
     * @param pdu the PDU
     * @return 0 to 65535
     */
    public static int cid(final long pdu) {
        return Memory.getShort(pdu + CID_OFFSET) & 0xFFFF;
    }

    /**
     * TTAG: the R2T that the data answers; reserved in C2HData.
     *
     * @param pdu the PDU
     * @return 0 to 65535
     */
    public static int tag(final long pdu) {
        return Memory.getShort(pdu + TAG_OFFSET) & 0xFFFF;
    }

    /**
     * DATAO: where the piece stands in the command's data.
     *
     * @param pdu the PDU
     * @return 0 to 4294967295
     */
    public static long offset(final long pdu) {
        return Memory.getInt(pdu + OFFSET_OFFSET) & 0xFFFF_FFFFL;
    }

    /**
     * DATAL: bytes of the piece.
     *
     * @param pdu the PDU
     * @return 0 to 4294967295
     */
    public static long length(final long pdu) {
        return Memory.getInt(pdu + LENGTH_OFFSET) & 0xFFFF_FFFFL;
    }

    /**
     * Writes the header, its reserved bytes included.
     *
     * @param pdu       {@link #BYTES} bytes
     * @param type      {@link PduType#H2C_DATA} or {@link PduType#C2H_DATA}
     * @param flags     of {@link CommonHeader}: the digests as agreed, LAST, SUCCESS
     * @param alignment CPDA in H2CData, HPDA in C2HData
     * @param cid       CCCID
     * @param tag       TTAG; 0 in C2HData
     * @param offset    DATAO
     * @param length    DATAL, more than 0
     * @return how many zero bytes stand between the header (with its digest) and the data
     */
    public static int put(
            final long pdu,
            final int type,
            final int flags,
            final int alignment,
            final int cid,
            final int tag,
            final long offset,
            final long length) {
        final int padding = DataLayout.put(pdu, type, flags, BYTES, alignment, length);
        Memory.putShort(pdu + CID_OFFSET, (short) cid);
        Memory.putShort(pdu + TAG_OFFSET, (short) tag);
        Memory.putInt(pdu + OFFSET_OFFSET, (int) offset);
        Memory.putInt(pdu + LENGTH_OFFSET, (int) length);
        Memory.putInt(pdu + LENGTH_OFFSET + 4, 0);
        return padding;
    }
}
