// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the requests over 64 KiB that must be whole before they are used, of all clients of all loops. Any thread. */
final class RequestMemory {
    private final long most;
    private final AtomicLong used = new AtomicLong();

    RequestMemory(final long most) {
        this.most = most;
    }

    /** Takes bytes from the budget; false when they do not fit, and then nothing is taken. */
    boolean take(final long bytes) {
        long before;
        do {
            before = used.get();
            if (bytes > most - before) {
                return false;
            }
        } while (!used.compareAndSet(before, before + bytes));
        return true;
    }

    void giveBack(final long bytes) {
        if (bytes != 0) {
            used.addAndGet(-bytes);
        }
    }

    long used() {
        return used.get();
    }
}
