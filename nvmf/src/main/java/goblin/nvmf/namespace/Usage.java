// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the operations that use a medium, so that it is given back after the last one. Any thread; allocates nothing. */
final class Usage {
    private static final long RETIRED = Long.MIN_VALUE;

    private final AtomicLong state = new AtomicLong();

    /** Begins a use, ended by {@link #exit}; false when the medium is retired. */
    boolean enter() {
        if (state.getAndIncrement() < 0) {
            exit();
            return false;
        }
        return true;
    }

    /** Ends a use. */
    void exit() {
        if (state.decrementAndGet() == RETIRED) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Lets nobody in any more. */
    void retire() {
        state.getAndUpdate(now -> now | RETIRED);
    }

    boolean isRetired() {
        return state.get() < 0;
    }

    /** Waits, however long, until nobody uses a retired medium. An interrupt is kept for later: memory in use stays. */
    void awaitIdle() {
        boolean interrupted = false;
        synchronized (this) {
            while (state.get() != RETIRED) {
                try {
                    wait();
                } catch (final InterruptedException later) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
