// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** An action that runs once when its time has come; may be armed again and again without allocation. One loop only. */
public final class Timer {
    static final int UNARMED = -1;

    final Runnable action;
    long deadlineNs;
    int index = UNARMED;
    private final TimerQueue queue;

    Timer(final TimerQueue queue, final Runnable action) {
        this.queue = queue;
        this.action = action;
    }

    /**
     * Arms the timer, or moves it when it is armed.
     *
     * @param deadlineNs when to run, {@link System#nanoTime} based; a past time runs in the next turn
     */
    public void arm(final long deadlineNs) {
        queue.arm(this, deadlineNs);
    }

    /** Disarms the timer. Idempotent. */
    public void cancel() {
        queue.cancel(this);
    }

    /**
     * Tells whether the action is still to run.
     *
     * @return false before {@link #arm}, after {@link #cancel} and from the start of the action on
     */
    public boolean isArmed() {
        return index != UNARMED;
    }
}
