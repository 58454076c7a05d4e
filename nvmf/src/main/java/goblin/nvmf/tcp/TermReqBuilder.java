// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;

/** Makes termination requests. */
public final class TermReqBuilder {

    private TermReqBuilder() {}

    /**
     * Writes a termination request. Every byte of it is written: what the specification does not give a meaning is zero,
     * and so is FEI unless the status is one that has it (1, 3 and 6).
     *
     * @param to           {@link TermReq#MAX_BYTES} bytes that do not overlap {@code header}
     * @param type         {@link PduType#C2H_TERM_REQ} or {@link PduType#H2C_TERM_REQ}
     * @param status       FES, see {@link TermReq}
     * @param information  FEI
     * @param header       the header of the offending PDU, as far as it is there
     * @param headerLength its bytes, 0 or more; those after {@link TermReq#MAX_DATA_BYTES} are left out
     * @return bytes written
     */
    public static int build(
            final long to,
            final int type,
            final int status,
            final long information,
            final long header,
            final int headerLength) {
        final int copied = Math.min(headerLength, TermReq.MAX_DATA_BYTES);
        TermReq.put(to, type, status, hasInformation(status) ? information : 0, copied);
        if (copied > 0) {
            Memory.copy(header, to + TermReq.BYTES, copied);
        }
        return TermReq.BYTES + copied;
    }

    private static boolean hasInformation(final int status) {
        return status == TermReq.INVALID_HEADER_FIELD
                || status == TermReq.HEADER_DIGEST_ERROR
                || status == TermReq.UNSUPPORTED_PARAMETER;
    }
}
