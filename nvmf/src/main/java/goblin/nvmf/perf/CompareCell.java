// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** What was measured of one target with one size of commands on one medium. */
final class CompareCell {
    private static final double PERCENT = 100;

    final Contender contender;
    final int ioBytes;
    final CompareMedium medium;
    private final List<Double> rates = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();
    private Figures figures = new Figures(Map.of());

    CompareCell(final Contender contender, final int ioBytes, final CompareMedium medium) {
        this.contender = contender;
        this.ioBytes = ioBytes;
        this.medium = medium;
    }

    /** Another round: its throughput in MiB/s and what the target counted meanwhile. */
    void add(final double rate, final Figures counted) {
        rates.add(rate);
        figures = figures.plus(counted);
    }

    /** All rounds are measured: each is divided by the same round of what it is compared with. */
    void compare(final CompareCell baseline) {
        for (int round = 0; round < Math.min(rates.size(), baseline.rates.size()); round++) {
            ratios.add(rates.get(round) / baseline.rates.get(round));
        }
    }

    boolean isMeasured() {
        return !rates.isEmpty();
    }

    /** The median over the rounds, MiB/s. */
    double rate() {
        return median(rates);
    }

    /** The median of the rounds' ratios; not a number when there is nothing to compare with. */
    double ratio() {
        return ratios.isEmpty() ? Double.NaN : median(ratios);
    }

    /** The payload that stayed where it was received until the medium had it, in hundredths of all. */
    double inPlacePercent() {
        final long bounced = figures.of("nvmf_payload_copied_alignment_bytes");
        return percent(figures.of("nvmf_tcp_payload_in_place_bytes") - bounced);
    }

    /** The payload that was copied for a reason, in hundredths of all. */
    double copiedPercent(final CopyCause cause) {
        return percent(cause.bytes(figures));
    }

    /** Anything that the target counted, over all rounds. */
    Figures figures() {
        return figures;
    }

    private double percent(final long bytes) {
        final long all = figures.of("nvmf_tcp_payload_bytes");
        return all == 0 ? Double.NaN : PERCENT * bytes / all;
    }

    static double median(final List<Double> values) {
        final List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        final int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
