// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import java.util.Arrays;

/**
 * Timers ordered by deadline: a binary heap whose nodes know their place, so that arming, moving and cancelling cost
 * O(log n) and allocate nothing (but for the array's growth). Deadlines are compared by subtraction. One thread only.
 */
public final class TimerQueue {
    private Timer[] heap = new Timer[16];
    private int size;

    /** Makes an empty queue. */
    public TimerQueue() {}

    /**
     * Makes an unarmed timer.
     *
     * @param action what to run
     * @return the timer
     */
    public Timer newTimer(final Runnable action) {
        return new Timer(this, action);
    }

    /**
     * Runs what is due. A timer that arms itself again for a time already past waits for the next call.
     *
     * @param nowNs the time
     * @return the number of actions that ran
     */
    public int fire(final long nowNs) {
        int fired = 0;
        // A timer armed by an action may be due at once: the size at the start bounds the work of this call.
        for (int left = size; left > 0 && size > 0 && heap[0].deadlineNs - nowNs <= 0; left--) {
            final Timer due = heap[0];
            cancel(due);
            fired++;
            due.action.run();
        }
        return fired;
    }

    /**
     * Tells how long to sleep.
     *
     * @param nowNs the time
     * @return nanoseconds until the first deadline, 0 when it is past, {@link Long#MAX_VALUE} when nothing is armed
     */
    public long untilNextNs(final long nowNs) {
        return size == 0 ? Long.MAX_VALUE : Math.max(0, heap[0].deadlineNs - nowNs);
    }

    /**
     * Counts the armed timers.
     *
     * @return 0 or more
     */
    public int size() {
        return size;
    }

    void arm(final Timer timer, final long deadlineNs) {
        timer.deadlineNs = deadlineNs;
        if (timer.index == Timer.UNARMED) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            siftUp(timer, size++);
        } else {
            settle(timer, timer.index);
        }
    }

    void cancel(final Timer timer) {
        final int index = timer.index;
        if (index == Timer.UNARMED) {
            return;
        }
        timer.index = Timer.UNARMED;
        final Timer last = heap[--size];
        heap[size] = null;
        if (last != timer) {
            settle(last, index);
        }
    }

    private void settle(final Timer timer, final int index) {
        if (index > 0 && before(timer, heap[(index - 1) >>> 1])) {
            siftUp(timer, index);
        } else {
            siftDown(timer, index);
        }
    }

    private void siftUp(final Timer timer, final int from) {
        int index = from;
        while (index > 0) {
            final int parent = (index - 1) >>> 1;
            if (!before(timer, heap[parent])) {
                break;
            }
            place(heap[parent], index);
            index = parent;
        }
        place(timer, index);
    }

    private void siftDown(final Timer timer, final int from) {
        int index = from;
        for (int child = 2 * index + 1; child < size; child = 2 * index + 1) {
            if (child + 1 < size && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], timer)) {
                break;
            }
            place(heap[child], index);
            index = child;
        }
        place(timer, index);
    }

    private void place(final Timer timer, final int index) {
        heap[index] = timer;
        timer.index = index;
    }

    private static boolean before(final Timer a, final Timer b) {
        return a.deadlineNs - b.deadlineNs < 0;
    }
}
