// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Writes the histograms of one run as an HdrHistogram log, one tagged line each; values are nanoseconds. */
final class HistogramFile implements AutoCloseable {
    private final PrintStream stream;
    private final HistogramLogWriter writer;

    HistogramFile(final Path path, final String program) throws Failure {
        try {
            stream = new PrintStream(Files.newOutputStream(path), false, StandardCharsets.UTF_8);
        } catch (final IOException failure) {
            throw new Failure("cannot write " + path + ": " + failure.getMessage(), failure);
        }
        writer = new HistogramLogWriter(stream);
        writer.outputLogFormatVersion();
        writer.outputComment("[" + program + ", values in nanoseconds, maximum column in microseconds]");
        writer.outputLegend();
    }

    /** Writes both histograms, tagged {@code NAME.delivery} and {@code NAME.reply}. */
    void write(final String name, final LatencySummary summary) {
        write(name + ".delivery", summary.deliveries(), summary.deliveries());
        write(name + ".reply", summary.replies(), summary.deliveries());
    }

    /** Writes one histogram, tagged so. */
    void write(final String tag, final Histogram histogram) {
        write(tag, histogram, histogram);
    }

    private void write(final String tag, final Histogram histogram, final Histogram times) {
        histogram.setTag(tag);
        writer.outputIntervalHistogram(
                times.getStartTimeStamp() / 1000.0, times.getEndTimeStamp() / 1000.0, histogram, 1000.0);
    }

    @Override
    public void close() {
        stream.close();
    }
}
