// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * What a comparison is to measure.
 *
 * @param root      the folder that holds bin/
 * @param output    a folder for the results and for the files that are written to; made if it is not there
 * @param ways      the ways to deliver payload
 * @param sizes     bytes of the commands
 * @param pieces    bytes of the receive segments
 * @param limits    most entries of vectors that grow; kept in ascending order
 * @param media     what is written to
 * @param more      further options of all targets
 * @param rounds    how often each is measured, 1 or more
 * @param warmUpNs  before each measurement
 * @param measureNs of each measurement
 * @param targetCpu the CPU of the targets' loops
 */
public record CompareOptions(
        Path root,
        Path output,
        List<Delivery> ways,
        List<Integer> sizes,
        List<Integer> pieces,
        List<Integer> limits,
        List<CompareMedium> media,
        List<String> more,
        int rounds,
        long warmUpNs,
        long measureNs,
        int targetCpu) {
    /** Copies. */
    public CompareOptions {
        ways = List.copyOf(ways);
        sizes = List.copyOf(sizes);
        pieces = List.copyOf(pieces);
        limits = limits.stream().sorted(Comparator.naturalOrder()).distinct().toList();
        media = List.copyOf(media);
        more = List.copyOf(more);
    }
}
