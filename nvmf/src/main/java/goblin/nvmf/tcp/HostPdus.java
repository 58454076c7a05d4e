// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.Sqe;
import goblin.nvmf.target.Status;
import goblin.nvmf.target.Transfer;

/**
 * What a host's PDUs mean to a queue: the opening, commands and their data. A PDU that is legal by itself but wrong here
 * ends the connection with the fatal error that the specification names. Our choices where it leaves one: a wrong CCCID is
 * a sequence error (FES 2); an in-capsule offset is an unsupported parameter (FES 6, FEI 32); H2CData without its last
 * flag is complete when its bytes are; more data in a capsule than the command moves is dropped.
 */
final class HostPdus implements PduSink {
    /** Where the SGL's address stands in a command capsule. */
    private static final int SGL_ADDRESS_OFFSET = CommonHeader.BYTES + 24;

    private final TcpQueue queue;
    private final CommandFlow flow;
    private final TcpOptions options;
    private final TcpCounters counters;
    private final ReceiveVectors vectors;

    /** Whose PDU is being received; null for a PDU without a command. */
    private TcpRequest current;

    private boolean currentIsCapsule;
    /** What is being read of the segment. */
    private long readingFrom;

    private long segmentEnd;
    /** Of the present PDU's data, what still belongs to the command; what follows is dropped. */
    private long wanted;

    HostPdus(final TcpQueue queue, final CommandFlow flow, final ReceiveVectors vectors) {
        this.queue = queue;
        this.flow = flow;
        this.vectors = vectors;
        options = queue.tcpLoop().options();
        counters = queue.tcpLoop().counters();
    }

    @Override
    public boolean onHeader(final int type, final long header, final int headerLength, final long dataLength) {
        if (!queue.isRunning()) {
            return false;
        }
        return switch (type) {
            case PduType.IC_REQ -> open(header);
            case PduType.CAPSULE_CMD ->
                current == null ? command(header, dataLength) : place(dataAgainAt(header), dataLength);
            case PduType.H2C_DATA -> data(header);
            case PduType.H2C_TERM_REQ -> terminated(header);
            default -> throw new IllegalStateException("a reader of hosts' PDUs took " + PduType.name(type));
        };
    }

    @Override
    public void onPayload(final ReceiveSegment segment, final long address, final int length) {
        if (current == null || wanted == 0) {
            return;
        }
        final int mine = (int) Math.min(length, wanted);
        wanted -= mine;
        vectors.take(current, segment, address, mine);
        if (!currentIsCapsule) {
            flow.dataMoved(mine);
        }
    }

    @Override
    public void onPduEnd(final boolean digestValid) {
        counters.add(TcpCounter.PDUS, 1);
        final TcpRequest request = current;
        if (request == null) {
            return;
        }
        current = null;
        if (!digestValid) {
            counters.add(TcpCounter.DATA_DIGEST_ERRORS, 1);
            request.damaged = true;
        }
        vectors.accept(request);
        if (currentIsCapsule) {
            flow.capsuleIsWhole(request);
        } else {
            flow.dataArrived(request);
        }
    }

    @Override
    public void onFatal(final int status, final long information, final long header, final int headerLength) {
        if (status == TermReq.HEADER_DIGEST_ERROR) {
            counters.add(TcpCounter.HEADER_DIGEST_ERRORS, 1);
        }
        queue.fatal(status, information, header, headerLength);
    }

    /** A segment is going to be read. */
    void reading(final ReceiveSegment segment, final int offset) {
        readingFrom = segment.address() + offset;
        segmentEnd = segment.address() + segment.length();
    }

    /** Whose PDU is being received; null for none. */
    TcpRequest current() {
        return current;
    }

    /** The connection ends: the PDU in progress is forgotten. */
    void forget() {
        vectors.drop();
        current = null;
    }

    private boolean open(final long header) {
        final int digests = IcReq.digests(header)
                & ((options.headerDigest() ? IcReq.HEADER_DIGEST : 0) | (options.dataDigest() ? IcReq.DATA_DIGEST : 0));
        queue.opened(digests, IcReq.alignment(header));
        return true;
    }

    private boolean terminated(final long header) {
        counters.add(TcpCounter.TERMINATED_BY_HOST, 1);
        queue.end("the host ended the connection with status " + TermReq.status(header) + ", information "
                + TermReq.information(header));
        return true;
    }

    // ---- commands

    private boolean command(final long header, final long dataLength) {
        final QueuePair pair = queue.pair();
        final long sqe = CapsuleCmd.sqe(header);
        if (!framingIsRight(header, sqe, dataLength)) {
            return false;
        }
        if (flow.isTiresome()) {
            queue.end("the host sent too many commands without being connected");
            return false;
        }
        final TcpRequest request = flow.takeRequest();
        if (request == null) {
            queue.end("more commands than the queue has entries");
            return false;
        }
        Memory.copy(sqe, request.sqe(), Sqe.BYTES);
        request.fail(Status.SUCCESS);
        counters.add(TcpCounter.COMMANDS, 1);
        request.refused = !pair.begin(request);
        current = request;
        currentIsCapsule = true;
        wanted = 0;
        if (!queue.isRunning()) {
            return false;
        }
        if (!request.refused && request.transfer() != Transfer.NONE && request.dataLength() > 0) {
            checkDescriptor(request);
        }
        if (dataLength > 0
                && !request.refused
                && request.status() == Status.SUCCESS
                && request.transfer() == Transfer.FROM_HOST) {
            return place(dataAt(header), dataLength);
        }
        return true;
    }

