// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.Sqe;
import goblin.nvmf.target.Status;
import goblin.nvmf.target.Transfer;
import goblin.nvmf.tcp.TcpRequest.Phase;

/**
 * The commands of one connection, from their capsule to their completion. Data that a host is asked for has its memory
 * before it is asked for; data for a host has it before the target reads.
 */
final class CommandFlow {
    static final int FUSED_SECOND = 2;
    private static final int FUSED_FIRST = 1;
    /** In which time a host must have sent what it was asked for, or the second of a fused pair, while others wait. */
    private static final long MOST_NS = 2 * TcpLoop.STALL_NS;

    /** PDUs that are no answers: one opens the connection. */
    private static final int BESIDE_ANSWERS = 4;
    /** Commands that may fail before a Connect succeeds. */
    private static final int MOST_BEFORE_CONNECT = 16;

    private final TcpLoop tcp;
    private final TcpCounters counters;
    private final TcpOutput output;
    private final ReceiveVectors vectors;
    private final ExpectedData expected;
    private final RequestPool requests;
    private final QueuePair pair;
    private final QueueMemory memory;
    /** How the host sends what it was asked for. */
    private final Pace asked = new Pace();

    /** Commands that came to an end while the queue was not connected. */
    private int strayCommands;

    CommandFlow(
            final TcpLoop tcp,
            final TcpQueue queue,
            final TcpOutput output,
            final ReceiveVectors vectors,
            final ExpectedData expected,
            final QueuePair pair) {
        this.tcp = tcp;
        this.output = output;
        this.vectors = vectors;
        this.expected = expected;
        this.pair = pair;
        counters = tcp.counters();
        requests = new RequestPool(counters, tcp.grown().requestEntries());
        memory = new QueueMemory(tcp, queue, output, this, pair);
    }

    QueueMemory memory() {
        return memory;
    }

    // ---- from the reader's sink

    /** A request for a command that comes now; null when there are more than the host may send. */
    TcpRequest takeRequest() {
        // A command whose answer is unread still has its place in the host's queue: of a legal host there is one
        // command
        // for each place, or one PDU about it that is to be sent.
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
        if (request.received == request.askedTo) {
            expected.answered(request);
        }
        if (request.received == request.dataLength()) {
            asked.released(request.dataLength());
            dataIsWhole(request);
        } else if (request.received == request.askedTo) {
            ask(request);
        }
    }

    /** Bytes that the host was asked for have come. */
    void dataMoved(final long bytes) {
        asked.moved(bytes, tcp.loop().nowNs());
        memory.dataMoved();
    }

    // ---- memory

    private void reserve(final TcpRequest request) {
        if (request.dataLength() > memory.most(request.dataLength())) {
            request.fail(Status.INVALID_FIELD | Status.DO_NOT_RETRY);
            execute(request);
            return;
        }
        request.phase = Phase.WAITING;
        if (memory.reserve(request)) {
            granted(request);
        } else if (request.waiting) {
            counters.add(TcpCounter.WAITS, 1);
        } else {
            request.fail(Status.TRANSIENT_TRANSPORT_ERROR);
            execute(request);
        }
    }

    /** A request has the memory that it needs. */
    void granted(final TcpRequest request) {
        if (request.transfer() == Transfer.TO_HOST) {
            request.nameReserved(request.dataLength());
            execute(request);
        } else {
            request.phase = Phase.RECEIVING;
            asked.holds(request.dataLength(), tcp.loop().nowNs());
            ask(request);
        }
    }

    private void ask(final TcpRequest request) {
        request.sinceNs = tcp.loop().nowNs();
        request.askedFrom = request.received;
        request.askedTo =
                Math.min(request.dataLength(), request.received + tcp.options().maxDataBytes());
        expected.asked(request);
        output.r2t(request.cid(), request.tag(), request.askedFrom, request.askedTo - request.askedFrom);
        counters.add(TcpCounter.R2TS, 1);
    }

    private void dataIsWhole(final TcpRequest request) {
        tcp.entries().add(request.vector().count());
        if (!request.copied) {
            memory.giveBack(request);
        }
        execute(request);
    }

    // ---- the target

    private void execute(final TcpRequest request) {
        if (request.damaged) {
            request.fail(Status.TRANSIENT_TRANSPORT_ERROR);
        }
        request.phase = Phase.EXECUTING;
        request.sinceNs = tcp.loop().nowNs();
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

    /** Gives a request back whose completion met a fault of ours, unless that had come so far that it will be. */
    void abandon(final TcpRequest request) {
        if (request.phase == Phase.EXECUTING) {
            giveBack(request);
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
        vectors.release(request);
        memory.giveBack(request);
    }

    /** Gives up a request that waits for memory; false when it does not. */
    boolean withdraw(final TcpRequest request) {
        if (request.phase != Phase.WAITING || !memory.withdraw(request)) {
            return false;
        }
        request.phase = Phase.EXECUTING;
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
            memory.needsNoPlace(requests.at(slot));
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

    /** Lets vectors decay that were not needed for a while. */
    void decay() {
        for (int slot = 0; slot < requests.made(); slot++) {
            vectors.decay(requests.at(slot));
        }
        vectors.decay();
    }

    /** Gives all memory back; nothing is under way. */
    void destroy() {
        for (int slot = 0; slot < requests.made(); slot++) {
            vectors.shrink(requests.at(slot));
        }
        requests.destroy();
        vectors.destroy();
        memory.destroy();
    }

    /** Whether commands that have memory wait for something that the host is to send. */
    boolean waitsForHost() {
        return asked.held() > 0 || isSecondMissing(Long.MAX_VALUE);
    }

    /** Whether the host holds memory that others wait for and does too little about it; to be asked once a second. */
    boolean isStalled(final long nowNs) {
        memory.sweep(nowNs);
        final boolean takesTooSlowly = output.pace().isTooSlow(nowNs);
        final boolean sendsTooSlowly = asked.isTooSlow(nowNs);
        return memory.othersWait()
                && (takesTooSlowly || sendsTooSlowly || isAskedTooLong(nowNs) || isSecondMissing(nowNs - MOST_NS));
    }

    private boolean isAskedTooLong(final long nowNs) {
        for (int slot = 0; slot < requests.made(); slot++) {
            final TcpRequest request = requests.at(slot);
            if (request.phase == Phase.RECEIVING && nowNs - request.sinceNs > MOST_NS) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is a first of a fused pair, here since before that time, whose second is not here at all. */
    private boolean isSecondMissing(final long beforeNs) {
        int firsts = 0;
        int seconds = 0;
        boolean isOld = false;
        for (int slot = 0; slot < requests.made(); slot++) {
            final TcpRequest request = requests.at(slot);
            if (pair.isAdmin() || request.phase == Phase.FREE || request.phase == Phase.BEGUN) {
                continue;
            }
            final int fuse = Sqe.fuse(request.sqe());
            if (fuse == FUSED_SECOND) {
                seconds++;
            } else if (fuse == FUSED_FIRST) {
                firsts++;
                isOld |= request.phase == Phase.EXECUTING && request.sinceNs < beforeNs;
            }
        }
        return isOld && firsts > seconds;
    }
}
