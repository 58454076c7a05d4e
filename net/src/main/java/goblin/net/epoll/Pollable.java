// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

/**
 * Something with a descriptor in the epoll set. Edges are noted when they are fetched and acted on from the ready list,
 * one bounded step a turn, until nothing is left to do.
 */
abstract class Pollable {
    final EpollTransport transport;
    int descriptor;
    /** Tells this registration from an earlier one of the same descriptor. */
    int generation;

    boolean inReadyList;
    Pollable nextReady;

    Pollable(final EpollTransport transport, final int descriptor) {
        this.transport = transport;
        this.descriptor = descriptor;
    }

    /** Notes what epoll reported. */
    abstract void onEvents(int events);

    /** Whether {@link #serve} has something to do. */
    abstract boolean wantsService();

    /** Does one bounded step; returns how much was done. */
    abstract int serve();

    /** Puts this on the ready list when there is something to do. */
    final void queueIfReady() {
        if (!inReadyList && wantsService()) {
            transport.ready.add(this);
        }
    }
}
