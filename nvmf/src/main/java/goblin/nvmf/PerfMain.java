// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.NetException;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.net.epoll.EpollTransport;
import goblin.net.uring.UringTransport;
import goblin.nvmf.initiator.InitiatorException;
import goblin.nvmf.initiator.InitiatorOptions;
import goblin.nvmf.perf.ByteSize;
import goblin.nvmf.perf.CompareOptions;
import goblin.nvmf.perf.Comparison;
import goblin.nvmf.perf.LoadResult;
import goblin.nvmf.perf.LoadRun;
import goblin.nvmf.perf.PerfTable;
import goblin.nvmf.perf.Retention;
import goblin.nvmf.perf.Workload;
import goblin.nvmf.tcp.SocketBackend;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program {@code goblin-nvmf-perf}: loads a target and tells how fast it was. Exit status: 0; 1 with one line when the
 * target cannot be reached, refuses or answers wrongly; 2 with one line for a bad command line.
 */
@Command(
        name = PerfMain.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = PerfMain.VersionText.class,
        description = "Loads an NVMe/TCP target and measures it. Writes destroy what the namespace holds.")
public final class PerfMain implements Callable<Integer> {
    static final String NAME = "goblin-nvmf-perf";

    private static final int LARGEST_IO = 64 << 20;
    private static final Set<String> FOR_TABLE =
            Set.of("--table", "--rounds", "--target-cpu", "--cpu", "--sockets", "--csv", "--warmup", "--seconds");
    private static final Set<String> FOR_COMPARE =
            Set.of("--compare", "--rounds", "--target-cpu", "--cpu", "--sockets", "--warmup", "--seconds");
    private static final Set<String> FOR_RETENTION = Set.of(
            "--retention",
            "--rounds",
            "--target-cpu",
            "--cpu",
            "--sockets",
            "--warmup",
            "--seconds",
            "--pieces",
            "--limits",
            "--target-options");
    private static final Set<String> NOT_FOR_LOAD = Set.of("--rounds", "--target-cpu");
    private static final double SECOND_NS = 1e9;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private What what;

    @Option(names = "--nqn", paramLabel = "NQN", description = "The subsystem.")
    private String nqn;

    @Option(names = "--host-nqn", paramLabel = "NQN", description = "Our own name (default: made for this run).")
    private String hostNqn;

    @Option(names = "--nsid", paramLabel = "N", defaultValue = "1", description = "The namespace (default 1).")
    private int nsid;

    @Option(
            names = "--io-size",
            paramLabel = "BYTES",
            defaultValue = "4K",
            converter = ByteSize.class,
            description = "Bytes of each command (default 4K).")
    private long ioSize;

    @Option(
            names = "--read-mix",
            paramLabel = "PERCENT",
            defaultValue = "100",
            description = "How many of a hundred commands are reads (default 100).")
    private int readMix;

    @ArgGroup
    private Order order = new Order();

    @Option(
            names = "--span",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = ByteSize.class,
            description = "Use only so much of the namespace, from its beginning (default: all).")
    private long span;

    @Option(
            names = "--queue-depth",
            paramLabel = "N",
            defaultValue = "32",
            description = "Commands of each queue under way (default 32).")
    private int queueDepth;

    @Option(names = "--queues", paramLabel = "N", defaultValue = "1", description = "I/O queues (default 1).")
    private int queues;

    @Option(names = "--header-digest", description = "Use header digests.")
    private boolean headerDigest;

    @Option(names = "--data-digest", description = "Use data digests.")
    private boolean dataDigest;

    @Option(names = "--verify", description = "Stamp what is written and check the stamps when it is read.")
    private boolean verify;

    @Option(
            names = "--keep-alive",
            paramLabel = "MS",
            defaultValue = "0",
            description = "Keep Alive Timeout (default 0: none).")
    private int keepAliveMs;

