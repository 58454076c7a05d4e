// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures of two sides measured in turn: the ratio is taken pair by pair, so that slow changes of the machine cancel. */
final class Series {
    private final List<Double> ours = new ArrayList<>();
    private final List<Double> theirs = new ArrayList<>();

    void add(final double our, final double their) {
        ours.add(our);
        theirs.add(their);
    }

    double our() {
        return median(ours);
    }

    double their() {
        return median(theirs);
    }

    /** The median of our figure divided by theirs, pair by pair. */
    double ratio() {
        final List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            ratios.add(ours.get(i) / theirs.get(i));
        }
        return median(ratios);
    }

    /** The smallest and the largest ratio of a pair, as text. */
    String spread() {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (int i = 0; i < ours.size(); i++) {
            final double ratio = ours.get(i) / theirs.get(i);
            least = Math.min(least, ratio);
            most = Math.max(most, ratio);
        }
        return two(least) + "–" + two(most);
    }

    /** The middle value, or the mean of the two middle ones. */
    static double median(final List<Double> values) {
        final List<Double> sorted = values.stream().sorted().toList();
        final int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    static String one(final double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    static String two(final double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    static String whole(final double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
