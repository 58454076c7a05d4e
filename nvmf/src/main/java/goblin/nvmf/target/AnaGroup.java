// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** Namespaces that are reached in the same way; its state may change at any time, on any thread. */
public final class AnaGroup {
    private final int id;
    private volatile AnaState state = AnaState.OPTIMIZED;

    AnaGroup(final int id) {
        this.id = id;
    }

    /**
     * Its number in Identify and in the log.
     *
     * @return 1 or more
     */
    public int id() {
        return id;
    }

    /**
     * How it can be reached now.
     *
     * @return the latest
     */
    public AnaState state() {
        return state;
    }

    void state(final AnaState now) {
        state = now;
    }
}
