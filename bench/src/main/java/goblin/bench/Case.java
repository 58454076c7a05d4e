// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.List;

/**
 * One thing that is measured at each side by turns.
 *
 * @param name    as the table shows it
 * @param metrics what a run finds; a side may lack some
 * @param run     measures one side once
 */
record Case(String name, List<Metric> metrics, Run run) {
    /** One run. */
    interface Run {
        /**
         * Measures one side, which runs alone meanwhile.
         *
         * @param side   answers on its port
         * @param sample takes what is found
         * @throws Failure when a message was lost, doubled, out of order or changed, or somebody was cut: the run does
         *     not count
         */
        void on(Contender side, Sample sample) throws Failure;
    }

    /** The same without aims, for a comparison they are not meant for. */
    Case withoutAims() {
        return new Case(name, metrics.stream().map(Metric::withoutAim).toList(), (side, sample) -> {
            final Sample found = new Sample();
            run.on(side, found);
            found.figures().forEach((metric, figure) -> sample.put(metric.withoutAim(), figure));
            found.histograms().forEach(sample::histogram);
        });
    }
}
