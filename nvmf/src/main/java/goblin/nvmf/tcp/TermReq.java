// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;

/**
 * H2CTermReq or C2HTermReq at a native address: the sender met a fatal error and ends the connection. A copy of the
 * offending PDU's header may follow as data (TCP Transport specification, Terminate Connection Request).
 */
public final class TermReq {
    /** HLEN, and the smallest PLEN. */
    public static final int BYTES = 24;

    /** The most data: a copy of a header. */
    public static final int MAX_DATA_BYTES = 128;

    /** The greatest PLEN. */
    public static final int MAX_BYTES = BYTES + MAX_DATA_BYTES;

    /** Not on the wire: end the connection without a termination request. */
    public static final int QUIET = 0;

    /** FES: invalid PDU header field; FEI is its offset. */
    public static final int INVALID_HEADER_FIELD = 1;

    /** FES: PDU sequence error. */
    public static final int SEQUENCE_ERROR = 2;

    /** FES: header digest error; FEI is the digest received. */
    public static final int HEADER_DIGEST_ERROR = 3;

    /** FES: data transfer out of range. */
    public static final int DATA_OUT_OF_RANGE = 4;

    /** FES: data transfer limit exceeded (R2T limit exceeded when a controller sent too many). */
    public static final int LIMIT_EXCEEDED = 5;

    /** FES: unsupported parameter; FEI is its offset. */
    public static final int UNSUPPORTED_PARAMETER = 6;

    private static final int STATUS_OFFSET = 8;
    private static final int INFORMATION_OFFSET = 10;

    private TermReq() {}

    /**
     * FES.
     *
     * @param pdu the PDU
     * @return 0 to 65535
     */
    public static int status(final long pdu) {
        return Memory.getShort(pdu + STATUS_OFFSET) & 0xFFFF;
    }

    /**
     * FEI.
     *
     * @param pdu the PDU
     * @return 0 to 4294967295; 0 unless FES is 1, 3 or 6
     */
    public static long information(final long pdu) {
        return Memory.getInt(pdu + INFORMATION_OFFSET) & 0xFFFF_FFFFL;
    }

    /**
     * Writes the header, its reserved bytes included.
     *
     * @param pdu         {@link #BYTES} bytes
     * @param type        {@link PduType#H2C_TERM_REQ} or {@link PduType#C2H_TERM_REQ}
     * @param status      FES
     * @param information FEI
     * @param dataLength  bytes of data that follow
     */
    static void put(final long pdu, final int type, final int status, final long information, final long dataLength) {
        Memory.fill(pdu, BYTES, (byte) 0);
        CommonHeader.put(pdu, type, 0, BYTES, 0, BYTES + dataLength);
        Memory.putShort(pdu + STATUS_OFFSET, (short) status);
        Memory.putInt(pdu + INFORMATION_OFFSET, (int) information);
    }
}
