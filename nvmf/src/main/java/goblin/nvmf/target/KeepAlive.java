// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.EventLoop;
import goblin.net.Timer;

/**
 * Finds out that a host is gone: nothing came from it, on any of its queues, for twice the Keep Alive time. {@link #touch}
 * may be called on any loop, everything else on the admin queue's.
 *
 * <p>The second of the two times is grace. Traffic counts as life (TBKAS), so a host sends no Keep Alive command in an
 * interval that had a completion: after that one it may be silent for nearly a whole Keep Alive time, as Linux 5.12 to 6.4
 * are, and its command still has to get here. A controller with TBKAS may take up to two Keep Alive times.
 */
final class KeepAlive {
    /** KAS: the granularity in units of 100 ms. */
    static final int GRANULARITY = 1;

    private static final long GRANULE_MS = GRANULARITY * 100L;
    private static final long NS_PER_MS = 1_000_000;
    /** Life is noted this exactly, so that busy queues do not write the same cache line all the time. */
    private static final long COARSE_NS = NS_PER_MS;

    private final EventLoop loop;
    private final Runnable expired;
    private final Timer timer;
    private final long withoutMs;
    private final long inactiveMs;
    private volatile long lastSeenNs;
    private long timeoutMs;
    private boolean active;

    /**
     * Makes one that is inactive, the controller being disabled.
     *
     * @param withoutMs  what holds when the host wants no Keep Alive; 0 for nothing
     * @param inactiveMs what holds while the controller is disabled or shut down
     * @param expired    called on the loop
     */
    KeepAlive(final EventLoop loop, final long withoutMs, final long inactiveMs, final Runnable expired) {
        this.loop = loop;
        this.withoutMs = withoutMs;
        this.inactiveMs = inactiveMs;
        this.expired = expired;
        timer = loop.newTimer(this::check);
        restart();
    }

    /** Sets the time, rounded up to the granularity; 0 for none. */
    void timeout(final long milliseconds) {
        timeoutMs = Math.ceilDiv(milliseconds, GRANULE_MS) * GRANULE_MS;
        restart();
    }

    /** The time the host wants, without grace; 0 for none. */
    long timeoutMs() {
        return timeoutMs;
    }

    /** How long the host may be silent now, 0 for as long as it likes. */
    long limitMs() {
        if (!active) {
            return inactiveMs;
        }
        return timeoutMs == 0 ? withoutMs : timeoutMs * 2;
    }

    /** The controller is enabled, or is not. */
    void active(final boolean yes) {
        active = yes;
        restart();
    }

    /** The host lives. */
    void touch(final long nowNs) {
        if (nowNs - lastSeenNs > COARSE_NS) {
            lastSeenNs = nowNs;
        }
    }

    void stop() {
        timer.cancel();
    }

    private void restart() {
        lastSeenNs = loop.nowNs();
        arm();
    }

    private void arm() {
        final long limitMs = limitMs();
        if (limitMs == 0) {
            timer.cancel();
        } else {
            timer.arm(lastSeenNs + limitMs * NS_PER_MS);
        }
    }

    private void check() {
        if (loop.nowNs() - lastSeenNs < limitMs() * NS_PER_MS) {
            arm();
        } else {
            expired.run();
        }
    }
}
