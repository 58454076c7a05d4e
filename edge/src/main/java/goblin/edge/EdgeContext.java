// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.Endpoint;
import goblin.net.IdlePolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Option;

/**
 * Every option of the edge with its default, range and text in one place. {@link #conclude()} validates once; the rest
 * of the program only reads.
 */
final class EdgeContext {
    private static final int PAGE_BYTES = 4096;
    private static final int DEFAULT_BACKLOG = 4096;

    @Option(
            names = "--listen",
            arity = "2",
            hideParamSyntax = true,
            paramLabel = "ADDRESS PORT",
            description = "Serve RESP on kernel TCP here. Default: 127.0.0.1 6379.")
    private List<String> listen;

    @Option(
            names = "--xlio",
            arity = "2",
            hideParamSyntax = true,
            paramLabel = "ADDRESS PORT",
            description = "Serve RESP on XLIO Ultra here (not available yet).")
    private List<String> xlio;

    @Option(
            names = "--vcl",
            arity = "2",
            hideParamSyntax = true,
            paramLabel = "ADDRESS PORT",
            description = "Serve RESP on VPP HostStack here (not available yet).")
    private List<String> vcl;

    @Option(
            names = "--upstream",
            arity = "2",
            hideParamSyntax = true,
            paramLabel = "HOST PORT",
            description = "The authoritative goblin-core, started with --enable-sbe. Required.")
    private List<String> upstream;

    @Option(
            names = "--auth-file",
            paramLabel = "PATH",
            description = "Users that may log in: lines user:argon2id-hash, owner-only permissions.")
    private Path authFile;

    @Option(
            names = "--upstream-auth-user",
            paramLabel = "USER",
            description = "User for the sessions to the host; needs --upstream-auth-password-file.")
    private String upstreamUser;

    @Option(
            names = "--upstream-auth-password-file",
            paramLabel = "PATH",
            description = "File with that user's password; trailing newlines are dropped.")
    private Path upstreamPasswordFile;

    @Option(
            names = "--unsolicited-output-buffer-bytes",
            paramLabel = "BYTES",
            defaultValue = "65536",
            description = "Ring for messages of one subscriber, rounded up to pages. Default: ${DEFAULT-VALUE}.")
    private long ringBytes;

    @Option(
            names = "--max-output-buffer-bytes",
            paramLabel = "BYTES",
            defaultValue = "16777216",
            description = "Bound on one client's queued replies and large messages. Default: ${DEFAULT-VALUE}.")
    private long maxOutputBytes;

    @Option(
            names = "--max-request-memory",
            paramLabel = "BYTES",
            defaultValue = "1073741824",
            description = "Bound on requests over 64 KiB that must be whole, all clients. Default: ${DEFAULT-VALUE}.")
    private long maxRequestMemory;

