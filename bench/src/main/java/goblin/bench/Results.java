// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of one workload: by case and metric, then by side, one of each round. */
final class Results {
    private static final String NOTHING = "–";

    private final Workload workload;
    private final Map<Case, Map<String, List<Sample>>> samples = new LinkedHashMap<>();
    private final Map<Case, Map<String, String>> failures = new LinkedHashMap<>();

    Results(final Workload workload) {
        this.workload = workload;
    }

    Workload workload() {
        return workload;
    }

    void add(final Case of, final String side, final Sample sample) {
        samples.computeIfAbsent(of, key -> new LinkedHashMap<>())
                .computeIfAbsent(side, key -> new ArrayList<>())
                .add(sample);
    }

    /** From now on this side has no figures in this case. */
    void fail(final Case of, final String side, final String why) {
        failures.computeIfAbsent(of, key -> new LinkedHashMap<>()).put(side, why);
    }

    boolean failed(final Case of, final String side) {
        return failures.getOrDefault(of, Map.of()).containsKey(side);
    }

    /** Each failed case and side with its reason. */
    List<String> failures() {
        final List<String> lines = new ArrayList<>();
        failures.forEach((of, sides) -> sides.forEach((side, why) -> lines.add(of.name() + ", " + side + ": " + why)));
        return lines;
    }

    /** All figures of one metric at one side, in the order of the rounds; empty when there are none that count. */
    List<Double> figures(final Case of, final Metric metric, final String side) {
        if (failed(of, side)) {
            return List.of();
        }
        return samples.getOrDefault(of, Map.of()).getOrDefault(side, List.of()).stream()
                .filter(sample -> sample.figures().containsKey(metric))
                .map(sample -> sample.figures().get(metric))
                .toList();
    }

    /** Our figures and those of another side, pair by pair; null when one of them has none. */
    Series pairs(final Case of, final Metric metric, final String other) {
        final List<Double> ours = figures(of, metric, ours());
        final List<Double> theirs = figures(of, metric, other);
        if (ours.isEmpty() || ours.size() != theirs.size()) {
            return null;
        }
        final Series series = new Series();
        for (int i = 0; i < ours.size(); i++) {
            series.add(ours.get(i), theirs.get(i));
        }
        return series;
    }

    /** Medians, and ratios taken pair by pair. */
    Table table() {
        final List<String> columns = new ArrayList<>(List.of("case", "figure"));
        workload.sides().forEach(side -> columns.add(side.name()));
        columns.addAll(List.of("ratio to " + baseline(), "spread", "aim"));
        for (final Contender side : others()) {
            columns.add("ratio to " + side.name());
        }
        final Table table = new Table(columns.toArray(String[]::new));
        for (final Case each : workload.cases()) {
            each.metrics().forEach(metric -> table.row(row(each, metric)));
        }
        return table;
    }

    private List<String> row(final Case of, final Metric metric) {
        final List<String> cells = new ArrayList<>(List.of(of.name(), metric.name()));
        for (final Contender side : workload.sides()) {
            cells.add(cell(of, metric, side.name()));
        }
        final Series pairs = pairs(of, metric, baseline());
        cells.add(pairs == null ? NOTHING : Series.two(pairs.ratio()));
        cells.add(pairs == null ? NOTHING : pairs.spread());
        cells.add(verdict(of, metric, pairs));
        for (final Contender side : others()) {
            final Series more = pairs(of, metric, side.name());
            cells.add(more == null ? NOTHING : Series.two(more.ratio()));
        }
        return cells;
    }

    /** The rows that have an aim: what, ours, theirs, ratio, aim. */
    List<List<String>> aims() {
        final List<List<String>> rows = new ArrayList<>();
        for (final Case each : workload.cases()) {
            for (final Metric metric : each.metrics()) {
                if (metric.kind() != Metric.Kind.NONE) {
                    final Series pairs = pairs(each, metric, baseline());
                    rows.add(List.of(
                            each.name() + ": " + metric.name(),
                            cell(each, metric, ours()),
                            cell(each, metric, baseline()),
                            pairs == null ? NOTHING : Series.two(pairs.ratio()),
                            verdict(each, metric, pairs)));
                }
            }
        }
        return rows;
    }

    private String cell(final Case of, final Metric metric, final String side) {
        final List<Double> figures = figures(of, metric, side);
        if (figures.isEmpty()) {
            return failed(of, side) ? "FAILED" : NOTHING;
        }
        return figure(Series.median(figures));
    }

    private String verdict(final Case of, final Metric metric, final Series pairs) {
        if (failed(of, ours()) && metric.kind() != Metric.Kind.NONE) {
            return metric.aimText() + " MISSED";
        }
        if (metric.kind() == Metric.Kind.FIGURE) {
            final List<Double> figures = figures(of, metric, ours());
            return figures.isEmpty() ? metric.aimText() : metric.verdict(Series.median(figures), 0);
        }
        return pairs == null ? metric.aimText() : metric.verdict(pairs.our(), pairs.ratio());
    }

    /** Whose figures ours are compared with. */
    String baseline() {
        return workload.sides().size() < 2 ? ours() : workload.sides().get(1).name();
    }

    private String ours() {
        return workload.sides().getFirst().name();
    }

    private List<Contender> others() {
        return workload.sides().size() < 3
                ? List.of()
                : workload.sides().subList(2, workload.sides().size());
    }

    private static String figure(final double value) {
        return value < 10 ? Series.two(value) : value < 1000 ? Series.one(value) : Series.whole(value);
    }
}
