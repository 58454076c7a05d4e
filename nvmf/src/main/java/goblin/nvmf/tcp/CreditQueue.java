// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/**
 * Who gets the memory of an arena: within a connection the request that came first, between connections each in turn. A
 * request gets all its memory or waits; whoever has his turn is not overtaken, so that large requests are not starved by
 * small ones. A request that another one waits for, which has its memory already, is given some from a spare arena rather
 * than made to wait: it would wait for memory that is not given back before it runs.
 *
 * <p>A connection that has some memory gets more only up to as much as is left free, so that one alone has at most half of
 * the arena, of several each an equal part, and who comes next finds something. One that has its part, or whose host takes
 * nothing, is passed over: it waits for itself, and nobody waits for it.
 *
 * <p>One loop's.
 */
final class CreditQueue {
    /** The most blocks in which a request's memory may be, so that it always fits an inline vector. */
    static final int MAX_BLOCKS = 8;

    private final TransferArena arena;
    private final TransferArena spare;
    /** Lines that have their turn, in a ring of which we know the last. */
    private Line last;

    private int lines;
    private int waiting;
    private int mustNotWait;
    /** Whether all that wait were passed over when we last looked: they are not in the way of others. */
    private boolean allPassedOver;
    /** Whether somebody joined those who wait, so that one had better look again. */
    private boolean stale;

    CreditQueue(final TransferArena arena, final TransferArena spare) {
        this.arena = arena;
        this.spare = spare;
    }

    /** The memory it gives. */
    TransferArena arena() {
        return arena;
    }

    /** Requests that wait. */
    int waiting() {
        return waiting;
    }

    /** Whether {@link #grant} may find something to do although no memory came back. */
    boolean isStale() {
        return stale;
    }

    /** Whether others than this line's wait for memory that somebody else has. */
    boolean isShortFor(final Line line) {
        return waiting > line.size() && (!allPassedOver || mustNotWait > 0);
    }

    /**
     * Asks for memory that is there now.
     *
     * @param line    the connection's
     * @param request wants {@link TcpRequest#creditBytes}
     * @return whether it got them; never before those whose turn it is
     */
    boolean tryNow(final Line line, final TcpRequest request) {
        if (line.first() != null) {
            return false;
        }
        if ((waiting == 0 || allPassedOver) && mayHold(line, request) && take(line, request)) {
            return true;
        }
        return request.mustNotWait && takeSpare(request);
    }

    /** Lets a request wait; its line's owner is told when it has its memory. */
    void join(final Line line, final TcpRequest request) {
        if (mayHold(line, request)) {
            allPassedOver = false;
        } else if (waiting == 0) {
            allPassedOver = true;
        }
        stale = true;
        line.add(request);
        waiting++;
        if (request.mustNotWait) {
            mustNotWait++;
        }
        if (!line.listed) {
            append(line);
        }
    }

    private boolean mayHold(final Line line, final TcpRequest request) {
        return line.held == 0
                || (line.held + request.creditBytes <= arena.freeBytes() && line.owner.mayHoldMore(line.held));
    }

    private boolean take(final Line line, final TcpRequest request) {
        final int block = arena.take(request.creditBytes, MAX_BLOCKS);
        if (block == TransferArena.NONE) {
            return false;
        }
        request.reserved(arena, block);
        line.held += request.creditBytes;
        return true;
    }

    private boolean takeSpare(final TcpRequest request) {
        final int block = spare.take(request.creditBytes, MAX_BLOCKS);
        if (block == TransferArena.NONE) {
            return false;
        }
        request.reserved(spare, block);
        return true;
    }

    /** Gives back what a request got. */
    static void giveBack(final TcpRequest request) {
        if (request.arena == request.credit.arena) {
            request.line.held -= request.creditBytes;
        }
        request.giveBackReserved();
    }

    /**
     * Lets a request wait no longer.
     *
     * @return false when it was not waiting
     */
    boolean withdraw(final Line line, final TcpRequest request) {
        if (!request.waiting || !line.remove(request)) {
            return false;
        }
        waiting--;
        if (request.mustNotWait) {
            mustNotWait--;
        }
        if (line.first() == null) {
            unlist(line);
        }
        return true;
    }

    /**
     * Gives out what there is.
     *
     * @return how many requests got their memory
     */
    int grant() {
        stale = false;
        int granted = grantInTurns();
        // Its line's earlier requests have their memory when such a request is first.
        Line line = last;
        for (int left = mustNotWait > 0 ? lines : 0; left > 0; left--) {
            final Line following = line.next;
            final TcpRequest request = line.first();
            if (request.mustNotWait && takeSpare(request)) {
                withdraw(line, request);
                granted++;
                line.owner.granted(request);
            }
            line = following;
        }
        return granted;
    }

    private int grantInTurns() {
        int granted = 0;
        int passedOver = 0;
        while (last != null && passedOver < lines) {
            final Line line = last.next;
            final TcpRequest request = line.first();
            if (!mayHold(line, request)) {
                last = line;
                passedOver++;
                continue;
            }
            if (!take(line, request)) {
                break;
            }
            passedOver = 0;
            last = line;
            withdraw(line, request);
            granted++;
            line.owner.granted(request);
        }
        allPassedOver = passedOver == lines;
        return granted;
    }

    private void append(final Line line) {
        line.listed = true;
        lines++;
        if (last == null) {
            line.next = line;
            line.previous = line;
        } else {
            line.next = last.next;
            line.previous = last;
            last.next.previous = line;
            last.next = line;
        }
        last = line;
    }

    private void unlist(final Line line) {
        if (line.next == line) {
            last = null;
        } else {
            line.previous.next = line.next;
            line.next.previous = line.previous;
            if (last == line) {
                last = line.previous;
            }
        }
        line.next = null;
        line.previous = null;
        line.listed = false;
        lines--;
    }
}
