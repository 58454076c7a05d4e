// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.net.EventLoop;
import goblin.nvmf.initiator.InitiatorOptions;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The table of this machine: 4 KiB, 128 KiB and 1 MiB; reads and writes; queue depth 1, 32 and 128; {@code mem:} and
 * {@code null:}; digests off and on. Each medium is written whole before. All rows are measured in turn, as often as there are rounds, and the median by IOPS of
 * each is printed, so that what the machine does meanwhile meets all alike.
 */
public final class PerfTable {
    private static final List<String> MEDIA = List.of("mem:1G", "null:1G");
    private static final List<Integer> SIZES = List.of(4 << 10, 128 << 10, 1 << 20);
    private static final List<Integer> DEPTHS = List.of(1, 32, 128);
    private static final int LARGEST_DEPTH = 128;
    private static final long MEDIUM_BYTES = 1L << 30;
    private static final int FILL_BYTES = 1 << 20;
    private static final int FILL_DEPTH = 32;

    private final EventLoop loop;
    private final PrintStream progress;
    private final int rounds;
    private final long warmUpNs;
    private final long measureNs;

    /**
     * Prepares a table.
     *
     * @param loop      where the load runs; started
     * @param progress  gets a line for each measurement
     * @param rounds    1 or more
     * @param warmUpNs  before each measurement
     * @param measureNs of each measurement
     */
    public PerfTable(
            final EventLoop loop,
            final PrintStream progress,
            final int rounds,
            final long warmUpNs,
            final long measureNs) {
        this.loop = loop;
        this.progress = progress;
        this.rounds = rounds;
        this.warmUpNs = warmUpNs;
        this.measureNs = measureNs;
    }

    /**
     * Starts a target, measures, ends the target.
     *
     * @param root      the folder that holds bin/
     * @param targetCpu the CPU of the target's loop
     * @param csv       whether CSV is wanted instead of Markdown
     * @return the table
     * @throws InterruptedException when interrupted
     */
    public String measure(final Path root, final int targetCpu, final boolean csv) throws InterruptedException {
        final List<Row> rows = rows();
        // SQSIZE commands may be outstanding, one less than the queue's entries.
        final List<String> deep = List.of("--max-queue-depth", Integer.toString(2 * LARGEST_DEPTH));
        try (TargetProcess target = TargetProcess.start(root, targetCpu, MEDIA, deep)) {
            for (int medium = 0; medium < MEDIA.size(); medium++) {
                fill(target, medium);
            }
            for (int round = 1; round <= rounds; round++) {
                for (int i = 0; i < rows.size(); i++) {
                    // Every other round backwards: no row always follows the same one.
                    final Row row = rows.get(round % 2 == 1 ? i : rows.size() - 1 - i);
                    final LoadResult result = new LoadRun(loop, options(target, row), workload(row)).run();
                    row.results.add(result);
                    progress.printf(Locale.ROOT, "%d/%d %s: %.0f IOPS%n", round, rounds, row, result.iops());
                }
            }
        }
        final Table table = new Table(
                "medium", "digests", "size", "operation", "depth", "IOPS", "MiB/s", "p50 µs", "p99 µs", "p99.9 µs");
        rows.forEach(row -> row.addTo(table));
        return csv ? table.csv() : table.markdown();
    }

    /** Writes a medium whole, once: what is measured is not the kernel finding memory for the first write of a page. */
    private void fill(final TargetProcess target, final int medium) throws InterruptedException {
        final Row row = new Row(medium, false, FILL_BYTES, false, FILL_DEPTH);
        final Workload whole =
                new Workload(medium + 1, FILL_BYTES, 0, false, false, 0, 0, Long.MAX_VALUE, MEDIUM_BYTES / FILL_BYTES);
        new LoadRun(loop, options(target, row), whole).run();
    }

    private static List<Row> rows() {
        final List<Row> rows = new ArrayList<>();
        for (int medium = 0; medium < MEDIA.size(); medium++) {
            for (final boolean digests : new boolean[] {false, true}) {
                for (final int size : SIZES) {
                    for (final boolean read : new boolean[] {false, true}) {
                        for (final int depth : DEPTHS) {
                            rows.add(new Row(medium, digests, size, read, depth));
                        }
                    }
                }
            }
        }
        return rows;
    }

    private static InitiatorOptions options(final TargetProcess target, final Row row) {
        return InitiatorOptions.of(
                        target.address().getAddress(), target.address().getPort(), TargetProcess.SUBSYSTEM)
                .withQueues(1, row.depth)
                .withDigests(row.digests, row.digests);
    }

    private Workload workload(final Row row) {
        return new Workload(
                row.medium + 1, row.size, row.read ? 100 : 0, true, false, 0, warmUpNs, measureNs, Long.MAX_VALUE);
    }

    /** One line, and what was measured for it. */
    private static final class Row {
        final int medium;
        final boolean digests;
        final int size;
        final boolean read;
        final int depth;
        final List<LoadResult> results = new ArrayList<>();

        Row(final int medium, final boolean digests, final int size, final boolean read, final int depth) {
            this.medium = medium;
            this.digests = digests;
            this.size = size;
            this.read = read;
            this.depth = depth;
        }

        void addTo(final Table table) {
            results.sort(Comparator.comparingDouble(LoadResult::iops));
            final LoadResult median = results.get(results.size() / 2);
            table.row(
                    MEDIA.get(medium),
                    digests ? "on" : "off",
                    (size >> 10) + " KiB",
                    read ? "read" : "write",
                    Integer.toString(depth),
                    String.format(Locale.ROOT, "%.0f", median.iops()),
                    String.format(Locale.ROOT, "%.0f", median.mebibytesPerSecond()),
                    String.format(Locale.ROOT, "%.1f", median.latencyUs(50)),
                    String.format(Locale.ROOT, "%.1f", median.latencyUs(99)),
                    String.format(Locale.ROOT, "%.1f", median.latencyUs(99.9)));
        }

        @Override
        public String toString() {
            return MEDIA.get(medium) + ", " + (size >> 10) + " KiB " + (read ? "read" : "write") + ", depth " + depth
                    + (digests ? ", digests" : "");
        }
    }
}
