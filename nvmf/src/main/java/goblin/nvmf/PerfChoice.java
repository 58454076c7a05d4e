// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.nvmf.perf.ByteSize;
import goblin.nvmf.perf.CompareMedium;
import goblin.nvmf.perf.CompareOptions;
import goblin.nvmf.perf.Delivery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** What {@code goblin-nvmf-perf --compare} and {@code --retention} measure unless they are told less. */
final class PerfChoice {
    static final Set<String> NAMES =
            Set.of("--ways", "--sizes", "--pieces", "--limits", "--media", "--output", "--target-options");

    private static final List<Long> COMPARE_PIECES = List.of(1448L, 4096L, 4128L, 8192L, 64L << 10);
    private static final List<Long> RETENTION_PIECES = List.of(1448L);
    private static final long SMALLEST_IO = 4096;
    private static final long LARGEST_IO = 64 << 20;
    private static final long SMALLEST_PIECE = 1024;
    private static final long LARGEST_PIECE = 1 << 20;
    private static final long LEAST_LIMIT = 33;
    private static final long MOST_LIMIT = 1024;

    @Option(
            names = "--ways",
            split = ",",
            paramLabel = "WAY",
            description = "For --compare: copied, inline, fixed, dynamic, placed (default all).")
    private List<Delivery> ways = new ArrayList<>(List.of(Delivery.values()));

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description = "For --compare: sizes of writes (default 128K,1M).")
    private List<Long> sizes = new ArrayList<>(List.of(128L << 10, 1L << 20));

    @Option(
            names = "--pieces",
            split = ",",
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description =
                    "Bytes of receive segments (default for --compare 1448,4096,4128,8192,64K, of which 4128 with 1M only;"
                            + " for --retention 1448).")
    private List<Long> pieces;

    @Option(
            names = "--limits",
            split = ",",
            paramLabel = "N",
            description = "For --compare and --retention: most entries of vectors that grow (default 255,1024).")
    private List<Integer> limits = new ArrayList<>(List.of(255, 1024));

    @Option(
            names = "--media",
            split = ",",
            paramLabel = "MEDIUM",
            description = "For --compare: null, mem, file, direct (default all).")
    private List<CompareMedium> media = new ArrayList<>(List.of(CompareMedium.values()));

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "For --compare: where results and the files that are written to go (default target/compare).")
    private Path output;

    @Option(
            names = "--target-options",
            split = " ",
            paramLabel = "WORDS",
            description =
                    "For --compare and --retention: further options of each target, one text with blanks between them.")
    private List<String> targetOptions = new ArrayList<>();

    /**
     * All of it, checked.
     *
     * @param retention whether it is for the experiment of retention, which has fewer pieces by default
     */
    CompareOptions options(
            final Range range,
            final Path root,
            final int rounds,
            final long warmUpNs,
            final long measureNs,
            final int targetCpu,
            final boolean retention) {
        final List<Long> allPieces = pieces != null ? pieces : retention ? RETENTION_PIECES : COMPARE_PIECES;
        sizes.forEach(size -> range.check("--sizes", size, SMALLEST_IO, LARGEST_IO));
        allPieces.forEach(piece -> range.check("--pieces", piece, SMALLEST_PIECE, LARGEST_PIECE));
        limits.forEach(limit -> range.check("--limits", limit, LEAST_LIMIT, MOST_LIMIT));
        return new CompareOptions(
                root,
                output == null ? root.resolve("target/compare") : output,
                ways,
                sizes.stream().map(Math::toIntExact).toList(),
                allPieces.stream().map(Math::toIntExact).toList(),
                limits,
                media,
                targetOptions,
                rounds,
                warmUpNs,
                measureNs,
                targetCpu);
    }

    /** Refuses what is out of range. */
    @FunctionalInterface
    interface Range {
        void check(String name, long value, long least, long most);
    }
}
