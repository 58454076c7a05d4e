// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

/**
 * Counts times in buckets no wider than a thousandth of the time. Allocates only when made; one thread at a time.
 */
final class Latencies {
    /** The longest time told apart, in nanoseconds; longer ones count as this one. */
    static final long LONGEST_NS = 60_000_000_000L;

    // Buckets of 1 ns up to twice this number, then of 2 ns for as many, then of 4 ns, and so on.
    private static final int STEPS = 1024;
    private static final int STEP_BITS = 10;

    private final long[] counts = new long[index(LONGEST_NS) + 1];
    private long count;
    private long longestNs;

    /** Counts a time of 0 or more nanoseconds. */
    void record(final long ns) {
        final long counted = Math.min(ns, LONGEST_NS);
        counts[index(counted)]++;
        count++;
        longestNs = Math.max(longestNs, counted);
    }

    /** How many times were counted. */
    long count() {
        return count;
    }

    /**
     * The time that so many percent of the counted ones did not exceed.
     *
     * @param percentile 0 to 100
     * @return nanoseconds, at most a thousandth above the true time; 0 when nothing was counted
     */
    long percentileNs(final double percentile) {
        final long wanted = Math.max(1, (long) Math.ceil(percentile / 100 * count));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return Math.min(highest(i), longestNs);
            }
        }
        return longestNs;
    }

    private static int index(final long ns) {
        final int shift = Math.max(0, Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(ns));
        return shift * STEPS + (int) (ns >>> shift);
    }

    /** The longest time that a bucket counts. */
    private static long highest(final int index) {
        final int shift = Math.max(0, index / STEPS - 1);
        return ((index - (long) shift * STEPS + 1) << shift) - 1;
    }
}
