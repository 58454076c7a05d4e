// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import org.HdrHistogram.Histogram;

/**
 * What a run measured.
 *
 * @param ios       commands that counted
 * @param bytes     their data
 * @param elapsedNs how long they took together
 * @param latencies nanoseconds from submission to completion
 * @param verified  blocks whose stamps were checked
 */
public record LoadResult(long ios, long bytes, long elapsedNs, Histogram latencies, long verified) {
    private static final double SECOND_NS = 1e9;
    private static final double MIB = 1 << 20;

    /**
     * Commands a second.
     *
     * @return 0 when nothing was measured
     */
    public double iops() {
        return elapsedNs == 0 ? 0 : ios * SECOND_NS / elapsedNs;
    }

    /**
     * Data a second.
     *
     * @return MiB
     */
    public double mebibytesPerSecond() {
        return elapsedNs == 0 ? 0 : bytes * SECOND_NS / elapsedNs / MIB;
    }

    /**
     * A latency.
     *
     * @param percentile 0 to 100
     * @return microseconds
     */
    public double latencyUs(final double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1e3;
    }
}
