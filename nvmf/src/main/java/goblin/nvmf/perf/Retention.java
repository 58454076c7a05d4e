// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.net.EventLoop;
import goblin.nvmf.initiator.InitiatorException;
import goblin.nvmf.initiator.InitiatorOptions;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Whether vectors that have grown should be kept: what each way holds after a burst of {@value #BURST_QUEUES} connections
 * with {@value #BURST_DEPTH} writes of 1 MiB each under way, and what it costs on a mix of 4 KiB and 1 MiB, one after the
 * other on one connection. One target for each way, all at once, measured in turn.
 */
public final class Retention {
    private static final List<String> WAYS = List.of("keep", "release", "decay");
    private static final int BURST_QUEUES = 64;
    private static final int BURST_DEPTH = 128;
    private static final long BURST_COMMANDS = (long) BURST_QUEUES * BURST_DEPTH;
    private static final int LARGE = 1 << 20;
    private static final int SMALL = 4 << 10;
    private static final int MIX_DEPTH = 32;
    private static final List<Integer> LATER_SECONDS = List.of(1, 5);
    private static final String HELD = "nvmf_tcp_vector_grown_bytes";
    private static final String MOST_HELD = "nvmf_tcp_vector_grown_most_bytes";
    private static final String GROWTHS = "nvmf_tcp_vector_growths";
    private static final double KIB = 1024;
    private static final double SECOND_NS = 1e9;

    private final EventLoop loop;
    private final PrintStream progress;
    private final CompareOptions options;
    private final Map<Row, TargetProcess> targets = new LinkedHashMap<>();

    /**
     * Prepares the experiment.
     *
     * @param loop     where the load runs; started
     * @param progress gets a line for each measurement
     * @param options  the pieces and limits to try, the rounds, how long the mix runs; the rest means nothing here
     */
    public Retention(final EventLoop loop, final PrintStream progress, final CompareOptions options) {
        this.loop = loop;
        this.progress = progress;
        this.options = options;
    }

    /**
     * Measures.
     *
     * @return a table, as Markdown
     * @throws InterruptedException when interrupted
     */
    public String measure() throws InterruptedException {
        try {
            for (final int piece : options.pieces()) {
                for (final int limit : options.limits()) {
                    WAYS.forEach(way -> targets.put(new Row(way, piece, limit), null));
                }
            }
            for (final Map.Entry<Row, TargetProcess> row : targets.entrySet()) {
                row.setValue(start(row.getKey()));
                burst(row.getKey(), row.getValue());
            }
            final List<Row> rows = new ArrayList<>(targets.keySet());
            for (int round = 0; round < options.rounds(); round++) {
                for (int i = 0; i < rows.size(); i++) {
                    mix(rows.get(round % 2 == 0 ? i : rows.size() - 1 - i));
                }
            }
            return table(rows);
        } finally {
            targets.values().stream().filter(target -> target != null).forEach(TargetProcess::close);
        }
    }

    private TargetProcess start(final Row row) throws InterruptedException {
        final List<String> more = new ArrayList<>(List.of(
                "--vector-retention",
                row.way,
                "--receive-segment-size",
                Integer.toString(row.piece),
                "--max-receive-segments",
                Integer.toString(row.limit),
                // SQSIZE commands may be outstanding, one less than the queue's entries.
                "--max-queue-depth",
                Integer.toString(2 * BURST_DEPTH)));
        more.addAll(options.more());
        return TargetProcess.start(options.root(), options.targetCpu(), List.of("null:" + CompareMedium.BYTES), more);
    }

    /** The memory that vectors hold at the end of a burst, and while its connections do nothing. */
    private void burst(final Row row, final TargetProcess target) throws InterruptedException {
        final LoadRun load = new LoadRun(
                loop,
                association(target).withQueues(BURST_QUEUES, BURST_DEPTH),
                new Workload(1, LARGE, 0, true, false, 0, 0, Long.MAX_VALUE, BURST_COMMANDS));
        try {
            load.startAndStay().get();
            final long endNs = System.nanoTime();
            row.held.add(target.figures().of(HELD));
            for (final int later : LATER_SECONDS) {
                final long waitNs = endNs + TimeUnit.SECONDS.toNanos(later) - System.nanoTime();
                TimeUnit.NANOSECONDS.sleep(Math.max(0, waitNs));
                row.held.add(target.figures().of(HELD));
            }
            row.mostHeld = target.figures().of(MOST_HELD);
            load.letGo().get();
        } catch (final ExecutionException failed) {
            throw new InitiatorException("the burst fails: " + failed.getCause().getMessage());
        }
        progress.printf("%s: burst%n", row);
    }

    private void mix(final Row row) throws InterruptedException {
        final TargetProcess target = targets.get(row);
        final Figures before = target.figures();
        final LoadResult result = new LoadRun(
                        loop,
                        association(target).withQueues(1, MIX_DEPTH),
                        new Workload(
                                1,
                                LARGE,
                                SMALL,
                                0,
                                true,
                                false,
                                0,
                                options.warmUpNs(),
                                options.measureNs(),
                                Long.MAX_VALUE))
                .run();
        final double seconds = (options.warmUpNs() + options.measureNs()) / SECOND_NS;
        row.growths.add(target.figures().since(before).of(GROWTHS) / seconds);
        row.rates.add(result.mebibytesPerSecond());
        row.slowest.add(result.latencyUs(99));
        progress.printf(Locale.ROOT, "%s: %.0f MiB/s%n", row, result.mebibytesPerSecond());
    }

    private static InitiatorOptions association(final TargetProcess target) {
        return InitiatorOptions.of(
                target.address().getAddress(), target.address().getPort(), TargetProcess.SUBSYSTEM);
    }

    private String table(final List<Row> rows) {
        final Table table = new Table(
                "pieces",
                "limit",
                "retention",
                "KiB at most",
                "after the burst",
                "1 s later",
                "5 s later",
                "mix: allocations/s",
                "MiB/s",
                "ratio to keep",
                "p99 µs",
                "ratio");
        for (final Row row : rows) {
            final Row kept = rows.stream()
                    .filter(other -> other.piece == row.piece && other.limit == row.limit)
                    .findFirst()
                    .orElseThrow();
            final List<String> cells = new ArrayList<>(
                    List.of(Integer.toString(row.piece), Integer.toString(row.limit), row.way, kib(row.mostHeld)));
            row.held.forEach(bytes -> cells.add(kib(bytes)));
            cells.addAll(List.of(
                    number(CompareCell.median(row.growths), 0),
                    number(CompareCell.median(row.rates), 0),
                    number(ratio(row.rates, kept.rates), 3),
                    number(CompareCell.median(row.slowest), 0),
                    number(ratio(row.slowest, kept.slowest), 3)));
            table.row(cells.toArray(String[]::new));
        }
        return table.markdown();
    }

    private static double ratio(final List<Double> values, final List<Double> to) {
        final List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            ratios.add(values.get(i) / to.get(i));
        }
        return CompareCell.median(ratios);
    }

    private static String kib(final long bytes) {
        return number(bytes / KIB, 0);
    }

    private static String number(final double value, final int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** One target, and what was measured of it. */
    private static final class Row {
        final String way;
        final int piece;
        final int limit;
        final List<Long> held = new ArrayList<>();
        long mostHeld;
        final List<Double> growths = new ArrayList<>();
        final List<Double> rates = new ArrayList<>();
        final List<Double> slowest = new ArrayList<>();

        Row(final String way, final int piece, final int limit) {
            this.way = way;
            this.piece = piece;
            this.limit = limit;
        }

        @Override
        public String toString() {
            return way + ", pieces of " + piece + ", at most " + limit;
        }
    }
}
