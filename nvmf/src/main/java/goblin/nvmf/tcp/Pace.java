// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/**
 * Whether a host moves the data that memory is held for: in each {@link TcpLoop#STALL_NS} at least half of what was held
 * when they began, and something since the last byte. A few bytes now and then are not enough, and neither is anything else
 * that the host sends.
 */
final class Pace {
    private long held;
    private long sinceNs;
    private long owed;
    private long moved;
    private long movedNs;
    private boolean slow;

    /** Bytes of data to be moved. */
    long held() {
        return held;
    }

    /** There is more to move. */
    void holds(final long bytes, final long nowNs) {
        if (held == 0) {
            begin(nowNs, bytes);
            movedNs = nowNs;
            slow = false;
        }
        held += bytes;
    }

    /** Some was moved. */
    void moved(final long bytes, final long nowNs) {
        moved += bytes;
        movedNs = nowNs;
    }

    /** Memory is held no longer for so many bytes. */
    void released(final long bytes) {
        held -= bytes;
    }

    /** Whether it does not; to be asked about once a second. */
    boolean isTooSlow(final long nowNs) {
        if (held > 0 && nowNs - sinceNs > TcpLoop.STALL_NS) {
            slow = moved < owed / 2;
            begin(nowNs, held);
        }
        return held > 0 && (slow || nowNs - movedNs > TcpLoop.STALL_NS);
    }

    private void begin(final long nowNs, final long bytes) {
        sinceNs = nowNs;
        owed = bytes;
        moved = 0;
    }
}
