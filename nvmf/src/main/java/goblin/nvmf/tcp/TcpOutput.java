// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Connection;
import goblin.net.Iovec;
import goblin.net.linux.Memory;
import goblin.nvmf.target.Cqe;
import goblin.nvmf.target.RequestVector;

/**
 * What one connection has to send, in order. PDUs are written when they are produced and leave gathered, at the end of the
 * loop's turn or when the stack has room again.
 */
final class TcpOutput {
    private final TcpQueue queue;
    private final SendRecords records;
    private final Crc32c crc;

    private SendRecord first;
    private SendRecord last;
    private boolean blocked;
    /** How the host takes requests' data. */
    private final Pace pace = new Pace();

    private int unsent;

    private int digests;
    private boolean dataDigest;
    private int alignment;

    TcpOutput(final TcpQueue queue, final SendRecords records, final Crc32c crc) {
        this.queue = queue;
        this.records = records;
        this.crc = crc;
    }

    /** What was agreed: digests, and HPDA for the data we send. */
    void agreed(final boolean headerDigest, final boolean withDataDigest, final int hostAlignment) {
        digests = headerDigest ? CommonHeader.HEADER_DIGEST : 0;
        dataDigest = withDataDigest;
        alignment = hostAlignment;
    }

    boolean isEmpty() {
        return first == null;
    }

    boolean isBlocked() {
        return blocked;
    }

    /** How the host takes the data of its reads. */
    Pace pace() {
        return pace;
    }

    /** How many PDUs are to be sent. */
    int unsent() {
        return unsent;
    }

    void icResp(final int dataAlignment, final int agreedDigests, final long maxData) {
        final SendRecord record = add();
        IcResp.put(record.head(), dataAlignment, agreedDigests, maxData);
        record.headBytes = IcResp.BYTES;
    }

    void termReq(final int status, final long information, final long header, final int headerLength) {
        final SendRecord record = add();
        record.headBytes =
                TermReqBuilder.build(record.head(), PduType.C2H_TERM_REQ, status, information, header, headerLength);
    }

    void r2t(final int cid, final int tag, final long offset, final long length) {
        final SendRecord record = add();
        R2t.put(record.head(), digests, cid, tag, offset, length);
        record.headBytes = sealed(record.head(), R2t.BYTES);
    }

    void response(final TcpRequest request, final int sqHead) {
        final SendRecord record = add();
        record.headBytes = putResponse(record.head(), request, sqHead);
    }

    /** The request's data, which is the output's until it is sent, and the completion. */
    void data(final TcpRequest request, final int sqHead, final boolean successInData) {
        final SendRecord record = add();
        final RequestVector vector = request.vector();
        final int flags = digests
                | (dataDigest ? CommonHeader.DATA_DIGEST : 0)
                | CommonHeader.LAST
                | (successInData ? CommonHeader.SUCCESS : 0);
        final int padding =
                DataPdu.put(record.head(), PduType.C2H_DATA, flags, alignment, request.cid(), 0, 0, vector.bytes());
        record.headBytes = sealed(record.head(), DataPdu.BYTES);
        if (padding > 0) {
            Memory.fill(record.head() + record.headBytes, padding, (byte) 0);
            record.headBytes += padding;
        }
        record.request = request;
        pace.holds(vector.bytes(), queue.loop().nowNs());
        if (dataDigest) {
            crc.reset();
            for (int i = 0; i < vector.count(); i++) {
                crc.update(vector.address(i), (int) vector.length(i));
            }
            Memory.putInt(record.tail(), (int) crc.value());
            record.tailBytes = CommonHeader.DIGEST_BYTES;
        }
        if (!successInData) {
            record.tailBytes += putResponse(record.tail() + record.tailBytes, request, sqHead);
        }
    }

    /**
     * Sends until nothing is left or the stack is full.
     *
     * @return false when the connection takes nothing any more
     */
    boolean flush(final Connection connection) {
        if (blocked) {
            return true;
        }
        final long iovecs = records.iovecs();
        while (first != null) {
            int count = 0;
            for (SendRecord at = first; at != null && count < SendRecords.IOVECS; at = at.next) {
                count = at.gather(iovecs, count, SendRecords.IOVECS);
            }
            final long asked = Iovec.total(iovecs, count);
            final long taken = connection.sendGathered(iovecs, count);
            if (taken < 0) {
                return false;
            }
            if (taken > 0) {
                pace.moved(taken, queue.loop().nowNs());
                drop(taken);
            }
            if (taken < asked) {
                blocked = true;
                return true;
            }
        }
        return true;
    }

    /** The stack has room again. */
    void writable() {
        blocked = false;
    }

    /** Forgets everything; the requests' memory goes back. */
    void clear() {
        while (first != null) {
            removeFirst();
        }
    }

    private void drop(final long taken) {
        long left = taken;
        while (left > 0) {
            final long part = Math.min(left, first.left());
            first.sent(part);
            left -= part;
            if (first.left() == 0) {
                removeFirst();
            }
        }
    }

    private void removeFirst() {
        final SendRecord record = first;
        unsent--;
        first = record.next;
        if (first == null) {
            last = null;
        }
        final TcpRequest request = record.request;
        records.giveBack(record);
        if (request != null) {
            pace.released(request.vector().bytes());
            queue.sent(request);
        }
    }

    private int putResponse(final long to, final TcpRequest request, final int sqHead) {
        CapsuleResp.putHeader(to, digests);
        Cqe.put(CapsuleResp.cqe(to), request.result(), sqHead, request.cid(), request.status());
        return sealed(to, CapsuleResp.BYTES);
    }

    private int sealed(final long header, final int length) {
        if (digests == 0) {
            return length;
        }
        crc.seal(header, length);
        return length + CommonHeader.DIGEST_BYTES;
    }

    private SendRecord add() {
        final SendRecord record = records.take();
        if (first == null) {
            first = record;
        } else {
            last.next = record;
        }
        last = record;
        unsent++;
        queue.hasOutput();
        return record;
    }
}
