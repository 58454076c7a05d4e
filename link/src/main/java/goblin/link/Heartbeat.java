// SPDX-License-Identifier: Apache-2.0
package goblin.link;

/**
 * When to send a sign of life on a link, and when the peer is dead. Pure: the caller passes the loop's clock and asks.
 *
 * <p>A heartbeat is due each second, or at once after {@link #onHeartbeat} at the end that answers (the edge). The peer
 * is dead after the timeout without a byte. Time in which this process itself did not ask (stopped, or in a long
 * script) does not count against the peer, because what it sent meanwhile is still unread.
 */
public final class Heartbeat {
    /** Nanoseconds between two heartbeats. */
    public static final long INTERVAL_NS = 1_000_000_000L;

    private static final long OWN_PAUSE_NS = 2 * INTERVAL_NS;

    private final long timeoutNs;
    private long lastReceivedNs;
    private long lastAskedNs;
    private long nextSendNs;

    /**
     * Starts with a peer that has just been heard.
     *
     * @param timeoutNs silence after which the peer is dead, more than {@link #INTERVAL_NS}
     * @param nowNs the loop's clock
     */
    public Heartbeat(final long timeoutNs, final long nowNs) {
        if (timeoutNs <= INTERVAL_NS) {
            throw new IllegalArgumentException("a link's timeout must be longer than a second");
        }
        this.timeoutNs = timeoutNs;
        lastReceivedNs = nowNs;
        lastAskedNs = nowNs;
        nextSendNs = nowNs + INTERVAL_NS;
    }

    /**
     * Any bytes of the peer arrived.
     *
     * @param nowNs the loop's clock
     */
    public void onBytesReceived(final long nowNs) {
        lastReceivedNs = nowNs;
    }

    /**
     * A heartbeat of the peer arrived and this end is the one that answers: the next one is due now.
     *
     * @param nowNs the loop's clock
     */
    public void onHeartbeat(final long nowNs) {
        nextSendNs = nowNs;
    }

    /**
     * Tells whether to send a heartbeat now.
     *
     * @param nowNs the loop's clock
     * @return true until {@link #onSent}
     */
    public boolean due(final long nowNs) {
        return nowNs - nextSendNs >= 0;
    }

    /**
     * A heartbeat was queued.
     *
     * @param nowNs the loop's clock
     */
    public void onSent(final long nowNs) {
        nextSendNs = nowNs + INTERVAL_NS;
    }

    /**
     * Tells whether the peer has been silent too long. Ask at least each second.
     *
     * @param nowNs the loop's clock
     * @return true when the link should be given up
     */
    public boolean dead(final long nowNs) {
        final long sinceAskedNs = nowNs - lastAskedNs;
        lastAskedNs = nowNs;
        if (sinceAskedNs > OWN_PAUSE_NS) {
            lastReceivedNs += sinceAskedNs;
            if (lastReceivedNs - nowNs > 0) {
                lastReceivedNs = nowNs;
            }
        }
        return nowNs - lastReceivedNs >= timeoutNs;
    }

    /**
     * How long the peer has been silent.
     *
     * @param nowNs the loop's clock
     * @return nanoseconds, 0 or more
     */
    public long silenceNs(final long nowNs) {
        return Math.max(0, nowNs - lastReceivedNs);
    }

    /**
     * The clock at which the next heartbeat is due, for arming a timer.
     *
     * @return nanoseconds of the loop's clock
     */
    public long nextDueNs() {
        return nextSendNs;
    }
}
