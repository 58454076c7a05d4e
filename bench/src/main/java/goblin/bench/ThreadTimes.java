// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How long the threads of a process have run. */
final class ThreadTimes {
    private ThreadTimes() {}

    /**
     * Nanoseconds that threads have run, by thread.
     *
     * @param prefix their names begin so
     */
    static Map<String, Long> of(final long pid, final String prefix) throws Failure {
        final Map<String, Long> times = new HashMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (final Path thread : (Iterable<Path>) threads::iterator) {
                if (read(thread.resolve("comm")).startsWith(prefix)) {
                    times.put(
                            thread.getFileName().toString(),
                            Long.parseLong(read(thread.resolve("schedstat")).split(" ", -1)[0]));
                }
            }
        } catch (final IOException failure) {
            throw new Failure("cannot read the threads of process " + pid, failure);
        }
        if (times.isEmpty()) {
            throw new Failure("process " + pid + " has no thread whose name begins with " + prefix);
        }
        return times;
    }

    /** How long each has run since then. */
    static List<Long> since(final Map<String, Long> before, final Map<String, Long> after) {
        return after.entrySet().stream()
                .map(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .toList();
    }

    private static String read(final Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (final NoSuchFileException ended) {
            return "";
        }
    }
}
