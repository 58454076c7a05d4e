// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.nvmf.perf.ByteSize;
import goblin.nvmf.perf.CompareMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** What {@code goblin-nvmf-perf --compare} measures unless it is told less. */
final class PerfChoice {
    static final Set<String> NAMES =
            Set.of("--sizes", "--pieces", "--limits", "--media", "--output", "--target-options");

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
                    "For --compare: bytes of receive segments (default 1448,4096,4128,8192,64K; 4128 with 1M only).")
    private List<Long> pieces = new ArrayList<>(List.of(1448L, 4096L, 4128L, 8192L, 64L << 10));

    @Option(
            names = "--limits",
            split = ",",
            paramLabel = "N",
            description = "For --compare: most entries of vectors that grow (default 255,1024).")
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
            description = "For --compare: further options of each target, one text with blanks between them.")
    private List<String> targetOptions = new ArrayList<>();

    List<Long> sizes() {
        return sizes;
    }

    List<Long> pieces() {
        return pieces;
    }

    List<Integer> limits() {
        return limits;
    }

    List<CompareMedium> media() {
        return media;
    }

    /** Where results go, by default below {@code root}. */
    Path output(final Path root) {
        return output == null ? root.resolve("target/compare") : output;
    }

    List<String> targetOptions() {
        return targetOptions;
    }
}
