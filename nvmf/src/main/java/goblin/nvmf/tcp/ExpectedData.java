// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Connection;

/**
 * Tells a connection what its next bytes will probably be, so that payload comes to lie at the beginning of a page: the host
 * was asked for data, and hosts answer in the order in which they are asked, with one PDU if they may. A guess that is wrong
 * puts data badly and loses none of it. Does nothing unless the receive path is {@link ReceivePath#PLACED}.
 *
 * <p>One connection's.
 */
final class ExpectedData {
    private final Connection connection;
    private final boolean isOn;
    private final int alignment;

    /** Whom the host was asked for data, the oldest first. */
    private TcpRequest first;

    private TcpRequest last;
    /** Bytes from a PDU's begin to its data. */
    private int headerBytes;

    ExpectedData(final Connection connection, final TcpOptions options) {
        this.connection = connection;
        isOn = options.receive().path() == ReceivePath.PLACED;
        alignment = options.dataAlignment();
        headerDigest(false);
    }

    /** Says whether headers have digests from now on. */
    void headerDigest(final boolean used) {
        final int end = DataPdu.BYTES + (used ? CommonHeader.DIGEST_BYTES : 0);
        headerBytes = DataLayout.dataOffset(end, alignment);
    }

    /** The host is asked for data. */
    void asked(final TcpRequest request) {
        if (!isOn) {
            return;
        }
        request.nextAsked = null;
        if (first == null) {
            first = request;
        } else {
            last.nextAsked = request;
        }
        last = request;
    }

    /** All that the host was asked for is here. */
    void answered(final TcpRequest request) {
        TcpRequest before = null;
        TcpRequest at = first;
        while (at != null && at != request) {
            before = at;
            at = at.nextAsked;
        }
        if (at == null) {
            return;
        }
        if (before == null) {
            first = at.nextAsked;
        } else {
            before.nextAsked = at.nextAsked;
        }
        if (last == at) {
            last = before;
        }
        at.nextAsked = null;
    }

    /**
     * All that was received has been read, or more was asked for. Between two PDUs, and in the digest at the end of one, the
     * connection is told what comes; in the middle of a header or of data it knows that already.
     *
     * @param current      whose PDU is being read; null for none
     * @param currentBytes bytes of that PDU's data that are here
     */
    void tell(final PduReader reader, final TcpRequest current, final long currentBytes) {
        if (first == null) {
            return;
        }
        if (reader.state() == PduReader.State.COMMON_HEADER && reader.bufferedHeader() == 0) {
            tell(headerBytes, first, 0);
        } else if (reader.state() == PduReader.State.DATA_DIGEST) {
            final int bytes = reader.remainingDigest() + headerBytes;
            if (current != first) {
                tell(bytes, first, 0);
            } else if (current.received + currentBytes < current.askedTo) {
                tell(bytes, current, currentBytes);
            } else if (current.nextAsked != null) {
                tell(bytes, current.nextAsked, 0);
            }
        }
    }

    private void tell(final int bytesBefore, final TcpRequest request, final long bytesHere) {
        connection.expect(bytesBefore, (int) (request.askedTo - request.received - bytesHere));
    }
}
