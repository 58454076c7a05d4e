// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What one measured loop found.
 *
 * @param deliveries nanoseconds from before the send of PUBLISH to after the receipt of the frame
 * @param replies    nanoseconds from before the send of PUBLISH to after the receipt of its reply
 * @param elapsedNs  nanoseconds of the whole loop
 */
record LatencySummary(Histogram deliveries, Histogram replies, long elapsedNs) {
    /** The columns of {@link #table}; latencies are microseconds. */
    static final String COLUMNS = "what,samples,p50,p90,p99,p99.9,max,mean,operations/s";

    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};

    long samples() {
        return deliveries.getTotalCount();
    }

    double operationsPerSecond() {
        return samples() * 1e9 / Math.max(1, elapsedNs);
    }

    /** Adds a row each for deliveries and replies. */
    void addTo(final Table table, final String name) {
        table.row(cells(name + "delivery", deliveries));
        table.row(cells(name + "reply", replies));
    }

    static Table table() {
        return new Table(COLUMNS.split(",", -1));
    }

    private List<String> cells(final String name, final Histogram histogram) {
        final String[] cells = new String[PERCENTILES.length + 4];
        cells[0] = name;
        cells[1] = Long.toString(histogram.getTotalCount());
        for (int i = 0; i < PERCENTILES.length; i++) {
            cells[2 + i] = micros((double) histogram.getValueAtPercentile(PERCENTILES[i]));
        }
        cells[cells.length - 2] = micros(histogram.getMean());
        cells[cells.length - 1] = String.format(Locale.ROOT, "%.0f", operationsPerSecond());
        return List.of(cells);
    }

    static String micros(final double nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1000);
    }
}
