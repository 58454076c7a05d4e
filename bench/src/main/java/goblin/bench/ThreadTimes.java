// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How long the threads of a process have run. */
final class ThreadTimes {
    private ThreadTimes() {}

    /** Nanoseconds that each of its threads has run, by thread. */
    static Map<String, Long> of(final long pid) throws Failure {
        final Map<String, Long> times = new HashMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (final Path thread : (Iterable<Path>) threads::iterator) {
                final long time = runNs(thread);
                if (time >= 0) {
                    times.put(thread.getFileName().toString(), time);
                }
            }
            return times;
        } catch (final IOException failure) {
            throw new Failure("cannot read the threads of process " + pid, failure);
        }
    }

    /** The longest times that threads have run since then, longest first. */
    static List<Long> busiest(final Map<String, Long> before, final Map<String, Long> after) {
        return after.entrySet().stream()
                .map(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    private static long runNs(final Path thread) {
        try {
            return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", -1)[0]);
        } catch (final IOException ended) {
            return -1;
        }
    }
}
