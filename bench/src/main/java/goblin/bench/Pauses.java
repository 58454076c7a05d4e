// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pauses of one JVM while somebody looks: every time it stopped all its threads, collections of garbage included, from
 * its own log.
 */
final class Pauses {
    private static final Pattern LINE = Pattern.compile("Safepoint \"([^\"]+)\".* Total: +(\\d+) ns");

    private final Path log;
    private long from;

    /**
     * Prepares a log for a JVM that is not started yet.
     *
     * @param folder where the log goes
     */
    Pauses(final Path folder, final String program) throws Failure {
        log = folder.resolve(program + "-pauses.log");
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(log);
        } catch (final IOException failure) {
            throw new Failure("cannot write " + log + ": " + failure.getMessage(), failure);
        }
    }

    /** The JVM's option that writes the log. */
    String option() {
        return "-Xlog:safepoint:file=" + log + ":uptime:filecount=0";
    }

    /** Forgets the pauses so far. */
    void begin() throws Failure {
        from = bytes().length;
    }

    /**
     * What all pauses of one cause come to.
     *
     * @param count     how many there were
     * @param longestNs the longest, reaching it included
     * @param totalNs   all of them
     */
    record Cause(long count, long longestNs, long totalNs) {
        Cause plus(final Cause other) {
            return new Cause(count + other.count, Math.max(longestNs, other.longestNs), totalNs + other.totalNs);
        }
    }

    /** The pauses since {@link #begin}, by cause. */
    Map<String, Cause> causes() throws Failure {
        final byte[] all = bytes();
        return causes(new String(
                Arrays.copyOfRange(all, (int) Math.min(from, all.length), all.length), StandardCharsets.ISO_8859_1));
    }

    /** The pauses that a log tells of, by cause. */
    static Map<String, Cause> causes(final String text) {
        final Map<String, Cause> causes = new TreeMap<>();
        final Matcher matcher = LINE.matcher(text);
        while (matcher.find()) {
            final long ns = Long.parseLong(matcher.group(2));
            causes.merge(matcher.group(1), new Cause(1, ns, ns), Cause::plus);
        }
        return causes;
    }

    /** The longest of all, 0 without any. */
    static long longestNs(final Map<String, Cause> causes) {
        return causes.values().stream().mapToLong(Cause::longestNs).max().orElse(0);
    }

    private byte[] bytes() throws Failure {
        try {
            return Files.readAllBytes(log);
        } catch (final IOException failure) {
            throw new Failure("cannot read " + log + ": " + failure.getMessage(), failure);
        }
    }
}
