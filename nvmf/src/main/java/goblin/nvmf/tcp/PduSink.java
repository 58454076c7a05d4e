// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.ReceiveSegment;

/**
 * Takes what a {@link PduReader} finds, in the order of the stream: for each PDU one {@link #onHeader} that returns true,
 * its payload, one {@link #onPduEnd}; at last perhaps {@link #onFatal}. Called on the thread that reads, never from a
 * callback; a callback may call the reader's {@link PduReader#digests}, {@link PduReader#alignment} and
 * {@link PduReader#close}, nothing else of it.
 */
public interface PduSink {

    /**
     * A header is whole and legal by itself, its digest right. Padding and data are still to come.
     *
     * @param type         see {@link PduType}
     * @param header       its first byte, readable during the call
     * @param headerLength HLEN
     * @param dataLength   bytes of data that follow, by PLEN; 0 when there is none
     * @return false for "not now": the reader stops in front of the data and offers the same header again at the next
     *     {@link PduReader#read} or {@link PduReader#resume}
     */
    boolean onHeader(int type, long header, int headerLength, long dataLength);

    /**
     * Some of the PDU's data, in order, in place.
     *
     * @param segment where the bytes lie; {@link ReceiveSegment#retain} keeps them
     * @param address the first of them
     * @param length  at least 1
     */
    void onPayload(ReceiveSegment segment, long address, int length);

    /**
     * All of the PDU has been read.
     *
     * @param digestValid false when the data digest was not that of the data
     */
    void onPduEnd(boolean digestValid);

    /**
     * The stream cannot be read any further: the connection is to end, after a termination request unless the status is
     * {@link TermReq#QUIET}. The reader accepts nothing more.
     *
     * @param status       FES, see {@link TermReq}
     * @param information  FEI, 0 when the status has none
     * @param header       the offending header, readable during the call
     * @param headerLength its bytes: the common header's when that was enough to tell, else HLEN
     */
    void onFatal(int status, long information, long header, int headerLength);
}
