// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.net.EventLoop;
import goblin.nvmf.initiator.InitiatorException;
import goblin.nvmf.initiator.InitiatorOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ways to deliver received payload, compared on this machine: copied, in vectors that do not grow, that have all
 * entries from the start, that grow, and with payload placed at pages. For each size of pieces there is one target process
 * for each way, all at once; each medium is written whole first; then all are measured in turn, every other round
 * backwards, and the median over the rounds of throughput and of its ratio to the same round of {@link Delivery#INLINE} is
 * told.
 */
public final class Comparison {
    private static final String MEDIA = "media";
    private static final long MOST_UNDER_WAY_BYTES = 8L << 20;
    private static final int MOST_DEPTH = 32;
    private static final int FILL_BYTES = 1 << 20;
    private static final int FILL_DEPTH = 8;
    private static final long COMPILED_NS = 500_000_000L;

    private final EventLoop loop;
    private final PrintStream progress;
    private final CompareOptions options;
    private final ComparePlan plan;
    private final List<CompareCell> cells = new ArrayList<>();
    private final Map<String, String> refused = new TreeMap<>();
    private final Map<Contender, PoolSize> pools = new LinkedHashMap<>();

    /**
     * Prepares a comparison.
     *
     * @param loop     where the load runs; started
     * @param progress gets a line for each measurement
     * @param options  what to measure
     */
    public Comparison(final EventLoop loop, final PrintStream progress, final CompareOptions options) {
        this.loop = loop;
        this.progress = progress;
        this.options = options;
        plan = new ComparePlan(options);
    }

    /**
     * Measures. Writes {@code compare.csv} and {@code compare.svg} to the folder for results.
     *
     * @return the tables, as Markdown
     * @throws InterruptedException when interrupted
     */
    public String measure() throws InterruptedException {
        try {
            Files.createDirectories(options.output());
            removeLeftovers();
            for (final int piece : options.pieces()) {
                measure(piece);
            }
            compare();
            final CompareReport report = new CompareReport(options, cells, plan.leftOut(), refused, pools);
            Files.writeString(options.output().resolve("compare.csv"), report.csv());
            Files.writeString(options.output().resolve("compare.svg"), report.plot());
            return report.markdown();
        } catch (final IOException failed) {
            throw new InitiatorException("the results cannot be written: " + failed);
        }
    }

    /** How many commands of a size are under way: as much data whatever the size, as far as that is possible. */
    static int depth(final int ioBytes) {
        return Math.clamp(MOST_UNDER_WAY_BYTES / ioBytes, 1, MOST_DEPTH);
    }

    private void measure(final int piece) throws InterruptedException, IOException {
        final Map<Contender, TargetProcess> targets = new LinkedHashMap<>();
        final Path files = Files.createTempDirectory(options.output(), MEDIA);
        try {
            for (final Contender contender : plan.contenders(piece)) {
                start(contender, files, targets);
            }
            final List<CompareCell> measured = new ArrayList<>();
            for (final CompareMedium medium : options.media()) {
                for (final int size : options.sizes()) {
                    targets.keySet().stream()
                            .filter(contender -> plan.sizes(contender).contains(size))
                            .forEach(contender -> measured.add(new CompareCell(contender, size, medium)));
                }
            }
            for (int round = 1; round <= options.rounds(); round++) {
                for (int i = 0; i < measured.size(); i++) {
                    measure(measured.get(round % 2 == 1 ? i : measured.size() - 1 - i), round, targets);
                }
            }
            cells.addAll(measured);
        } finally {
            targets.values().forEach(TargetProcess::close);
            deleteAll(files);
        }
    }

    /** Starts a target, lets its code be compiled, and writes its media whole. One that refuses is left out with its reason. */
    private void start(final Contender contender, final Path files, final Map<Contender, TargetProcess> targets)
            throws InterruptedException {
        final List<String> namespaces = options.media().stream()
                .map(medium -> medium.namespace(files, contender.fileName()))
                .toList();
        final List<String> more = new ArrayList<>(contender.options());
        // SQSIZE commands may be outstanding, one less than the queue's entries.
        more.addAll(List.of("--max-queue-depth", Integer.toString(2 * PoolSize.DEPTH)));
        more.addAll(options.more());
        try {
            targets.put(contender, TargetProcess.start(options.root(), options.targetCpu(), namespaces, more));
        } catch (final InitiatorException refusal) {
            refused.put(contender.label() + ", pieces of " + contender.pieceBytes(), refusal.getMessage());
            return;
        }
        final TargetProcess target = targets.get(contender);
        if (pools.keySet().stream().allMatch(other -> other.pieceBytes() == contender.pieceBytes())) {
            pools.put(contender, PoolSize.of(loop, target, contender));
        }
        for (int medium = 0; medium < options.media().size(); medium++) {
            load(
                    target,
                    FILL_BYTES,
                    FILL_DEPTH,
                    workload(medium, FILL_BYTES, false, 0, Long.MAX_VALUE, CompareMedium.BYTES / FILL_BYTES));
            for (final int size : plan.sizes(contender)) {
                final long ns = Math.min(COMPILED_NS, 2 * options.measureNs());
                load(target, size, depth(size), workload(medium, size, true, 0, ns, Long.MAX_VALUE));
            }
        }
        progress.printf("%s, pieces of %d: started%n", contender.label(), contender.pieceBytes());
    }

    private void measure(final CompareCell cell, final int round, final Map<Contender, TargetProcess> targets)
            throws InterruptedException {
        final TargetProcess target = targets.get(cell.contender);
        final int medium = options.media().indexOf(cell.medium);
        final Workload workload =
                workload(medium, cell.ioBytes, true, options.warmUpNs(), options.measureNs(), Long.MAX_VALUE);
        final Figures before = target.figures();
        final LoadResult result = load(target, cell.ioBytes, depth(cell.ioBytes), workload);
        cell.add(result.mebibytesPerSecond(), target.figures().since(before));
        progress.printf(
                Locale.ROOT,
                "%d/%d %s, pieces of %d, %d KiB, %s %.0f MiB/s%n",
                round,
                options.rounds(),
                cell.contender.label(),
                cell.contender.pieceBytes(),
                cell.ioBytes >> 10,
                cell.medium.shown(),
                result.mebibytesPerSecond());
    }

    private LoadResult load(final TargetProcess target, final int ioBytes, final int depth, final Workload workload)
            throws InterruptedException {
        final InitiatorOptions association = InitiatorOptions.of(
                        target.address().getAddress(), target.address().getPort(), TargetProcess.SUBSYSTEM)
                .withQueues(1, depth);
        try {
            return new LoadRun(loop, association, workload).run();
        } catch (final InitiatorException failed) {
            throw new InitiatorException(failed.getMessage() + " (commands of " + ioBytes + " bytes)");
        }
    }

    private static Workload workload(
            final int medium,
            final int ioBytes,
            final boolean random,
            final long warmUpNs,
            final long measureNs,
            final long ios) {
        return new Workload(medium + 1, ioBytes, 0, random, false, 0, warmUpNs, measureNs, ios);
    }

    private void compare() {
        for (final CompareCell cell : cells) {
            cells.stream()
                    .filter(other -> other.contender.delivery() == Delivery.INLINE
                            && other.contender.pieceBytes() == cell.contender.pieceBytes()
                            && other.ioBytes == cell.ioBytes
                            && other.medium == cell.medium)
                    .forEach(cell::compare);
        }
    }

    /** What a comparison left that was killed. */
    private void removeLeftovers() throws IOException {
        try (var found = Files.newDirectoryStream(options.output(), MEDIA + '*')) {
            found.forEach(Comparison::deleteAll);
        }
    }

    private static void deleteAll(final Path folder) {
        try (var files = Files.list(folder)) {
            for (final Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (final IOException leftBehind) {
            throw new UncheckedIOException(leftBehind);
        }
    }
}
