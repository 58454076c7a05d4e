// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much memory this process can have. The kernel maps more than there is, and kills somebody when it is used.
 *
 * @param total     RAM and swap, or what the process's group may have if that is less, in bytes
 * @param available what is free or soon can be, in bytes
 */
public record MachineMemory(long total, long available) {
    private static final Path FACTS = Path.of("/proc/meminfo");
    private static final Path GROUP_LIMIT = Path.of("/sys/fs/cgroup/memory.max");
    private static final Pattern LINE = Pattern.compile("(MemTotal|SwapTotal|MemAvailable): +([0-9]{1,12}) kB");

    /**
     * As the kernel tells it now.
     *
     * @return without limits where it does not
     */
    public static MachineMemory now() {
        return parse(lines(FACTS), lines(GROUP_LIMIT));
    }

    /** Reads the lines of the two files; either may be empty. */
    static MachineMemory parse(final List<String> facts, final List<String> groupLimit) {
        long total = 0;
        long available = Long.MAX_VALUE;
        for (final String line : facts) {
            final Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                final long bytes = Long.parseLong(matcher.group(2)) << 10;
                if (matcher.group(1).equals("MemAvailable")) {
                    available = bytes;
                } else {
                    total += bytes;
                }
            }
        }
        final long group = groupLimit.stream()
                .filter(line -> line.matches("[0-9]{1,18}"))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        return new MachineMemory(Math.min(group, total == 0 ? Long.MAX_VALUE : total), Math.min(group, available));
    }

    private static List<String> lines(final Path path) {
        try {
            return Files.readAllLines(path);
        } catch (final IOException unknown) {
            return List.of();
        }
    }
}
