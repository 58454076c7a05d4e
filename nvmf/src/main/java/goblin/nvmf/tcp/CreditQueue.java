// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/**
 * Who gets the memory of an arena: within a connection the request that came first, between connections each in turn. A
 * request gets all its memory or waits; whoever has his turn is not overtaken, so that large requests are not starved by
 * small ones. A connection whose host takes nothing is passed over. A request that another one waits for, which has its
 * memory already, is given some from a spare arena rather than made to wait: it would wait for memory that is not given
 * back before it runs.
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

    /**
     * Asks for memory.
     *
     * @param line    the connection's
     * @param request wants {@link TcpRequest#creditBytes}
     * @return whether it got them; otherwise it waits, and its line's owner is told when it has them
     */
    boolean reserve(final Line line, final TcpRequest request) {
        if (waiting == 0 && line.owner.mayHoldMore()) {
            final int block = arena.take(request.creditBytes, MAX_BLOCKS);
            if (block != TransferArena.NONE) {
                request.reserved(arena, block);
                return true;
            }
        }
        if (request.mustNotWait && line.first() == null && takeSpare(request)) {
            return true;
        }
        line.add(request);
        waiting++;
        if (request.mustNotWait) {
            mustNotWait++;
        }
        if (!line.listed) {
            append(line);
        }
        return false;
    }

    private boolean takeSpare(final TcpRequest request) {
        final int block = spare.take(request.creditBytes, MAX_BLOCKS);
        if (block == TransferArena.NONE) {
            return false;
        }
        request.reserved(spare, block);
        return true;
    }

    /**
     * Takes memory that is to be had at once, for data that cannot wait in a line.
     *
     * @return whether the request got it; never while others wait
     */
    boolean reserveNow(final TcpRequest request, final long bytes) {
        if (waiting > 0) {
            return false;
        }
        final int block = arena.take(bytes, MAX_BLOCKS);
        if (block == TransferArena.NONE) {
            return false;
        }
        request.reserved(arena, block);
        return true;
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
            if (!line.owner.mayHoldMore()) {
                last = line;
                passedOver++;
                continue;
            }
            final TcpRequest request = line.first();
            final int block = arena.take(request.creditBytes, MAX_BLOCKS);
            if (block == TransferArena.NONE) {
                break;
            }
            passedOver = 0;
            last = line;
            withdraw(line, request);
            request.reserved(arena, block);
            granted++;
            line.owner.granted(request);
        }
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
