// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.EventLoop;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.nvmf.namespace.CompletionInbox;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.QueueTransport;
import goblin.nvmf.target.Request;
import goblin.nvmf.target.Sqe;
import goblin.nvmf.target.Status;
import goblin.nvmf.target.Transfer;
import goblin.nvmf.tcp.TcpRequest.Phase;

/**
 * One connection: its commands from their capsule to their completion. Data that a host is asked for has its memory before
 * it is asked for; data for a host has it before the target reads. What is produced in a turn leaves at the turn's end.
 *
 * <p>The end comes in steps, at the end of a turn: the target is told, everything that is not at storage is given back,
 * what is still to be sent may go for a while, and when storage has given the rest back the connection is gone.
 */
final class TcpQueue implements ConnectionHandler, QueueTransport, Line.Holder {
    /** How long what is left may take to be sent once the connection ends, and how long the host may take to notice. */
    static final long GRACE_NS = 2_000_000_000L;

    private static final int FUSED_SECOND = 2;

    private enum State {
        RUNNING,
        /** The end is asked for; the target does not know yet. */
        ENDING,
        /** The target knows; nothing is received any more. */
        DETACHED,
        GONE
    }

    private final TcpLoop tcp;
    private final Connection connection;
    private final TcpCounters counters;
    private final RequestPool requests;
    private final ReceiveVectors vectors;
    private final HostPdus pdus;
    private final PduReader reader;
    private final TcpOutput output;
    private final Line line = new Line(this);
    private final QueuePair pair;

    /** Its place in the loop's lists. */
    int index;

    boolean isDirty;

    private State state = State.RUNNING;
    private boolean opened;
    private boolean connectionDone;
    private final long sinceNs;
    private long endByNs;

    /** What could not be read yet because a command's data had no place. */
    private ReceiveSegment held;

    private int heldOffset;

    /** The queue's own place for one command's in-capsule data, from its first need on. */
    private long room;

    private boolean roomTaken;

    /** Requests whose host was asked for data, and when it last sent something, or was asked. */
    private int receiving;

    private long receiveProgressNs;

    TcpQueue(final TcpLoop tcp, final Connection connection) {
        this.tcp = tcp;
        this.connection = connection;
        counters = tcp.counters();
        sinceNs = tcp.loop().nowNs();
        requests = new RequestPool(counters);
        vectors = new ReceiveVectors(tcp);
        output = new TcpOutput(this, tcp.records(), tcp.crc());
        pdus = new HostPdus(this, vectors);
        reader = PduReader.ofController(pdus, new Crc32c(tcp.views()), tcp.largestCapsuleData(), tcp.largestData());
        reader.alignment(tcp.options().dataAlignment());
        pair = tcp.open(this);
    }

    TcpLoop tcpLoop() {
        return tcp;
    }

    QueuePair pair() {
        return pair;
    }