    @ArgGroup
    private Length length = new Length();

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            description = "How long commands run before they count (default 1; with --compare 0.2).")
    private Double warmUp;

    @Option(names = "--cpu", paramLabel = "N", description = "Pin the loop that makes the load to this CPU.")
    private Integer cpu;

    @Option(
            names = "--sockets",
            paramLabel = "epoll|io_uring",
            defaultValue = "epoll",
            description = "What serves the sockets of the loop that makes the load (default epoll).")
    private SocketBackend sockets;

    @Option(names = "--csv", description = "Print CSV.")
    private boolean csv;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "When targets are started: how often each row is measured (default 3).")
    private int rounds;

    @Option(
            names = "--target-cpu",
            paramLabel = "N",
            defaultValue = "0",
            description = "When targets are started: the CPU of the target's loop (default 0).")
    private int targetCpu;

    @Mixin
    private PerfChoice choice = new PerfChoice();

    /** What to measure. */
    private static final class What {
        @Option(
                names = "--target",
                arity = "2",
                paramLabel = "ADDRESS PORT",
                hideParamSyntax = true,
                description = "The target.")
        private List<String> target;

        @Option(
                names = "--table",
                description = "Start a target of this clone and print the table of sizes, operations, depths, media"
                        + " and digests.")
        private boolean table;

        @Option(
                names = "--compare",
                description = "Start targets of this clone side by side and compare ways to deliver received payload:"
                        + " copied, in vectors that do not grow, that are large from the start, that grow, and placed at"
                        + " pages. Prints tables; compare.csv and compare.svg go to --output.")
        private boolean compare;

        @Option(
                names = "--retention",
                description =
                        "Start targets of this clone side by side that keep grown vectors, release them or let them"
                                + " decay; what each holds after a burst of 64 connections, and what it costs with small and large"
                                + " writes in turn.")
        private boolean retention;

        /** Whether the program starts targets itself. */
        boolean startsTargets() {
            return table || compare || retention;
        }
    }

    /** Where commands go. */
    private static final class Order {
        @Option(names = "--random", description = "Commands go anywhere (default).")
        @SuppressWarnings("unused") // the default, there to exclude the other
        private boolean random;

        @Option(names = "--sequential", description = "Commands follow each other.")
        private boolean sequential;
    }

    /** How long it takes. */
    private static final class Length {
        @Option(
                names = "--seconds",
                paramLabel = "SECONDS",
                description = "How long commands count (default 5; with --compare 0.5; with --retention 2).")
        private Double seconds;

        @Option(names = "--ios", paramLabel = "N", description = "How many commands count.")
        private Long ios;
    }

    private PerfMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    private static int run(final String... args) {
        return run(null, args);
    }

    /** Runs the program; {@code err} instead of standard error, null for that, gets what went wrong. */
    static int run(final PrintWriter err, final String... args) {
        final CommandLine line = new CommandLine(new PerfMain()).setCaseInsensitiveEnumValuesAllowed(true);
        if (err != null) {
            line.setErr(err);
        }
        line.setParameterExceptionHandler((wrong, given) -> {
            line.getErr()
                    .println(NAME + ": "
                            + wrong.getMessage().lines().findFirst().orElse("bad command line") + "; see --help");
            return 2;
        });
        line.setExecutionExceptionHandler((failed, commandLine, result) -> {
            if (!(failed instanceof InitiatorException)) {
                throw failed;
            }
            line.getErr().println(NAME + ": " + failed.getMessage());
            return 1;
        });
        return line.execute(args);
    }

    @Override
    public Integer call() throws InterruptedException {
        range("--io-size", ioSize, 512, LARGEST_IO);
        range("--read-mix", readMix, 0, 100);
        range("--queue-depth", queueDepth, 1, 65_535);
        range("--queues", queues, 1, 1024);
        range("--rounds", rounds, 1, 100);
        range("--keep-alive", keepAliveMs, 0, Integer.MAX_VALUE);
        range("--ios", length.ios == null ? 1 : length.ios, 1, Long.MAX_VALUE);
        refuseWhatIsIgnored();
        if (!(warmUp(1) >= 0 && warmUp(1) < 1e6) || !(seconds(1) > 0 && seconds(1) < 1e6)) {
            throw new ParameterException(spec.commandLine(), "--warmup and --seconds must be positive");
        }
        final int pinned = cpu != null ? cpu : what.startsTargets() ? 1 - Math.min(1, targetCpu) : EventLoop.ANY_CPU;
        try (EventLoop loop = new EventLoop(NAME, transport(), IdlePolicy.SPIN, pinned)) {
            loop.start();
            if (what.table) {
                return table(loop);
            }
            return what.compare ? compare(loop) : what.retention ? retention(loop) : load(loop);
        }
    }

    private Transport transport() {
        final FaultReporter faults = FaultReporter.STANDARD_ERROR;
        try {
            return switch (sockets) {
                case EPOLL -> new EpollTransport(new SegmentArena(), faults);
                case IO_URING -> new UringTransport(new SegmentArena(), faults);
            };
        } catch (final NetException refused) {
            throw new InitiatorException(refused.getMessage());
        }
    }

    private double warmUp(final double otherwise) {
        return warmUp == null ? otherwise : warmUp;
    }

    private double seconds(final double otherwise) {
        return length.seconds == null ? otherwise : length.seconds;
    }

    private void refuseWhatIsIgnored() {
        for (final OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
            final String name = given.longestName();
            final String why;
            if (what.table) {
                why = FOR_TABLE.contains(name) ? null : "with --table";
            } else if (what.compare) {
                why = FOR_COMPARE.contains(name) || PerfChoice.NAMES.contains(name) ? null : "with --compare";
            } else if (what.retention) {
                why = FOR_RETENTION.contains(name) ? null : "with --retention";
            } else if (PerfChoice.NAMES.contains(name)) {
                why = "without --compare";
            } else {
                why = NOT_FOR_LOAD.contains(name) ? "when no targets are started" : null;
            }
            if (why != null) {
                throw new ParameterException(spec.commandLine(), name + " means nothing " + why);
            }
        }
    }

    private static Path root() {
        final String root = System.getenv("GOBLIN_ROOT");
        return Path.of(root == null ? "" : root);
    }

    private int compare(final EventLoop loop) throws InterruptedException {
        System.out.print(new Comparison(loop, System.err, options(0.2, 0.5)).measure());
        return 0;
    }

    private int retention(final EventLoop loop) throws InterruptedException {
        System.out.print(new Retention(loop, System.err, options(1, 2)).measure());
        return 0;
    }

    private CompareOptions options(final double otherwiseWarmUp, final double otherwiseSeconds) {
        return choice.options(
                this::range,
                root(),
                rounds,
                nanoseconds(warmUp(otherwiseWarmUp)),
                nanoseconds(seconds(otherwiseSeconds)),
                targetCpu,
                what.retention);
    }

    private int table(final EventLoop loop) throws InterruptedException {
        final PerfTable table =
                new PerfTable(loop, System.err, rounds, nanoseconds(warmUp(1)), nanoseconds(seconds(5)));
        System.out.print(table.measure(root(), targetCpu, csv));
        return 0;
    }

    private int load(final EventLoop loop) throws InterruptedException {
        if (nqn == null) {
            throw new ParameterException(spec.commandLine(), "--target needs --nqn");
        }
        final boolean counted = length.ios != null;
        final LoadRun run = new LoadRun(
                loop,
                options(),
                new Workload(
                        nsid,
                        (int) ioSize,
                        readMix,
                        !order.sequential,
                        verify,
                        span,
                        nanoseconds(warmUp(1)),
                        counted ? Long.MAX_VALUE : nanoseconds(seconds(5)),
                        counted ? length.ios : Long.MAX_VALUE));
        print(watched(run));
        return 0;
    }

    private InitiatorOptions options() {
        final InetAddress address;
        final int port;
        try {
            address = InetAddress.getByName(what.target.getFirst());
            port = Integer.parseInt(what.target.getLast());
            range("PORT", port, 1, 65_535);
        } catch (final UnknownHostException unknown) {
            throw new InitiatorException("the host " + what.target.getFirst() + " is unknown");
        } catch (final NumberFormatException wrong) {
            throw new ParameterException(spec.commandLine(), "'" + what.target.getLast() + "' is no port");
        }
        final InitiatorOptions options = InitiatorOptions.of(address, port, nqn)
                .withQueues(queues, queueDepth)
                .withDigests(headerDigest, dataDigest)
                .withKeepAlive(keepAliveMs);
        return hostNqn == null ? options : options.withHost(hostNqn);
    }

    /** Waits for the result and tells each second how it goes. */
    private LoadResult watched(final LoadRun run) throws InterruptedException {
        final CompletableFuture<LoadResult> result = run.start();
        long before = 0;
        while (true) {
            try {
                return result.get(1, TimeUnit.SECONDS);
            } catch (final TimeoutException running) {
                final long now = run.completedSoFar();
                System.err.printf(
                        Locale.ROOT, "%d IOPS, %.0f MiB/s%n", now - before, (now - before) * (ioSize / 1048576.0));
                before = now;
            } catch (final ExecutionException failed) {
                throw failed.getCause() instanceof final InitiatorException known
                        ? known
                        : new IllegalStateException(failed.getCause());
            }
        }
    }

    private void print(final LoadResult result) {
        final double seconds = result.elapsedNs() / SECOND_NS;
        if (csv) {
            System.out.println("ios,seconds,iops,mib_per_s,p50_us,p99_us,p99_9_us,max_us,verified_blocks");
        }
        System.out.printf(
                Locale.ROOT,
                csv
                        ? "%d,%.3f,%.0f,%.1f,%.1f,%.1f,%.1f,%.1f,%d%n"
                        : "%d commands in %.2f s: %.0f IOPS, %.1f MiB/s; latency p50 %.1f, p99 %.1f, p99.9 %.1f, max %.1f µs;"
                                + " %d blocks verified%n",
                result.ios(),
                seconds,
                result.iops(),
                result.mebibytesPerSecond(),
                result.latencyUs(50),
                result.latencyUs(99),
                result.latencyUs(99.9),
                result.latencyUs(100),
                result.verified());
    }

    private void range(final String name, final long value, final long least, final long most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), name + " " + value + " is out of range, allowed: " + least + " to " + most);
        }
    }

    private static long nanoseconds(final double seconds) {
        return (long) (seconds * SECOND_NS);
    }

    /** Answers {@code --version}. */
    static final class VersionText implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {NAME + " " + Version.TEXT};
        }
    }
}
