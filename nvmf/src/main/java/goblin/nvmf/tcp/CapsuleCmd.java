// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.nvmf.target.Sqe;

/** A command capsule at a native address: a submission entry, and perhaps its data (TCP Transport specification). */
public final class CapsuleCmd {
    /** HLEN. */
    public static final int BYTES = CommonHeader.BYTES + Sqe.BYTES;

    private CapsuleCmd() {}

    /**
     * The submission entry.
     *
     * @param pdu the PDU
     * @return its address; see {@link Sqe}
     */
    public static long sqe(final long pdu) {
        return pdu + CommonHeader.BYTES;
    }

    /**
     * Writes the common header of a capsule; the entry stays as it is.
     *
     * @param pdu        {@link #BYTES} bytes
     * @param digests    {@link CommonHeader#HEADER_DIGEST} and {@link CommonHeader#DATA_DIGEST} as agreed; the latter is
     *                   left out when there is no data
     * @param alignment  CPDA
     * @param dataLength bytes of in-capsule data, 0 or more
     * @return how many zero bytes stand between the header (with its digest) and the data
     */
    public static int putHeader(final long pdu, final int digests, final int alignment, final long dataLength) {
        return DataLayout.put(pdu, PduType.CAPSULE_CMD, digests, BYTES, alignment, dataLength);
    }
}
