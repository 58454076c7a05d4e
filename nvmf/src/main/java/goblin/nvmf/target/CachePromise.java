// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/**
 * Whether a host knows that completed writes may need a flush. Hosts look at VWC once, when they identify the controller;
 * a namespace with a cache that is added later is never flushed by a host that was told of none, so its writes must be
 * durable by themselves. What was told first holds for the controller's life.
 */
final class CachePromise {
    private boolean told;
    private volatile boolean present;

    /** What to tell the host, {@code now} being the truth. On the admin queue's loop. */
    boolean tell(final boolean now) {
        if (!told) {
            told = true;
            present = now;
        }
        return present;
    }

    /** Whether the host knows of a cache. Any thread. */
    boolean isPresent() {
        return present;
    }
}