    @Option(
            names = "--client-stall-seconds",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Close a client that reads nothing this long with a full backlog. Default: ${DEFAULT-VALUE}.")
    private int clientStallSeconds;

    @Option(
            names = "--link-timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "The host is dead after this much silence on a link. Default: ${DEFAULT-VALUE}.")
    private int linkTimeoutSeconds;

    @Option(
            names = "--edge-id",
            paramLabel = "NONZERO-U64",
            description = "This edge's identity at the host. Default: random.")
    private String edgeIdText;

    @Option(
            names = "--cpu",
            paramLabel = "LIST",
            description = "A loop pinned to each of these CPUs, such as 2,3,4-6. Default: one loop, not pinned.")
    private String cpuText;

    @Option(
            names = "--loops",
            paramLabel = "N",
            description = "Number of loops, 1 to 64. Default: as --cpu says, or 1.")
    private Integer loops;

    @Option(
            names = "--backlog",
            paramLabel = "N",
            description = "Connections that may wait to be accepted. Default: 4096 or the kernel's limit.")
    private Integer backlog;

    @Option(
            names = "--drain-seconds",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "After SIGTERM serve the clients so long at most, until they leave, while another edge on the same"
                            + " address takes new ones. Default: ${DEFAULT-VALUE}, end at once.")
    private int drainSeconds;

    @Option(
            names = "--idle",
            paramLabel = "spin|backoff",
            defaultValue = "spin",
            description = "spin: one busy core; backoff: sleep in the kernel when idle. Default: ${DEFAULT-VALUE}.")
    private String idleText;

    @Option(
            names = "--upstream-kind",
            paramLabel = "goblin|redis",
            defaultValue = "goblin",
            description = "goblin only (redis is not available yet).")
    private String upstreamKind;

    @Option(
            names = "--upstream-loss",
            paramLabel = "exit|reconnect",
            defaultValue = "exit",
            description = "exit only (reconnect is not available yet).")
    private String upstreamLoss;

    @Option(
            names = "--metrics",
            arity = "2",
            hideParamSyntax = true,
            paramLabel = "ADDRESS PORT",
            description = "Prometheus metrics (not available yet).")
    private List<String> metrics;

    private Endpoint.Tcp listenEndpoint;
    private Endpoint.Tcp upstreamEndpoint;
    private byte[] upstreamPassword;
    private IdlePolicy idle;
    private long edgeId;
    private List<Integer> cpus;

    /**
     * Checks every option and resolves what has to be resolved once.
     *
     * @throws BadOption with one line that names the option and what is allowed
     */
    void conclude() {
        notYet(xlio != null, "--xlio", "use --listen ADDRESS PORT");
        notYet(vcl != null, "--vcl", "use --listen ADDRESS PORT");
        notYet(metrics != null, "--metrics", "leave it out");
        notYet(!"goblin".equals(upstreamKind), "--upstream-kind " + upstreamKind, "only goblin is allowed");
        notYet(!"exit".equals(upstreamLoss), "--upstream-loss " + upstreamLoss, "only exit is allowed");
        if (upstream == null) {
            throw new BadOption("--upstream HOST PORT is required");
        }
        upstreamEndpoint = tcp("--upstream", upstream, 1);
        listenEndpoint = listen == null ? tcp("--listen", List.of("127.0.0.1", "6379"), 0) : tcp("--listen", listen, 0);
        if ((upstreamUser == null) != (upstreamPasswordFile == null)) {
            throw new BadOption("--upstream-auth-user and --upstream-auth-password-file must be given together");
        }
        if (upstreamUser != null) {
            upstreamPassword = readPassword(upstreamPasswordFile);
        }
        ringBytes = range("--unsolicited-output-buffer-bytes", ringBytes, 1, 1L << 30);
        ringBytes = (ringBytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        range("--max-output-buffer-bytes", maxOutputBytes, PAGE_BYTES, 1L << 40);
        range("--max-request-memory", maxRequestMemory, 1L << 16, 1L << 40);
        range("--client-stall-seconds", clientStallSeconds, 1, 86_400);
        range("--drain-seconds", drainSeconds, 0, 86_400);
        range("--link-timeout", linkTimeoutSeconds, 2, 86_400);
        if (backlog == null) {
            backlog = DEFAULT_BACKLOG;
        }
        range("--backlog", backlog, 1, 1 << 20);
        edgeId = edgeIdText == null ? randomEdgeId() : parseEdgeId(edgeIdText);
        cpus = LoopCpus.of(cpuText, loops);
        idle = switch (idleText) {
            case "spin" -> IdlePolicy.SPIN;
            case "backoff" -> IdlePolicy.BACKOFF;
            default -> throw new BadOption("--idle " + idleText + ": allowed are spin and backoff");
        };
    }

    Endpoint.Tcp listenEndpoint() {
        return listenEndpoint;
    }

    Endpoint.Tcp upstreamEndpoint() {
        return upstreamEndpoint;
    }

    /** The users file, or null when clients need not log in. */
    Path authFile() {
        return authFile;
    }

    /** The user for host sessions, or null. */
    String upstreamUser() {
        return upstreamUser;
    }

    /** The password for host sessions; the caller must not change it. Null without a user. */
    byte[] upstreamPassword() {
        return upstreamPassword;
    }

    /** Capacity of one subscriber's ring, a multiple of the page size. */
    long ringBytes() {
        return ringBytes;
    }

    long maxOutputBytes() {
        return maxOutputBytes;
    }

    long maxRequestMemory() {
        return maxRequestMemory;
    }

    long clientStallNs() {
        return clientStallSeconds * 1_000_000_000L;
    }

    long linkTimeoutNs() {
        return linkTimeoutSeconds * 1_000_000_000L;
    }

    /** How long clients are served after SIGTERM, 0 for not at all. */
    long drainNs() {
        return drainSeconds * 1_000_000_000L;
    }

    long edgeId() {
        return edgeId;
    }

    /** One entry a loop: the CPU it is pinned to, or -1. */
    List<Integer> cpus() {
        return cpus;
    }

    /** The number of loops, from 1 on. */
    int loops() {
        return cpus.size();
    }

    int backlog() {
        return backlog;
    }

    IdlePolicy idle() {
        return idle;
    }

    private static void notYet(final boolean given, final String option, final String instead) {
        if (given) {
            throw new BadOption(option + " is not available yet; " + instead);
        }
    }

    private static long range(final String option, final long value, final long low, final long high) {
        if (value < low || value > high) {
            throw new BadOption(option + " " + value + ": allowed is " + low + " to " + high);
        }
        return value;
    }

    private static Endpoint.Tcp tcp(final String option, final List<String> words, final int lowestPort) {
        final int port;
        try {
            port = Integer.parseInt(words.get(1));
        } catch (final NumberFormatException e) {
            throw new BadOption(option + " " + String.join(" ", words) + ": the port must be a number", e);
        }
        range(option + " port", port, lowestPort, 0xFFFF);
        try {
            return new Endpoint.Tcp(InetAddress.getByName(words.getFirst()), port);
        } catch (final UnknownHostException e) {
            throw new BadOption(option + " " + words.getFirst() + ": no such host or address", e);
        }
    }

    private static byte[] readPassword(final Path file) {
        final byte[] raw;
        try {
            raw = Files.readAllBytes(file);
        } catch (final IOException e) {
            throw new BadOption("--upstream-auth-password-file " + file + ": cannot be read", e);
        }
        int end = raw.length;
        while (end > 0 && (raw[end - 1] == '\n' || raw[end - 1] == '\r')) {
            end--;
        }
        final byte[] password = Arrays.copyOf(raw, end);
        Arrays.fill(raw, (byte) 0);
        if (end == 0) {
            throw new BadOption("--upstream-auth-password-file " + file + ": the password is empty");
        }
        return password;
    }

    private static long randomEdgeId() {
        long id;
        do {
            id = ThreadLocalRandom.current().nextLong();
        } while (id == 0);
        return id;
    }

    private static long parseEdgeId(final String text) {
        try {
            final long id = Long.parseUnsignedLong(text);
            if (id != 0) {
                return id;
            }
        } catch (final NumberFormatException e) {
            throw new BadOption("--edge-id " + text + ": allowed is 1 to 18446744073709551615", e);
        }
        throw new BadOption("--edge-id 0: allowed is 1 to 18446744073709551615");
    }

    /** An option is wrong; the message is the line for standard error. */
    static final class BadOption extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BadOption(final String message) {
            super(message);
        }

        BadOption(final String message, final Throwable cause) {
            super(message, cause);
        }
    }
}
