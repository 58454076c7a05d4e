// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

/**
 * Something with a watched descriptor. Changes are noted when they are fetched and acted on from the ready list, one
 * bounded step a turn, until nothing is left to do.
 */
public abstract class Pollable {
    /** What it shares with the others of its transport. */
    protected final SocketCore core;

    /** The socket, or negative when there is none. */
    protected final int descriptor;

    /** The backend's key; 0 when it is not registered. */
    public int registration;

    boolean inReadyList;
    Pollable nextReady;

    /** Of a descriptor that is not registered yet. */
    Pollable(final SocketCore core, final int descriptor) {
        this.core = core;
        this.descriptor = descriptor;
    }

    /**
     * The descriptor.
     *
     * @return negative when there is none
     */
    public final int descriptor() {
        return descriptor;
    }

    /**
     * Notes what the kernel reported.
     *
     * @param events bits of {@link PollEvents}
     */
    public abstract void onEvents(int events);

    /** Closes it without callbacks. Idempotent. */
    public abstract void close();

    /** Whether {@link #serve} has something to do. */
    abstract boolean wantsService();

    /** Does one bounded step; returns how much was done. */
    abstract int serve();

    /**
     * Puts this on the ready list when there is something to do.
     *
     * @return whether it is there
     */
    public final boolean queueIfReady() {
        if (!inReadyList && wantsService()) {
            core.ready.add(this);
        }
        return inReadyList;
    }
}
