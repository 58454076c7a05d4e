// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Compares edge and host with Redis: every side is measured in turn in one run, on the same cores with the same
 * real-time priorities, and ratios are taken pair by pair. Starts and ends all servers itself, on loopback. Prints
 * Markdown and keeps CSV. Exit status 0; 1 with one line for a failure, wrong answers included; 2 for a bad option.
 */
@Command(
        name = "goblin bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = Programs.Version.class,
        description = "Compares edge and host with redis-server, alternating in one run.")
public final class CompareMain implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @ArgGroup(exclusive = false, heading = "Parts (default: all)%n")
    private Parts parts = new Parts();

    @Option(names = "--alternations", paramLabel = "N", defaultValue = "5", description = "of each part (5)")
    private int alternations;

    @Option(names = "--samples", paramLabel = "N", defaultValue = "50000", description = "of a latency probe (50000)")
    private int samples;

    @Option(names = "--warmup", paramLabel = "N", defaultValue = "50000", description = "before it (50000)")
    private int warmup;

    @Option(
            names = "--idle-clients",
            paramLabel = "N,…",
            split = ",",
            defaultValue = "0,1000,5000",
            description = "steps of --idle (0,1000,5000)")
    private List<Integer> idleClients;

    @Option(
            names = "--requests",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "of redis-benchmark at -P 16, a quarter of it at -P 1 (1000000)")
    private int requests;

    @Option(names = "--burst-seconds", paramLabel = "N", defaultValue = "30", description = "of --burst (30)")
    private int burstSeconds;

    @Option(
            names = "--burst-subscribers",
            paramLabel = "N,…",
            split = ",",
            defaultValue = "50,1000",
            description = "steps of --burst (50,1000)")
    private List<Integer> burstSubscribers;

    @Option(names = "--unpinned", description = "set neither cores nor priorities; figures do not compare")
    private boolean unpinned;

    @Option(names = "--root", paramLabel = "FOLDER", description = "the folder that holds bin/ (this clone)")
    private Path root;

    @Option(names = "--out", paramLabel = "FOLDER", description = "CSV files and logs (target/bench)")
    private Path out;

    /** What to measure. */
    static final class Parts {
        @Option(names = "--local", description = "PUBLISH and subscriber at the edge, against Redis")
        private boolean local;

        @Option(names = "--host-to-edge", description = "host PUBLISH to edge subscriber, against Redis direct")
        private boolean hostToEdge;

        @Option(names = "--idle", description = "local publication beside idle clients")
        private boolean idle;

        @Option(names = "--throughput", description = "redis-benchmark: edge, host direct, Redis")
        private boolean throughput;

        @Option(names = "--burst", description = "full load on the host, every edge subscriber checks every message")
        private boolean burst;

        private boolean none() {
            return !(local || hostToEdge || idle || throughput || burst);
        }
    }

    private CompareMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    static int run(final String... args) {
        return Programs.run(new CompareMain(), args);
    }

    @Override
    public Integer call() throws Failure {
        atLeast("--alternations", alternations, 1);
        atLeast("--samples", samples, 1);
        atLeast("--warmup", warmup, 0);
        atLeast("--requests", requests, 1000);
        atLeast("--burst-seconds", burstSeconds, 1);
        for (final int count : idleClients) {
            atLeast("--idle-clients", count, 0);
        }
        for (final int count : burstSubscribers) {
            atLeast("--burst-subscribers", count, 1);
        }
        final Path base = Root.find(root);
        final Path folder = out == null ? base.resolve("target/bench") : out;
        if (!unpinned) {
            Placement.check();
        }
        measure(new Bench(base, folder, !unpinned), new Report(folder));
        return 0;
    }

    private void measure(final Bench bench, final Report report) throws Failure {
        final boolean all = parts.none();
        final LatencyComparison latency = new LatencyComparison(bench, report, alternations, samples, warmup);
        if (all || parts.local) {
            latency.local();
        }
        if (all || parts.hostToEdge) {
            latency.hostToEdge();
        }
        if (all || parts.idle) {
            latency.idle(idleClients);
        }
        if (all || parts.throughput) {
            new ThroughputComparison(bench, report, alternations, requests).run();
        }
        if (all || parts.burst) {
            burst(bench, report);
        }
    }

    private void burst(final Bench bench, final Report report) throws Failure {
        final Table table = new Table(
                "edge subscribers", "messages", "messages/s", "deliveries", "deliveries/s", "drained after s", "cut");
        // Priorities would starve the subscribers, which read on the host's core.
        final Bench free = new Bench(bench.root(), bench.folder(), false);
        for (final int count : burstSubscribers) {
            try (Bench.Pair pair = free.pair()) {
                final Burst.Result result = new Burst(
                                report, pair.host().port(), pair.edge().port())
                        .run(count, TimeUnit.SECONDS.toNanos(burstSeconds));
                final double seconds = (result.publishNs() + result.drainNs()) / 1e9;
                table.row(
                        Series.whole(count),
                        Series.whole((double) result.messages()),
                        Series.whole(result.messages() / seconds),
                        Series.whole((double) result.deliveries()),
                        Series.whole(result.deliveries() / seconds),
                        Series.one(result.drainNs() / 1e9),
                        "0");
                report.progress("burst: " + count + " subscribers, " + result.messages() + " messages, all in order");
            }
        }
        report.table(
                "burst",
                burstSeconds + " s of 50 publishers with 16 in a pipeline at the host; every subscriber got every"
                        + " message in order",
                table);
    }

    private void atLeast(final String name, final int value, final int least) {
        if (value < least) {
            throw new ParameterException(
                    spec.commandLine(), name + " " + value + " is out of range, allowed: " + least + " or more");
        }
    }
}
