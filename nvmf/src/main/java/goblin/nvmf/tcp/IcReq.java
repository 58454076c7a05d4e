// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;

/** The host's first PDU, at a native address (TCP Transport specification, Initialize Connection Request). */
public final class IcReq {
    /** HLEN and PLEN. */
    public static final int BYTES = 128;

    /** The only PDU format version there is. */
    public static final int FORMAT_VERSION = 0;

    /** The greatest HPDA or CPDA; the alignment it stands for is 128 bytes. */
    public static final int MAX_ALIGNMENT = 31;

    /** Bit of DGST: header digests. */
    public static final int HEADER_DIGEST = 0x01;

    /** Bit of DGST: data digests. */
    public static final int DATA_DIGEST = 0x02;

    /** Where PFV stands, as a fatal error names it. */
    public static final int FORMAT_VERSION_OFFSET = 8;

    /** Where HPDA stands. */
    public static final int ALIGNMENT_OFFSET = 10;

    private static final int DIGEST_OFFSET = 11;
    private static final int MAX_R2T_OFFSET = 12;

    private IcReq() {}

    /**
     * PFV.
     *
     * @param pdu the PDU
     * @return 0 to 65535; {@link #FORMAT_VERSION} is all we know
     */
    public static int formatVersion(final long pdu) {
        return Memory.getShort(pdu + FORMAT_VERSION_OFFSET) & 0xFFFF;
    }

    /**
     * HPDA: what the host wants the data of our PDUs aligned to, as a count of dwords less one.
     *
     * @param pdu the PDU
     * @return 0 to 255, at most {@link #MAX_ALIGNMENT} is legal
     */
    public static int alignment(final long pdu) {
        return Memory.getByte(pdu + ALIGNMENT_OFFSET) & 0xFF;
    }

    /**
     * DGST: the digests the host asks for.
     *
     * @param pdu the PDU
     * @return {@link #HEADER_DIGEST}, {@link #DATA_DIGEST}, both, none
     */
    public static int digests(final long pdu) {
        return Memory.getByte(pdu + DIGEST_OFFSET) & (HEADER_DIGEST | DATA_DIGEST);
    }

    /**
     * MAXR2T: how many R2Ts of one command the host keeps, less one.
     *
     * @param pdu the PDU
     * @return 0 to 4294967295
     */
    public static long maxR2t(final long pdu) {
        return Memory.getInt(pdu + MAX_R2T_OFFSET) & 0xFFFF_FFFFL;
    }

    /**
     * Writes a PDU, its reserved bytes included.
     *
     * @param pdu       {@link #BYTES} bytes
     * @param alignment HPDA, 0 to {@link #MAX_ALIGNMENT}
     * @param digests   bits of {@link #HEADER_DIGEST} and {@link #DATA_DIGEST}
     * @param maxR2t    MAXR2T, counted from zero
     */
    public static void put(final long pdu, final int alignment, final int digests, final long maxR2t) {
        Memory.fill(pdu, BYTES, (byte) 0);
        CommonHeader.put(pdu, PduType.IC_REQ, 0, BYTES, 0, BYTES);
        Memory.putByte(pdu + ALIGNMENT_OFFSET, (byte) alignment);
        Memory.putByte(pdu + DIGEST_OFFSET, (byte) digests);
        Memory.putInt(pdu + MAX_R2T_OFFSET, (int) maxR2t);
    }
}
