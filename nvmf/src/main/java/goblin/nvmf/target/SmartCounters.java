// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;
import goblin.nvmf.target.IoCounters.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of a subsystem (log page 02h, SMART / Health Information): the sum over its queues, those that are gone
 * included. Any thread.
 */
final class SmartCounters {
    /** Bytes of the log page. */
    static final int PAGE_BYTES = 512;

    private static final long BLOCK = 512;
    private static final long DATA_UNIT = 1000 * BLOCK;
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    private final List<IoCounters> live = new ArrayList<>();
    private final long[] gone = new long[Kind.COUNT];
    private final long startNs;

    /**
     * Begins at zero.
     *
     * @param nowNs the time from which power-on hours are counted
     */
    SmartCounters(final long nowNs) {
        startNs = nowNs;
    }

    /**
     * A new queue's counters.
     *
     * @return to be given to {@link #close} when the queue ends
     */
    synchronized IoCounters open() {
        final IoCounters counters = new IoCounters();
        live.add(counters);
        return counters;
    }

    /**
     * Keeps what an ended queue has counted; a second time does nothing.
     *
     * @param counters of a queue that counts no more
     */
    synchronized void close(final IoCounters counters) {
        if (live.remove(counters)) {
            for (final Kind kind : Kind.values()) {
                gone[kind.slot()] += counters.get(kind);
            }
        }
    }

    /**
     * A count over all queues.
     *
     * @param kind what
     * @return 0 or more
     */
    synchronized long total(final Kind kind) {
        long sum = gone[kind.slot()];
        for (final IoCounters counters : live) {
            sum += counters.get(kind);
        }
        return sum;
    }

    /**
     * Writes the log page over zeros. There is no wear, no sensor (temperature 0) and no measure of busy time; the upper
     * halves of the 128-bit numbers stay zero.
     *
     * @param page   {@link #PAGE_BYTES} bytes
     * @param nowNs  the time
     * @param errors entries ever made in the controller's error log
     */
    void put(final long page, final long nowNs, final long errors) {
        // Available spare in percent, and its threshold.
        Memory.putByte(page + 3, (byte) 100);
        Memory.putByte(page + 4, (byte) 10);
        Memory.putLong(page + 32, units(total(Kind.READ_BYTES)));
        Memory.putLong(page + 48, units(total(Kind.WRITTEN_BYTES)));
        Memory.putLong(page + 64, total(Kind.READS));
        Memory.putLong(page + 80, total(Kind.WRITES));
        Memory.putLong(page + 112, 1);
        Memory.putLong(page + 128, (nowNs - startNs) / HOUR_NANOS);
        Memory.putLong(page + 160, total(Kind.MEDIA_ERRORS));
        Memory.putLong(page + 176, errors);
    }

    /** Thousands of 512 bytes, rounded up. */
    private static long units(final long bytes) {
        return (bytes + DATA_UNIT - 1) / DATA_UNIT;
    }
}
