// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.Sqe;
import goblin.nvmf.target.Status;
import goblin.nvmf.target.Transfer;
import goblin.nvmf.tcp.TcpRequest.Phase;

/**
 * The commands of one connection, from their capsule to their completion. Data that a host is asked for has its memory
 * before it is asked for; data for a host has it before the target reads.
 */
final class CommandFlow implements Line.Holder {
    private static final int FUSED_SECOND = 2;
    /** PDUs that are no answers: one opens the connection. */
    private static final int BESIDE_ANSWERS = 4;
    /** Commands that may fail before a Connect succeeds. */
    private static final int MOST_BEFORE_CONNECT = 16;

    private final TcpLoop tcp;
    private final TcpCounters counters;
    private final TcpOutput output;
    private final ReceiveVectors vectors;
    private final RequestPool requests;
    private final Line line = new Line(this);
    private QueuePair pair;

    /** The queue's own place for one command's in-capsule data, from its first need on. */
    private long room;

    private boolean roomTaken;

    /** Requests whose host was asked for data, and when it last sent something, or was asked. */
    private int receiving;

    private long progressNs;
    /** Commands that came to an end while the queue was not connected. */
    private int strayCommands;

    CommandFlow(final TcpLoop tcp, final TcpOutput output, final ReceiveVectors vectors) {
        this.tcp = tcp;
        this.output = output;
        this.vectors = vectors;
        counters = tcp.counters();
        requests = new RequestPool(counters);
    }

    /** Whose commands they are; before the first. */
    void serves(final QueuePair queue) {
        pair = queue;
    }

    // ---- from the reader's sink

    /** A request for a command that comes now; null when there are more than the host may send. */
    TcpRequest takeRequest() {
        // A command whose answer is unread still takes a place in its host's queue, so of a legal host there is for
        // each
        // place one command, or one PDU to be sent about it.
        return output.unsent() > pair.depth() + BESIDE_ANSWERS ? null : requests.take(pair.depth() + 1);
    }

    /** Whether it is to no purpose to listen to the host any longer. */
    boolean isTiresome() {
        return strayCommands > MOST_BEFORE_CONNECT;
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

    /** The host has sent something. */
    void progresses() {
        progressNs = tcp.loop().nowNs();
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
                progressNs = tcp.loop().nowNs();
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

    /** The target is done with a request; its host gets no answer any more if {@code isOver}. */
    void complete(final TcpRequest request, final boolean isOver) {
        if (isOver) {
            giveBack(request);
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
        if (!pair.isConnected()) {
            strayCommands++;
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

    /** Gives up a request that waits for memory; false when it does not. */
    boolean withdraw(final TcpRequest request) {
        if (request.phase != Phase.WAITING || !request.credit.withdraw(line, request)) {
            return false;
        }
        request.phase = Phase.EXECUTING;
        tcp.memoryCameBack();
        return true;
    }

    // ---- the end

    /** Whether nothing is under way, at storage or on its way to the host. */
    boolean isIdle() {
        return requests.inUse() == 0;
    }

    /** The connection is going to end: who waits for memory gets none, so that the host is not asked for data. */
    void stopWaiting() {
        for (int slot = 0; slot < requests.made(); slot++) {
            final TcpRequest request = requests.at(slot);
            if (request.phase == Phase.WAITING) {
                request.credit.withdraw(line, request);
                tcp.memoryCameBack();
            }
        }
    }

    /** Gives everything back that neither storage has nor is being sent; the target knows of the end. */
    void detach() {
        for (int slot = 0; slot < requests.made(); slot++) {
            final TcpRequest request = requests.at(slot);
            switch (request.phase) {
                case BEGUN, RECEIVING, WAITING -> giveBack(request);
                case FREE, EXECUTING, SENDING -> {}
            }
        }
    }

    /** Gives all memory back; nothing is under way. */
    void destroy() {
        for (int slot = 0; slot < requests.made(); slot++) {
            vectors.shrink(requests.at(slot));
        }
        requests.destroy();
        vectors.destroy();
        Memory.free(room);
        room = 0;
    }

    /**
     * Whether the host holds memory and has done nothing about it for too long.
     *
     * @param isPaused whether it may be us who do not read
     */
    boolean isStalled(final long nowNs, final boolean isPaused) {
        if (tcp.waiting() == line.size()) {
            return false;
        }
        return (output.isBlocked() && output.heldBytes() > 0 && nowNs - output.progressNs() > TcpLoop.STALL_NS)
                || (receiving > 0 && !isPaused && nowNs - progressNs > TcpLoop.STALL_NS);
    }
}
