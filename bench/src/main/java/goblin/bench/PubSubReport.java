// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** The tables of a run, printed and kept as Markdown and CSV, and a plot of all ratios; written anew with each table. */
final class PubSubReport {
    private static final String AIMS = "\n### Aims (two loops against one in the last, the others against Redis)\n\n";

    private final Path folder;
    private final String head;
    private final RatioPlot plot;
    private final List<String> sections = new ArrayList<>();
    private final Table aims = new Table("case", "ours", "other", "ratio", "aim");
    private boolean complete = true;

    /**
     * Begins it.
     *
     * @param folder    exists
     * @param placement what ran where
     */
    PubSubReport(final Path folder, final String placement, final Scale scale) {
        this.folder = folder;
        final String what = "Pub/Sub, " + placement;
        head = LocalDate.now(ZoneId.systemDefault()) + ", " + machine() + "; " + placement + "; medians of "
                + scale.rounds()
                + " rounds by turns, ratios pair by pair; a run counts only if every subscriber received every message"
                + " in order" + (scale.quick() ? ". A QUICK RUN: ITS FIGURES MEAN NOTHING" : "") + ".\n";
        plot = new RatioPlot(what);
        System.out.println(head);
    }

    void add(final Results results) throws Failure {
        final Workload workload = results.workload();
        final Table table = results.table();
        final StringBuilder text = new StringBuilder("\n### " + workload.title() + "\n\n" + table.markdown());
        for (final String failure : results.failures()) {
            complete = false;
            text.append("\nDoes not count: ").append(failure).append('\n');
        }
        sections.add(text.toString());
        System.out.println(text);
        System.out.flush();
        draw(results);
        write(workload.name() + ".csv", table.csv());
        results.aims().forEach(aims::row);
        write("pubsub.md", head + AIMS + aims.markdown() + String.join("", sections));
        write("pubsub.svg", plot.svg());
    }

    /** Prints once more what had an aim. */
    void end() {
        System.out.println(AIMS + aims.markdown());
    }

    /** Whether every run counted. */
    boolean complete() {
        return complete;
    }

    private void draw(final Results results) {
        final Workload workload = results.workload();
        final String baseline = results.baseline();
        plot.heading(workload.title() + " (against " + baseline + ")");
        for (final Case each : workload.cases()) {
            for (final Metric metric : each.metrics()) {
                final Series pairs = results.pairs(each, metric, baseline);
                if (pairs != null && metric.kind() != Metric.Kind.FIGURE) {
                    plot.bar(
                            each.name() + ": " + metric.name(),
                            pairs.ratio(),
                            metric,
                            Series.two(pairs.our()) + ", " + baseline + " " + Series.two(pairs.their()));
                }
            }
        }
    }

    private void write(final String name, final String content) throws Failure {
        try {
            Files.writeString(folder.resolve(name), content);
        } catch (final IOException failure) {
            throw new Failure("cannot write " + name + ": " + failure.getMessage(), failure);
        }
    }

    private static String machine() {
        String model = System.getProperty("os.arch");
        try {
            model = Files.readAllLines(Path.of("/proc/cpuinfo"), StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(model);
        } catch (final IOException hidden) {
            // Not every kernel tells.
            model = System.getProperty("os.arch");
        }
        return model + ", Linux " + System.getProperty("os.version");
    }
}
