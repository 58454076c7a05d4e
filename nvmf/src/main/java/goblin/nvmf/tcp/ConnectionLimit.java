// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import java.util.concurrent.atomic.AtomicInteger;

/** How many connections all loops together may still take. Any thread. */
final class ConnectionLimit {
    private final AtomicInteger left;

    ConnectionLimit(final int most) {
        left = new AtomicInteger(most);
    }

    /** Takes one; false when there are as many as may be. */
    boolean take() {
        if (left.decrementAndGet() < 0) {
            left.incrementAndGet();
            return false;
        }
        return true;
    }

    void giveBack() {
        left.incrementAndGet();
    }
}
