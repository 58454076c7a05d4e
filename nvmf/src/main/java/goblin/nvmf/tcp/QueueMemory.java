// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;
import goblin.net.linux.Pages;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.Sqe;

/**
 * The memory of one connection's commands: from the arenas of its loop, in turn with other connections; for the in-capsule
 * data of one command at a time a room of its own. Who is not connected has nothing but that room. Data that comes with a
 * command and has no place yet waits in the same line as all other data, while the connection is not read.
 */
final class QueueMemory implements Line.Holder {
    /** Admin data up to this length has an arena that longer data cannot exhaust. */
    static final int SMALL_BYTES = 16 * 1024;

    /** How long a capsule may keep data from being read that other commands of its connection wait for. */
    static final long PATIENCE_NS = 5_000_000_000L;

    private final TcpLoop tcp;
    private final TcpQueue queue;
    private final TcpOutput output;
    private final CommandFlow flow;
    private final QueuePair pair;
    private final Line line = new Line(this);
    private final Line smallLine = new Line(this);

    private long room;
    private long roomBytes;
    /** Whether it is of pages of its own, or of the C heap. */
    private boolean roomInPages;

    private boolean roomTaken;

    /** Whose data cannot be read because it has no place; null while reading goes on. */
    private TcpRequest capsule;

    private long capsuleSinceNs;
    /** Whether capsules have kept the host's data waiting for so long that they do no more. */
    private boolean impatient;

    QueueMemory(
            final TcpLoop tcp,
            final TcpQueue queue,
            final TcpOutput output,
            final CommandFlow flow,
            final QueuePair pair) {
        this.tcp = tcp;
        this.queue = queue;
        this.output = output;
        this.flow = flow;
        this.pair = pair;
    }

    // ---- data that comes with a command

    /**
     * Finds a place for a copy of a command's in-capsule data, or gives the data up, which {@link TcpRequest#damaged} tells.
     *
     * @return false when it must wait: the connection is not to be read, and {@link TcpQueue#resume} follows
     */
    boolean placeForCapsule(final TcpRequest request, final long bytes) {
        if (request.chain != TransferArena.NONE || request.room != 0) {
            return true;
        }
        if (pair.isConnected() && !request.waiting) {
            prepare(request, bytes);
            if (request.credit.tryNow(request.line, request)) {
                return true;
            }
        }
        if (!roomTaken) {
            needsNoPlace(request);
            takeRoom(request, bytes);
            return true;
        }
        if (isToBeGivenUp(request)) {
            needsNoPlace(request);
            request.damaged = true;
            tcp.counters().add(TcpCounter.CAPSULES_GIVEN_UP, 1);
            return true;
        }
        if (capsule == null) {
            capsule = request;
            capsuleSinceNs = tcp.loop().nowNs();
        }
        if (pair.isConnected() && !request.waiting) {
            request.credit.join(request.line, request);
        }
        return false;
    }

    /** A command's in-capsule data waits for no place any more. */
    void needsNoPlace(final TcpRequest request) {
        if (request.waiting) {
            withdraw(request);
        }
        if (capsule == request) {
            capsule = null;
        }
    }

    /** When waiting would last: for data behind the capsule, or because too many wait already. */
    private boolean isToBeGivenUp(final TcpRequest request) {
        if (capsule == null && !tcp.mayPause()) {
            return true;
        }
        if (!flow.waitsForHost()) {
            impatient = false;
        }
        return impatient
                || (capsule == request && flow.waitsForHost() && tcp.loop().nowNs() - capsuleSinceNs > PATIENCE_NS);
    }

    /** Data that the host was asked for has arrived. */
    void dataMoved() {
        impatient = false;
    }

    /** Looks whether a capsule has waited for too long. */
    void sweep(final long nowNs) {
        if (capsule != null && flow.waitsForHost() && nowNs - capsuleSinceNs > PATIENCE_NS) {
            impatient = true;
            tcp.resumes(queue);
        }
    }

    private void takeRoom(final TcpRequest request, final long bytes) {
        // Of a stranger we want no more than there is, and need it to lie nowhere.
        final boolean isKnown = pair.isConnected();
        final long wanted = isKnown ? tcp.roomBytes() : bytes;
        if (roomBytes < wanted || (isKnown && !roomInPages)) {
            freeRoom();
            roomInPages = isKnown;
            if (isKnown) {
                room = Pages.map(wanted);
                // As the arenas are; where the limit of locked memory is reached it is as good as they are then.
                Pages.lock(room, wanted);
            } else {
                room = Memory.allocate(wanted);
            }
            roomBytes = wanted;
        }
        roomTaken = true;
        request.room = room;
        request.copiesAll = !pair.isConnected();
    }

    // ---- data that is asked for or read

    /** The most that a command's data may be, or it will never have memory. */
    long most(final long bytes) {
        return pair.isConnected() ? credit(bytes).arena().bytes() : tcp.roomBytes();
    }

    /** Whether the request got memory; otherwise it waits for it. */
    boolean reserve(final TcpRequest request) {
        final long bytes = request.dataLength();
        if (!pair.isConnected()) {
            if (roomTaken) {
                return false;
            }
            takeRoom(request, bytes);
            return true;
        }
        prepare(request, bytes);
        if (request.credit.tryNow(request.line, request)) {
            return true;
        }
        request.credit.join(request.line, request);
        return false;
    }

    private void prepare(final TcpRequest request, final long bytes) {
        request.credit = credit(bytes);
        request.line = request.credit == tcp.smallCredit() ? smallLine : line;
        request.creditBytes = bytes;
        request.mustNotWait = !pair.isAdmin() && Sqe.fuse(request.sqe()) == CommandFlow.FUSED_SECOND;
    }

    private CreditQueue credit(final long bytes) {
        if (!pair.isAdmin()) {
            return tcp.credit();
        }
        return bytes <= SMALL_BYTES ? tcp.smallCredit() : tcp.adminCredit();
    }

    @Override
    public boolean mayHoldMore(final long held) {
        return !output.isBlocked() || held < tcp.mostHeldForBlocked();
    }

    @Override
    public void granted(final TcpRequest request) {
        if (request == capsule) {
            capsule = null;
            tcp.resumes(queue);
        } else {
            flow.granted(request);
        }
    }

    /** Lets a request wait no longer; false when it did not. */
    boolean withdraw(final TcpRequest request) {
        if (!request.waiting || !request.credit.withdraw(request.line, request)) {
            return false;
        }
        tcp.memoryCameBack();
        return true;
    }

    /** Whether somebody else could go on with memory that this connection has. */
    boolean othersWait() {
        return pair.isAdmin()
                ? tcp.smallCredit().isShortFor(smallLine) || tcp.adminCredit().isShortFor(line)
                : tcp.credit().isShortFor(line);
    }

    // ---- giving back

    void giveBack(final TcpRequest request) {
        if (request.chain != TransferArena.NONE) {
            CreditQueue.giveBack(request);
            tcp.memoryCameBack();
        }
        if (request.room != 0) {
            request.room = 0;
            roomTaken = false;
            if (capsule != null) {
                tcp.resumes(queue);
            }
        }
    }

    void destroy() {
        freeRoom();
    }

    private void freeRoom() {
        if (roomInPages) {
            Pages.unmap(room, roomBytes);
        } else {
            Memory.free(room);
        }
        roomInPages = false;
        roomBytes = 0;
        room = 0;
    }
}
