// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Keeps every single figure as CSV and the histograms as an HdrHistogram log, as they come: an end by force loses none. */
final class RunFiles implements AutoCloseable {
    private final PrintStream runs;
    private final HistogramFile histograms;

    RunFiles(final Path folder, final String program) throws Failure {
        final Path file = folder.resolve("runs.csv");
        try {
            Files.createDirectories(folder);
            runs = new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8);
        } catch (final IOException failure) {
            throw new Failure("cannot write " + file + ": " + failure.getMessage(), failure);
        }
        histograms = new HistogramFile(folder.resolve("latencies.hlog"), program);
        runs.print("workload,case,figure,round,side,value\n");
    }

    void figures(final Workload workload, final Case of, final int round, final String side, final Sample sample) {
        sample.figures().forEach((metric, figure) -> {
            final Table line = new Table("", "", "", "", "", "");
            line.row(List.of(
                    workload.name(),
                    of.name(),
                    metric.name(),
                    Integer.toString(round),
                    side,
                    String.format(Locale.ROOT, "%.3f", figure)));
            runs.print(line.csv().lines().skip(1).findFirst().orElseThrow() + "\n");
        });
    }

    void histogram(final String tag, final Histogram histogram) {
        // A tag of the log may hold neither.
        histograms.write(tag.replaceAll("[,\\s]+", "_"), histogram);
    }

    @Override
    public void close() {
        runs.close();
        histograms.close();
    }
}
