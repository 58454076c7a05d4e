// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server holds at a moment, and what the kernel holds for all sockets of the machine.
 *
 * @param rssBytes    resident memory of the process
 * @param lockedBytes of it locked
 * @param javaBytes   live Java objects, 0 for a process that is no JVM
 * @param kernelBytes the kernel's socket buffers and, where it lets us look (root), its objects for sockets and files
 */
record Footprint(long rssBytes, long lockedBytes, long javaBytes, long kernelBytes) {
    private static final long PAGE_BYTES = 4096;
    private static final int JCMD_SECONDS = 120;
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
    private static final Pattern SOCKET_PAGES = Pattern.compile("(?m)^TCP: .* mem (\\d+)$");
    private static final Set<String> SLABS = Set.of(
            "TCP",
            "TCPv6",
            "sock_inode_cache",
            "filp",
            "dentry",
            "eventpoll_epi",
            "eventpoll_pwq",
            "ep_head",
            "tcp_bind_bucket",
            "tcp_bind2_bucket");

    /** Looks at a process; a JVM collects its garbage first, so the difference of two looks is what is held. */
    static Footprint of(final long pid, final boolean java) throws Failure {
        final long live = java ? liveJavaBytes(pid) : 0;
        return new Footprint(status(pid, "VmRSS"), status(pid, "VmLck"), live, kernelTotal());
    }

    /** Resident memory alone, without disturbing the process. */
    static long rss(final long pid) throws Failure {
        return status(pid, "VmRSS");
    }

    /** The figures of that many sockets less than here, over a count: of a connection. */
    Footprint per(final Footprint before, final long count) {
        return new Footprint(
                (rssBytes - before.rssBytes) / count,
                (lockedBytes - before.lockedBytes) / count,
                (javaBytes - before.javaBytes) / count,
                (kernelBytes - before.kernelBytes) / count);
    }

    private static long liveJavaBytes(final long pid) throws Failure {
        final Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        final List<String> command = List.of(jcmd.toString(), Long.toString(pid), "GC.class_histogram");
        try {
            final Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            if (!process.waitFor(JCMD_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new Failure("jcmd failed: " + text.strip());
            }
            return number(TOTAL, text);
        } catch (final IOException missing) {
            throw new Failure("cannot run " + jcmd + ", a JDK is needed: " + missing.getMessage(), missing);
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted", interrupted);
        }
    }

    private static long kernelTotal() throws Failure {
        final long buffers = number(SOCKET_PAGES, read(Path.of("/proc/net/sockstat"))) * PAGE_BYTES;
        final Path slabs = Path.of("/proc/slabinfo");
        return Files.isReadable(slabs) ? buffers + slabBytes(read(slabs)) : buffers;
    }

    private static long slabBytes(final String text) {
        return text.lines()
                .map(line -> line.split("\\s+"))
                .filter(fields -> SLABS.contains(fields[0]))
                .mapToLong(fields -> Long.parseLong(fields[1]) * Long.parseLong(fields[3]))
                .sum();
    }

    private static long status(final long pid, final String field) throws Failure {
        return 1024
                * number(Pattern.compile("(?m)^" + field + ":\\s+(\\d+)"), read(Path.of("/proc/" + pid + "/status")));
    }

    private static long number(final Pattern pattern, final String text) {
        final Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private static String read(final Path file) throws Failure {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (final IOException failure) {
            throw new Failure("cannot read " + file, failure);
        }
    }
}
