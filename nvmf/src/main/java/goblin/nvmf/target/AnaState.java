// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** How a group of namespaces can be reached through this target (Asymmetric Namespace Access). */
public enum AnaState {
    /** The best path. */
    OPTIMIZED(0x1, Status.SUCCESS),
    /** A path that works and is not the best. */
    NON_OPTIMIZED(0x2, Status.SUCCESS),
    /** No path at present. */
    INACCESSIBLE(0x3, Status.ANA_INACCESSIBLE),
    /** No path any more. */
    PERSISTENT_LOSS(0x4, Status.ANA_PERSISTENT_LOSS),
    /** About to change. */
    CHANGE(0xF, Status.ANA_TRANSITION);

    private final int code;
    private final int status;

    AnaState(final int code, final int status) {
        this.code = code;
        this.status = status;
    }

    /**
     * As the log page names it.
     *
     * @return 1 to 15
     */
    public int code() {
        return code;
    }

    /**
     * What I/O commands are answered.
     *
     * @return {@link Status#SUCCESS} when they are executed
     */
    public int status() {
        return status;
    }
}