    /** Checks what only the transport can: whether data in the capsule is what the SGL says. */
    private boolean framingIsRight(final long header, final long sqe, final long dataLength) {
        final boolean inCapsule = Sqe.sglType(sqe) == Sqe.SGL_IN_CAPSULE;
        final long described = inCapsule ? Sqe.sglLength(sqe) : 0;
        if (dataLength == 0 && (!inCapsule || !carriesData(sqe))) {
            return true;
        }
        if (Math.max(dataLength, described) > flow.inCapsuleLimit(Sqe.opcode(sqe) == Opcode.FABRICS)) {
            queue.fatal(TermReq.LIMIT_EXCEEDED, 0, header, CapsuleCmd.BYTES);
            return false;
        }
        if (inCapsule && Sqe.sglAddress(sqe) != 0) {
            queue.fatal(TermReq.UNSUPPORTED_PARAMETER, SGL_ADDRESS_OFFSET, header, CapsuleCmd.BYTES);
            return false;
        }
        // Data beside another kind of SGL is dropped: PLEN tells where the next PDU begins.
        if ((inCapsule || Sqe.sglType(sqe) == Sqe.SGL_TRANSPORT) && described != dataLength) {
            queue.fatal(TermReq.INVALID_HEADER_FIELD, CommonHeader.LENGTH_OFFSET, header, CapsuleCmd.BYTES);
            return false;
        }
        return true;
    }

    /** Whether a command's opcode (or its Fabrics type) says that the host sends data. */
    private static boolean carriesData(final long sqe) {
        final int code = Sqe.opcode(sqe) == Opcode.FABRICS ? Sqe.fabricsType(sqe) : Sqe.opcode(sqe);
        return (code & 3) == 1;
    }

    private static void checkDescriptor(final TcpRequest request) {
        final int type = Sqe.sglType(request.sqe());
        final boolean right =
                type == Sqe.SGL_TRANSPORT || (type == Sqe.SGL_IN_CAPSULE && request.transfer() == Transfer.FROM_HOST);
        if (!right) {
            request.fail(Status.SGL_TYPE_INVALID | Status.DO_NOT_RETRY);
        }
    }

    /** Finds a place where the capsule's data could be copied to, if it may have to be; false when it must wait for one. */
    private boolean place(final long dataAt, final long dataLength) {
        wanted = Math.min(dataLength, current.dataLength());
        if (wanted == 0) {
            return true;
        }
        if (dataAt + dataLength <= segmentEnd && vectors.referencesInPlace(current, dataAt, wanted)) {
            flow.memory().needsNoPlace(current);
            return true;
        }
        if (!flow.memory().placeForCapsule(current, wanted)) {
            return false;
        }
        if (current.damaged) {
            wanted = 0;
        }
        return true;
    }

    /** Where the data of a header lies that was offered for the first time; past the segment when it was split. */
    private long dataAt(final long header) {
        return header >= readingFrom && header < segmentEnd ? header + CommonHeader.dataOffset(header) : segmentEnd;
    }

    /** Where the data of a header lies that is offered again: after it, where reading goes on. */
    private long dataAgainAt(final long header) {
        final int digest = CommonHeader.has(header, CommonHeader.HEADER_DIGEST) ? CommonHeader.DIGEST_BYTES : 0;
        return readingFrom + CommonHeader.dataOffset(header) - CapsuleCmd.BYTES - digest;
    }

    // ---- data

    private boolean data(final long header) {
        final TcpRequest request = flow.receiving(DataPdu.tag(header));
        if (request == null) {
            return refuseData(TermReq.INVALID_HEADER_FIELD, DataPdu.TAG_OFFSET, header);
        }
        if (DataPdu.cid(header) != request.cid()) {
            return refuseData(TermReq.SEQUENCE_ERROR, 0, header);
        }
        final long offset = DataPdu.offset(header);
        final long length = DataPdu.length(header);
        if (length > options.maxDataBytes()) {
            return refuseData(TermReq.LIMIT_EXCEEDED, 0, header);
        }
        if (offset < request.askedFrom || offset + length > request.askedTo) {
            return refuseData(TermReq.DATA_OUT_OF_RANGE, 0, header);
        }
        if (offset != request.received) {
            return refuseData(TermReq.SEQUENCE_ERROR, 0, header);
        }
        if (CommonHeader.has(header, CommonHeader.LAST) && offset + length < request.askedTo) {
            return refuseData(TermReq.INVALID_HEADER_FIELD, CommonHeader.FLAGS_OFFSET, header);
        }
        current = request;
        currentIsCapsule = false;
        wanted = length;
        return true;
    }

    private boolean refuseData(final int status, final long information, final long header) {
        queue.fatal(status, information, header, DataPdu.BYTES);
        return false;
    }
}
