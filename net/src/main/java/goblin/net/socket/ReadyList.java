// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

/** Pollables with something left to do, first in, first out, each at most once. */
public final class ReadyList {
    private Pollable head;
    private Pollable tail;
    private int size;

    ReadyList() {}

    /**
     * Counts them.
     *
     * @return 0 or more
     */
    public int size() {
        return size;
    }

    void add(final Pollable pollable) {
        pollable.inReadyList = true;
        if (tail == null) {
            head = pollable;
        } else {
            tail.nextReady = pollable;
        }
        tail = pollable;
        size++;
    }

    /**
     * Serves each that is here now once; those with more to do, and those that come meanwhile, wait for the next call.
     *
     * @return how much was done
     */
    public int serve() {
        int work = 0;
        for (int left = size; left > 0; left--) {
            final Pollable pollable = head;
            head = pollable.nextReady;
            if (head == null) {
                tail = null;
            }
            pollable.nextReady = null;
            pollable.inReadyList = false;
            size--;
            work += pollable.serve();
            pollable.queueIfReady();
        }
        return work;
    }
}
