// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.nvmf.tcp.TcpRequest.Phase;
import java.util.Arrays;

/** The requests of one connection: made when there are not enough, never more than may be outstanding. */
final class RequestPool {
    private TcpRequest[] requests = new TcpRequest[4];
    private int made;
    private int[] free = new int[4];
    private int freeCount;
    /** Requests whose data is still being sent: for the target they are done. */
    private int sending;

    private final TcpCounters counters;
    private final int entries;

    /** An empty pool of requests whose vectors have that many entries before they grow. */
    RequestPool(final TcpCounters counters, final int entries) {
        this.counters = counters;
        this.entries = entries;
    }

    /**
     * Takes a request.
     *
     * @param limit how many may be taken at a time, those being sent not counted
     * @return the request, or null when as many are
     */
    TcpRequest take(final int limit) {
        if (inUse() - sending >= limit || sending > limit) {
            return null;
        }
        final TcpRequest request = freeCount > 0 ? requests[free[--freeCount]] : make();
        request.phase = Phase.BEGUN;
        request.refused = false;
        request.damaged = false;
        request.received = 0;
        request.askedFrom = 0;
        request.askedTo = 0;
        request.copied = false;
        request.copiesAll = false;
        return request;
    }

    /** The request goes on to be sent. */
    void sending(final TcpRequest request) {
        request.phase = Phase.SENDING;
        sending++;
    }

    /** Takes a request back whose memory was given back. */
    void giveBack(final TcpRequest request) {
        if (request.phase == Phase.FREE) {
            throw new IllegalStateException("request " + request.slot + " was given back already");
        }
        if (request.phase == Phase.SENDING) {
            sending--;
        }
        request.phase = Phase.FREE;
        free[freeCount++] = request.slot;
    }

    /** The request with that transfer tag that waits for data, or null. */
    TcpRequest receiving(final int tag) {
        final int slot = tag - 1;
        if (slot < 0 || slot >= made || requests[slot].phase != Phase.RECEIVING) {
            return null;
        }
        return requests[slot];
    }

    /** How many requests there are; {@link #at} finds them. */
    int made() {
        return made;
    }

    TcpRequest at(final int slot) {
        return requests[slot];
    }

    int inUse() {
        return made - freeCount;
    }

    /** Gives all memory back; no request may be in use. */
    void destroy() {
        if (inUse() > 0) {
            throw new IllegalStateException(inUse() + " requests are in use");
        }
        counters.add(TcpCounter.REQUESTS, -made);
        for (int i = 0; i < made; i++) {
            requests[i].destroy();
        }
        made = 0;
        freeCount = 0;
    }

    private TcpRequest make() {
        if (made == requests.length) {
            requests = Arrays.copyOf(requests, made * 2);
            free = Arrays.copyOf(free, made * 2);
        }
        final TcpRequest request = TcpRequest.make(made, entries);
        requests[made++] = request;
        counters.add(TcpCounter.REQUESTS, 1);
        return request;
    }
}