    /** Where the reader of the host's stream stands. */
    PduReader.State readerState() {
        return reader.state();
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    // ---- from the connection

    @Override
    public void onReceive(final Connection from, final ReceiveSegment segment) {
        if (isRunning()) {
            receiveProgressNs = tcp.loop().nowNs();
            read(segment, 0);
        }
    }

    private void read(final ReceiveSegment segment, final int offset) {
        pdus.reading(segment, offset);
        final int next = offset + reader.read(segment, offset);
        if (next < segment.length() && isRunning()) {
            segment.retain();
            held = segment;
            heldOffset = next;
            connection.pauseReceive();
            tcp.pauses(this);
            counters.add(TcpCounter.PAUSES, 1);
        }
    }

    /** There may be a place now for what was not read. */
    void resume() {
        if (held == null || !isRunning()) {
            return;
        }
        receiveProgressNs = tcp.loop().nowNs();
        final ReceiveSegment segment = held;
        held = null;
        read(segment, heldOffset);
        segment.release();
        if (held == null && isRunning()) {
            // One segment less is pinned.
            tcp.memoryCameBack();
            connection.resumeReceive();
        }
    }

    @Override
    public void onWritable(final Connection to) {
        output.writable();
        hasOutput();
    }

    @Override
    public void onEndOfStream(final Connection from) {
        lost(0);
    }

    @Override
    public void onPeerEndedWhilePaused(final Connection from) {
        lost(0);
    }

    @Override
    public void onClosed(final Connection from, final int errno) {
        connectionDone = true;
        lost(errno);
    }

    private void lost(final int errno) {
        // A host that goes says so; only what it did not mean is worth a line.
        end(errno == 0 || errno == Errno.ECONNRESET ? null : "the connection failed: " + Errno.name(errno));
        if (state == State.DETACHED) {
            tcp.ends(this);
        }
        if (!connectionDone) {
            connection.close();
            connectionDone = true;
        }
    }

    // ---- from the reader's sink

    void opened(final int digests, final int hostAlignment) {
        opened = true;
        final boolean headerDigest = (digests & IcReq.HEADER_DIGEST) != 0;
        final boolean dataDigest = (digests & IcReq.DATA_DIGEST) != 0;
        output.icResp(tcp.options().dataAlignment(), digests, tcp.options().maxDataBytes());
        output.agreed(headerDigest, dataDigest, hostAlignment);
        reader.digests(headerDigest, dataDigest);
    }

    TcpRequest takeRequest() {
        return requests.take(pair.depth() + 1);
    }

    TcpRequest receiving(final int tag) {
        return requests.receiving(tag);
    }

    int inCapsuleLimit(final boolean fabrics) {
        return fabrics || pair.isAdmin()
                ? TcpOptions.DEFAULT_IN_CAPSULE_BYTES
                : tcp.options().inCapsuleBytes();
    }

    /** Finds a place for a copy of a command's in-capsule data; false when there is none now. */
    boolean placeForCapsule(final TcpRequest request, final long bytes) {
        if (request.chain != TransferArena.NONE || request.room != 0 || credit().reserveNow(request, bytes)) {
            return true;
        }
        if (Sqe.fuse(request.sqe()) == FUSED_SECOND && tcp.adminCredit().reserveNow(request, bytes)) {
            return true;
        }
        if (roomTaken) {
            return false;
        }
        if (room == 0) {
            room = Memory.allocate(tcp.roomBytes());
        }
        roomTaken = true;
        request.room = room;
        return true;
    }

    /** A command and what came with it are here. */
    void capsuleIsWhole(final TcpRequest request) {
        if (request.refused) {
            finish(request);
        } else if (request.damaged || request.status() != Status.SUCCESS || request.dataLength() == 0) {
            execute(request);
        } else {
            switch (request.transfer()) {
                case NONE -> execute(request);
                case TO_HOST -> reserve(request);
                case FROM_HOST -> {
                    if (Sqe.sglType(request.sqe()) == Sqe.SGL_IN_CAPSULE) {
                        dataIsWhole(request);
                    } else {
                        reserve(request);
                    }
                }
            }
        }
    }

    /** A part of what the host was asked for is here. */
    void dataArrived(final TcpRequest request) {
        if (request.received == request.dataLength()) {
            receiving--;
            dataIsWhole(request);
        } else if (request.received == request.askedTo) {
            ask(request);
        }
    }

    void fatal(final int status, final long information, final long header, final int headerLength) {
        if (!isRunning()) {
            return;
        }
        if (status == TermReq.QUIET) {
            end("a malformed termination request");
            return;
        }
        output.termReq(status, information, header, headerLength);
        tcp.countTermination(status);
        end("a PDU of " + PduType.name(CommonHeader.type(header)) + " was wrong: status " + status + ", information "
                + information);
    }

    // ---- memory

    /** Whose turn it is for the memory of this queue's requests. */
    private CreditQueue credit() {
        return pair.isAdmin() ? tcp.adminCredit() : tcp.credit();
    }

    private void reserve(final TcpRequest request) {
        final CreditQueue credit = credit();
        if (request.dataLength() > credit.arena().bytes()) {
            request.fail(Status.INVALID_FIELD | Status.DO_NOT_RETRY);
            execute(request);
            return;
        }
        request.credit = credit;
        request.creditBytes = request.dataLength();
        request.mustNotWait = Sqe.fuse(request.sqe()) == FUSED_SECOND;
        request.phase = Phase.WAITING;
        if (credit.reserve(line, request)) {
            granted(request);
        } else {
            counters.add(TcpCounter.WAITS, 1);
        }
    }

    @Override
    public boolean mayHoldMore() {
        return !output.isBlocked() || output.heldBytes() < tcp.mostHeldForBlocked();
    }

    @Override
    public void granted(final TcpRequest request) {
        if (request.transfer() == Transfer.TO_HOST) {
            request.nameReserved(request.dataLength());
            execute(request);
        } else {
            request.phase = Phase.RECEIVING;
            if (receiving++ == 0) {
                receiveProgressNs = tcp.loop().nowNs();
            }
            ask(request);
        }
    }

    private void ask(final TcpRequest request) {
        request.askedFrom = request.received;
        request.askedTo =
                Math.min(request.dataLength(), request.received + tcp.options().maxDataBytes());
        output.r2t(request.cid(), request.tag(), request.askedFrom, request.askedTo - request.askedFrom);
        counters.add(TcpCounter.R2TS, 1);
    }

    private void dataIsWhole(final TcpRequest request) {
        if (!request.copied) {
            giveBackPlace(request);
        }
        execute(request);
    }

    private void giveBackPlace(final TcpRequest request) {
        if (request.chain != TransferArena.NONE) {
            request.giveBackReserved();
            tcp.memoryCameBack();
        }
        if (request.room != 0) {
            request.room = 0;
            roomTaken = false;
            tcp.memoryCameBack();
        }
    }

    // ---- the target

    private void execute(final TcpRequest request) {
        if (request.damaged) {
            request.fail(Status.TRANSIENT_TRANSPORT_ERROR);
        }
        request.phase = Phase.EXECUTING;
        pair.execute(request);
    }

    @Override
    public void complete(final Request completed) {
        final TcpRequest request = (TcpRequest) completed;
        if (state == State.DETACHED) {
            giveBack(request);
            tcp.ends(this);
        } else {
            finish(request);
        }
    }

    private void finish(final TcpRequest request) {
        final boolean hasData = request.transfer() == Transfer.TO_HOST
                && isSuccess(request)
                && request.vector().count() > 0;
        if (!hasData || request.refused) {
            releaseMemory(request);
        }
        // The host may use the identifier again as soon as it has the completion.
        final int sqHead = pair.retire(request);
        if (hasData && !request.refused) {
            requests.sending(request);
            counters.add(TcpCounter.SENT_DATA_BYTES, request.vector().bytes());
            output.data(request, sqHead, request.result() == 0 && pair.flowControlDisabled());
        } else {
            output.response(request, sqHead);
            requests.giveBack(request);
        }
    }

    private static boolean isSuccess(final TcpRequest request) {
        return (request.status() & ~Status.DO_NOT_RETRY) == Status.SUCCESS;
    }

    /** The stack has all of a request's data. */
    void sent(final TcpRequest request) {
        giveBack(request);
    }

    private void giveBack(final TcpRequest request) {
        releaseMemory(request);
        requests.giveBack(request);
    }

    private void releaseMemory(final TcpRequest request) {
        if (request.segmentCount > 0) {
            tcp.memoryCameBack();
        }
        ReceiveVectors.release(request);
        giveBackPlace(request);
    }

    @Override
    public boolean withdraw(final Request withdrawn) {
        final TcpRequest request = (TcpRequest) withdrawn;
        if (request.phase != Phase.WAITING || !request.credit.withdraw(line, request)) {
            return false;
        }
        request.phase = Phase.EXECUTING;
        tcp.memoryCameBack();
        return true;
    }

    @Override
    public void disconnect(final String reason) {
        end(reason);
    }

    @Override
    public EventLoop loop() {
        return tcp.loop();
    }

    @Override
    public CompletionInbox inbox() {
        return tcp.inbox();
    }

    @Override
    public String peerName() {
        return connection.peerName();
    }

    @Override
    public String localName() {
        return connection.localName();
    }

    // ---- sending

    void hasOutput() {
        tcp.hasOutput(this);
    }

    void flush() {
        if (connectionDone) {
            return;
        }
        if (!output.flush(connection, tcp.loop().nowNs())) {
            // onClosed follows.
            return;
        }
        if (state == State.DETACHED && output.isEmpty()) {
            tcp.ends(this);
        }
    }

    // ---- the end

    /** Asks for the end, which comes at the end of the turn; {@code reason} is null when nobody wants to know. */
    void end(final String reason) {
        if (!isRunning()) {
            return;
        }
        if (reason != null) {
            tcp.log(pair.name() + " from " + connection.peerName() + ": " + reason);
        }
        state = State.ENDING;
        reader.close();
        connection.pauseReceive();
        tcp.ends(this);
    }

    /** Goes on with the end as far as it goes now. */
    void goOnEnding() {
        if (state == State.ENDING) {
            detach();
        }
        if (state != State.DETACHED) {
            return;
        }
        if (connectionDone) {
            output.clear();
        } else if (output.isEmpty()) {
            connectionDone = true;
            connection.finish(GRACE_NS);
        }
        if (connectionDone && requests.inUse() == 0) {
            destroy();
        }
    }

    private void detach() {
        state = State.DETACHED;
        endByNs = tcp.loop().nowNs() + GRACE_NS;
        pdus.forget();
        if (held != null) {
            held.release();
            held = null;
        }
        pair.closed();
        for (int slot = 0; slot < requests.made(); slot++) {
            final TcpRequest request = requests.at(slot);
            switch (request.phase) {
                case BEGUN, RECEIVING -> giveBack(request);
                case WAITING -> {
                    request.credit.withdraw(line, request);
                    giveBack(request);
                    tcp.memoryCameBack();
                }
                case FREE, EXECUTING, SENDING -> {}
            }
        }
        if (!connectionDone) {
            flush();
        }
    }

    private void destroy() {
        state = State.GONE;
        for (int slot = 0; slot < requests.made(); slot++) {
            vectors.shrink(requests.at(slot));
        }
        requests.destroy();
        vectors.destroy();
        Memory.free(room);
        room = 0;
        tcp.gone(this);
    }

    /** Looks for what has taken too long. */
    void sweep(final long nowNs, final boolean othersWait) {
        if (state == State.DETACHED && !connectionDone && nowNs - endByNs > 0) {
            connectionDone = true;
            connection.close();
            tcp.ends(this);
        } else if (isRunning() && !opened && nowNs - sinceNs > TcpLoop.OPENING_NS) {
            end("the host did not open the connection");
        } else if (isRunning() && othersWait && isStalled(nowNs)) {
            counters.add(TcpCounter.STALLED, 1);
            end("the host took or sent no data while others waited for memory");
            connection.close();
            connectionDone = true;
        }
    }

    /** Whether the host holds memory and has done nothing about it for too long. */
    private boolean isStalled(final long nowNs) {
        return (output.isBlocked() && output.heldBytes() > 0 && nowNs - output.progressNs() > TcpLoop.STALL_NS)
                || (receiving > 0 && held == null && nowNs - receiveProgressNs > TcpLoop.STALL_NS);
    }
}
