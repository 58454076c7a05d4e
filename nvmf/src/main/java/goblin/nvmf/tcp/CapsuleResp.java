// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.nvmf.target.Cqe;

/** A response capsule at a native address: a completion entry (TCP Transport specification). It carries no data. */
public final class CapsuleResp {
    /** HLEN. */
    public static final int BYTES = CommonHeader.BYTES + Cqe.BYTES;

    private CapsuleResp() {}

    /**
     * The completion entry.
     *
     * @param pdu the PDU
     * @return its address; see {@link Cqe}
     */
    public static long cqe(final long pdu) {
        return pdu + CommonHeader.BYTES;
    }

    /**
     * Writes the common header of a capsule; the entry stays as it is.
     *
     * @param pdu     {@link #BYTES} bytes
     * @param digests {@link CommonHeader#HEADER_DIGEST} if agreed; others are left out
     */
    public static void putHeader(final long pdu, final int digests) {
        DataLayout.put(pdu, PduType.CAPSULE_RESP, digests, BYTES, 0, 0);
    }
}
