// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Measures the sides of a workload by turns: in each round each side once, in an order that changes from round to
 * round. Whoever is not measured is stopped. A side whose run failed has no figures in that case.
 */
final class Rounds {
    private final int rounds;
    private final boolean warm;
    private final RunFiles files;
    private final Consumer<String> progress;

    /**
     * Prepares it.
     *
     * @param rounds   of each case
     * @param warm     whether a round that does not count goes before
     * @param files    take every single figure and the histograms
     * @param progress takes a line for each run
     */
    Rounds(final int rounds, final boolean warm, final RunFiles files, final Consumer<String> progress) {
        this.rounds = rounds;
        this.warm = warm;
        this.files = files;
        this.progress = progress;
    }

    Results run(final Workload workload) throws Failure {
        final Results results = new Results(workload);
        for (final Case each : workload.cases()) {
            final Histograms histograms = new Histograms();
            if (warm && !workload.fresh()) {
                // A first round that does not count: both programs and this one compile what is used here.
                for (final Contender side : workload.sides()) {
                    measured(results, each, side, 0);
                }
            }
            for (int round = 1; round <= rounds; round++) {
                for (final Contender side : order(workload.sides(), round)) {
                    final Sample sample = measured(results, each, side, round);
                    if (sample != null) {
                        results.add(each, side.name(), sample);
                        files.figures(workload, each, round, side.name(), sample);
                        sample.histograms()
                                .forEach((name, histogram) -> histograms.add(
                                        workload.name() + "." + each.name() + "." + side.name() + "." + name,
                                        histogram));
                    }
                }
            }
            histograms.writeTo(files);
        }
        return results;
    }

    private static List<Contender> order(final List<Contender> sides, final int round) {
        final List<Contender> order = new ArrayList<>(sides);
        Collections.rotate(order, round);
        return order;
    }

    /** Returns null when the run does not count. */
    private Sample measured(final Results results, final Case of, final Contender side, final int round)
            throws Failure {
        if (results.failed(of, side.name())) {
            return null;
        }
        final Workload workload = results.workload();
        final Sample sample = new Sample();
        final Contender running = workload.fresh() ? side.fresh() : side;
        try {
            running.resume();
            of.run().on(running, sample);
        } catch (final Failure failure) {
            results.fail(of, side.name(), failure.getMessage());
            progress.accept(
                    workload.name() + ", " + of.name() + ", " + side.name() + ": FAILED: " + failure.getMessage());
            // What a failed run has left in its server must not be measured with the next.
            running.close();
            return null;
        } finally {
            if (workload.fresh()) {
                running.close();
            } else {
                running.pause();
            }
        }
        if (round > 0) {
            progress.accept(workload.name() + ", " + of.name() + ", round " + round + "/" + rounds + ", " + side.name()
                    + ": " + text(sample));
        }
        return sample;
    }

    private static String text(final Sample sample) {
        final List<String> parts = new ArrayList<>();
        sample.figures().forEach((metric, figure) -> parts.add(metric.name() + " " + Series.one(figure)));
        return String.join(", ", parts);
    }

    /** Histograms of one case, those of all rounds in one. */
    private static final class Histograms {
        private final java.util.Map<String, Histogram> byTag = new java.util.LinkedHashMap<>();

        void add(final String tag, final Histogram histogram) {
            final Histogram sum = byTag.get(tag);
            if (sum == null) {
                byTag.put(tag, histogram);
            } else {
                sum.add(histogram);
            }
        }

        void writeTo(final RunFiles files) {
            byTag.forEach(files::histogram);
        }
    }
}
