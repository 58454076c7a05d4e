// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/** Bounds the requests over 64 KiB that must be whole before they are used, of all clients together. */
final class RequestMemory {
    private final long most;
    private long used;

    RequestMemory(final long most) {
        this.most = most;
    }

    /** Takes bytes from the budget; false when they do not fit, and then nothing is taken. */
    boolean take(final long bytes) {
        if (bytes > most - used) {
            return false;
        }
        used += bytes;
        return true;
    }

    void giveBack(final long bytes) {
        used -= bytes;
    }

    long used() {
        return used;
    }
}
