// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/**
 * A source of work beside a loop's transport that is looked at in memory each turn. On the loop's thread.
 */
@FunctionalInterface
public interface LoopPoller {

    /**
     * Does what there is to do; should cost next to nothing when there is nothing.
     *
     * @param nowNs the turn's time
     * @return how much was done, 0 when there was nothing to do
     */
    int poll(long nowNs);

    /**
     * The loop is about to sleep. From now on until {@link #awake} the source must wake the loop when there is work, by
     * {@link EventLoop#wake} or by what its transport waits for.
     *
     * @return false when there is work already: the loop does not sleep
     */
    default boolean prepareSleep() {
        return true;
    }

    /** The loop does not sleep any more, or never did, after {@link #prepareSleep}. */
    default void awake() {}
}
