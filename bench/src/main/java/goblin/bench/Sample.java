// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What one run found. */
final class Sample {
    private final Map<Metric, Double> figures = new LinkedHashMap<>();
    private final Map<String, Histogram> histograms = new LinkedHashMap<>();

    void put(final Metric metric, final double figure) {
        figures.put(metric, figure);
    }

    /** Keeps a copy; values are nanoseconds. */
    void histogram(final String name, final Histogram histogram) {
        histograms.put(name, histogram.copy());
    }

    Map<Metric, Double> figures() {
        return figures;
    }

    Map<String, Histogram> histograms() {
        return histograms;
    }
}
