// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** What an event loop does in a turn that found no work. */
public enum IdlePolicy {
    /** Poll again at once: one busy core, the lowest latency. */
    SPIN,
    /**
     * Spin for some tens of microseconds, then sleep in the kernel until something is ready. A thread with a real-time
     * priority sleeps at once: nothing else runs on its core while it spins.
     */
    BACKOFF
}
