// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/**
 * Something beside the transport that an {@link EventLoop} polls in memory in every turn, and that can wake the loop from
 * its sleep. All methods are called on the loop's thread.
 */
@FunctionalInterface
public interface LoopPoller {

    /**
     * Handles what is there, without waiting. What it throws is reported, and the loop goes on.
     *
     * @return how much was done; 0 when there was nothing
     */
    int poll();

    /**
     * The loop is about to sleep: from now on until {@link #awake} whatever happens ends the sleep, by
     * {@link EventLoop#wake} or by what the transport waits for.
     *
     * @return false when something is there already, so that the loop must not sleep
     */
    default boolean prepareSleep() {
        return true;
    }

    /** The loop does not sleep, or no longer. Follows every {@link #prepareSleep}. */
    default void awake() {}

    /** The loop ends. Called once, before its transport is closed; it is polled no more. */
    default void close() {}

    /** The loop has ended, {@link EventLoop#wake} says so from now on. Called once, after all else. */
    default void ended() {}
}
