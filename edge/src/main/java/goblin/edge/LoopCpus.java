// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.edge.EdgeContext.BadOption;
import goblin.net.EventLoop;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What {@code --cpu} and {@code --loops} say together: how many loops there are, and the CPU of each. */
final class LoopCpus {
    static final int MOST_LOOPS = 64;

    private static final int HIGHEST_CPU = 1023;

    private LoopCpus() {}

    /**
     * One entry a loop.
     *
     * @param cpus  a list such as {@code 2,3,4-6}, or null
     * @param loops their number, or null
     * @return the CPU that each loop is pinned to, or {@link EventLoop#ANY_CPU}; 1 to 64 entries
     * @throws BadOption when one is out of its range, or they contradict each other
     */
    static List<Integer> of(final String cpus, final Integer loops) {
        if (loops != null && (loops < 1 || loops > MOST_LOOPS)) {
            throw new BadOption("--loops " + loops + ": allowed is 1 to " + MOST_LOOPS);
        }
        if (cpus == null) {
            return Collections.nCopies(loops == null ? 1 : loops, EventLoop.ANY_CPU);
        }
        final List<Integer> list = parse(cpus);
        if (loops != null && loops != list.size()) {
            throw new BadOption("--loops " + loops + ": --cpu " + cpus + " names " + list.size()
                    + ", there is one loop for each; leave one of them out");
        }
        return list;
    }

    private static List<Integer> parse(final String text) {
        final Set<Integer> cpus = new LinkedHashSet<>();
        for (final String part : text.split(",", -1)) {
            if (!part.matches("[0-9]{1,4}(-[0-9]{1,4})?")) {
                throw new BadOption("--cpu " + text + ": allowed is a CPU number or a list such as 2,3,4-6");
            }
            final String[] ends = part.split("-", 2);
            final int first = Integer.parseInt(ends[0]);
            final int last = Integer.parseInt(ends[ends.length - 1]);
            if (first > last || last > HIGHEST_CPU) {
                throw new BadOption("--cpu " + text + ": CPUs are 0 to " + HIGHEST_CPU + ", a range goes upwards");
            }
            for (int cpu = first; cpu <= last; cpu++) {
                if (!cpus.add(cpu)) {
                    throw new BadOption("--cpu " + text + ": CPU " + cpu + " stands there twice");
                }
            }
        }
        if (cpus.size() > MOST_LOOPS) {
            throw new BadOption("--cpu " + text + ": at most " + MOST_LOOPS + " loops");
        }
        return List.copyOf(cpus);
    }
}
