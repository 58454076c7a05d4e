// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;

/** The controller's first PDU, at a native address (TCP Transport specification, Initialize Connection Response). */
public final class IcResp {
    /** HLEN and PLEN. */
    public static final int BYTES = 128;

    /** The smallest MAXH2CDATA; it is a multiple of 4. */
    public static final int MIN_MAX_DATA = 4096;

    private static final int FORMAT_VERSION_OFFSET = 8;
    private static final int ALIGNMENT_OFFSET = 10;
    private static final int DIGEST_OFFSET = 11;
    private static final int MAX_DATA_OFFSET = 12;

    private IcResp() {}

    /**
     * PFV.
     *
     * @param pdu the PDU
     * @return 0 to 65535; {@link IcReq#FORMAT_VERSION} is all we know
     */
    public static int formatVersion(final long pdu) {
        return Memory.getShort(pdu + FORMAT_VERSION_OFFSET) & 0xFFFF;
    }

    /**
     * CPDA: what the controller wants the data of the host's PDUs aligned to, as a count of dwords less one.
     *
     * @param pdu the PDU
     * @return 0 to 255, at most {@link IcReq#MAX_ALIGNMENT} is legal
     */
    public static int alignment(final long pdu) {
        return Memory.getByte(pdu + ALIGNMENT_OFFSET) & 0xFF;
    }

    /**
     * DGST: the digests in use from the next PDU on.
     *
     * @param pdu the PDU
     * @return {@link IcReq#HEADER_DIGEST}, {@link IcReq#DATA_DIGEST}, both, none
     */
    public static int digests(final long pdu) {
        return Memory.getByte(pdu + DIGEST_OFFSET) & (IcReq.HEADER_DIGEST | IcReq.DATA_DIGEST);
    }

    /**
     * MAXH2CDATA: the most data of one H2CData PDU.
     *
     * @param pdu the PDU
     * @return 0 to 4294967295, at least {@link #MIN_MAX_DATA} is legal
     */
    public static long maxData(final long pdu) {
        return Memory.getInt(pdu + MAX_DATA_OFFSET) & 0xFFFF_FFFFL;
    }

    /**
     * Writes a PDU, its reserved bytes included.
     *
     * @param pdu       {@link #BYTES} bytes
     * @param alignment CPDA, 0 to {@link IcReq#MAX_ALIGNMENT}
     * @param digests   bits of {@link IcReq#HEADER_DIGEST} and {@link IcReq#DATA_DIGEST}
     * @param maxData   MAXH2CDATA, at least {@link #MIN_MAX_DATA}, a multiple of 4
     */
    public static void put(final long pdu, final int alignment, final int digests, final long maxData) {
        Memory.fill(pdu, BYTES, (byte) 0);
        CommonHeader.put(pdu, PduType.IC_RESP, 0, BYTES, 0, BYTES);
        Memory.putByte(pdu + ALIGNMENT_OFFSET, (byte) alignment);
        Memory.putByte(pdu + DIGEST_OFFSET, (byte) digests);
        Memory.putInt(pdu + MAX_DATA_OFFSET, (int) maxData);
    }
}
