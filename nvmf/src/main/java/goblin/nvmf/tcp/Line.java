// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** The requests of one connection that wait for memory, in their order, and the connection's place among others. */
final class Line {
    final Holder owner;
    /** The lines that have their turn before and after it. */
    Line previous;

    Line next;

    boolean listed;
    /** Bytes of the arena that its requests have. */
    long held;

    private TcpRequest first;
    private TcpRequest last;
    private int size;

    Line(final Holder owner) {
        this.owner = owner;
    }

    /** Whose requests wait. */
    interface Holder {
        /** Whether it may have more than {@code held} bytes now: hardly while its host takes nothing. */
        boolean mayHoldMore(long held);

        /** A request of its has got the memory; it waits no longer. */
        void granted(TcpRequest request);
    }

    TcpRequest first() {
        return first;
    }

    /** How many wait. */
    int size() {
        return size;
    }

    void add(final TcpRequest request) {
        request.nextWaiting = null;
        request.waiting = true;
        size++;
        if (first == null) {
            first = request;
        } else {
            last.nextWaiting = request;
        }
        last = request;
    }

    /** Removes a request; returns whether it was there. */
    boolean remove(final TcpRequest request) {
        TcpRequest before = null;
        for (TcpRequest at = first; at != null; at = at.nextWaiting) {
            if (at == request) {
                if (before == null) {
                    first = at.nextWaiting;
                } else {
                    before.nextWaiting = at.nextWaiting;
                }
                if (last == at) {
                    last = before;
                }
                at.nextWaiting = null;
                at.waiting = false;
                size--;
                return true;
            }
            before = at;
        }
        return false;
    }
}
