// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;

/** Ready to Transfer at a native address: the controller asks for a range of a command's data (TCP Transport specification). */
public final class R2t {
    /** HLEN. */
    public static final int BYTES = 24;

    private static final int CID_OFFSET = 8;
    private static final int TAG_OFFSET = 10;
    private static final int OFFSET_OFFSET = 12;
    private static final int LENGTH_OFFSET = 16;

    private R2t() {}

    /**
     * CCCID: the command whose data is asked for.
     *
     * @param pdu the PDU
     * @return 0 to 65535
     */
    public static int cid(final long pdu) {
        return Memory.getShort(pdu + CID_OFFSET) & 0xFFFF;
    }

    /**
     * TTAG: what the answering H2CData repeats.
     *
     * @param pdu the PDU
     * @return 0 to 65535
     */
    public static int tag(final long pdu) {
        return Memory.getShort(pdu + TAG_OFFSET) & 0xFFFF;
    }

    /**
     * R2TO: where the range begins.
     *
     * @param pdu the PDU
     * @return 0 to 4294967295
     */
    public static long offset(final long pdu) {
        return Memory.getInt(pdu + OFFSET_OFFSET) & 0xFFFF_FFFFL;
    }

    /**
     * R2TL: bytes of the range.
     *
     * @param pdu the PDU
     * @return 0 to 4294967295
     */
    public static long length(final long pdu) {
        return Memory.getInt(pdu + LENGTH_OFFSET) & 0xFFFF_FFFFL;
    }

    /**
     * Writes the PDU, its reserved bytes included.
     *
     * @param pdu     {@link #BYTES} bytes
     * @param digests {@link CommonHeader#HEADER_DIGEST} if agreed; others are left out
     * @param cid     CCCID
     * @param tag     TTAG
     * @param offset  R2TO
     * @param length  R2TL, more than 0: hosts treat an empty range as fatal
     */
    public static void put(
            final long pdu, final int digests, final int cid, final int tag, final long offset, final long length) {
        DataLayout.put(pdu, PduType.R2T, digests, BYTES, 0, 0);
        Memory.putShort(pdu + CID_OFFSET, (short) cid);
        Memory.putShort(pdu + TAG_OFFSET, (short) tag);
        Memory.putInt(pdu + OFFSET_OFFSET, (int) offset);
        Memory.putInt(pdu + LENGTH_OFFSET, (int) length);
        Memory.putInt(pdu + LENGTH_OFFSET + 4, 0);
    }
}
