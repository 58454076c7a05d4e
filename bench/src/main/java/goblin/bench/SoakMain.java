// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs an edge and its host under load with clients that vanish at random points, and checks every message and reply:
 * see {@link InvariantChecker}. Afterwards both must hold what they held before. Exit status 0; 1 with one line for any
 * violation; 2 for a bad option.
 */
@Command(
        name = "goblin soak",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = Programs.Version.class,
        description = "Load on edge and host with clients that vanish; every message and reply is checked.")
public final class SoakMain implements Callable<Integer> {
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(45);

    @Spec
    private CommandSpec spec;

    @Option(names = "--minutes", paramLabel = "N", defaultValue = "10", description = "of measured load (10)")
    private double minutes;

    @Option(
            names = "--warmup-seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "of the same load before, after which the state is taken that must come back (60)")
    private int warmupSeconds;

    @Option(names = "--vanish", paramLabel = "N", defaultValue = "20", description = "clients vanishing a second (20)")
    private int vanish;

    @Option(names = "--seed", paramLabel = "N", description = "of the random choices (random)")
    private Long seed;

    @Option(
            names = "--rss-slack-mib",
            paramLabel = "N",
            defaultValue = "48",
            description = "MiB that resident memory may grow (48)")
    private int slackMiB;

    @Option(
            names = "--pending-changes",
            paramLabel = "N",
            defaultValue = "8",
            description = "subscriptions and their ends that one client asks for without a confirmation (8)")
    private int pendingChanges;

    @Option(names = "--no-scripts", description = "forward no EVAL")
    private boolean noScripts;

    @Option(
            names = "--steady",
            description = "nobody vanishes and, after some seconds, nobody subscribes or unsubscribes any more")
    private boolean steady;

    @Option(
            names = "--max-pause-ms",
            paramLabel = "N",
            description = "list the pauses of both JVMs, and fail when one of the edge's is longer (not looked at)")
    private Double maxPauseMs;

    @Option(
            names = "--edge-java-opts",
            paramLabel = "WORDS",
            defaultValue = "",
            description =
                    "options of the edge's JVM behind those of GOBLIN_JAVA_OPTS, to try a collector or a heap (none)")
    private String edgeOptions;

    @Option(
            names = "--pinned",
            description =
                    "the edge's loop alone on CPU 0, all else on CPU 1, with real-time priorities for edge and host")
    private boolean pinned;

    @Option(
            names = "--edge-loops",
            paramLabel = "N",
            defaultValue = "1",
            description = "event loops of the edge, not with --pinned (1)")
    private int edgeLoops;

    @Option(names = "--root", paramLabel = "FOLDER", description = "the folder that holds bin/ (this clone)")
    private Path root;

    @Option(names = "--out", paramLabel = "FOLDER", description = "logs (target/soak)")
    private Path out;

    private SoakMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    static int run(final String... args) {
        return Programs.run(new SoakMain(), args);
    }

    @Override
    public Integer call() throws Failure {
        range("--minutes", minutes, 0.01, 100_000);
        range("--warmup-seconds", warmupSeconds, 0, 100_000);
        range("--vanish", vanish, 0, 10_000);
        range("--pending-changes", pendingChanges, 1, 1000);
        range("--max-pause-ms", maxPauseMs == null ? 1 : maxPauseMs, 0, 100_000);
        range("--rss-slack-mib", slackMiB, 0, 1_000_000);
        range("--edge-loops", edgeLoops, 1, pinned ? 1 : 64);
        final Path base = Root.find(root);
        if (pinned) {
            Placement.check();
        }
        final Path folder = out == null ? base.resolve("target/soak") : out;
        final Bench bench = new Bench(base, folder, pinned);
        final Pauses edgePauses = new Pauses(folder, "edge");
        final Pauses hostPauses = new Pauses(folder, "host");
        final long chosen = seed == null ? System.nanoTime() : seed;
        System.err.println("seed " + chosen + ", " + warmupSeconds + " s before, then " + minutes + " minutes");
        try (Bench.Pair pair = bench.pair(
                        options(edgePauses, edgeOptions),
                        options(hostPauses, ""),
                        "--loops",
                        Integer.toString(edgeLoops));
                SoakLoad load = new SoakLoad(
                        pair.edge().port(), pair.host().port(), chosen, pendingChanges, !noScripts, steady)) {
            soak(pair, load, edgePauses, hostPauses);
        }
        return 0;
    }

    private Map<String, String> options(final Pauses pauses, final String more) {
        final String given = System.getenv().getOrDefault("GOBLIN_JAVA_OPTS", "");
        final String log = maxPauseMs == null ? "" : pauses.option();
        return Map.of("GOBLIN_JAVA_OPTS", String.join(" ", given, more, log).strip());
    }

    private void soak(final Bench.Pair pair, final SoakLoad load, final Pauses edgePauses, final Pauses hostPauses)
            throws Failure {
        load.run(TimeUnit.SECONDS.toNanos(warmupSeconds), vanishing());
        final ServerState[] before = settled(pair, null);
        final long deliveries = load.checker().deliveries();
        final long publications = load.checker().publications();
        final long forwarded = load.forwarded();
        final long vanished = load.vanished();
        final long startNs = System.nanoTime();

        if (maxPauseMs != null) {
            edgePauses.begin();
            hostPauses.begin();
        }
        load.run((long) (minutes * 60e9), vanishing());

        final long elapsedNs = System.nanoTime() - startNs;
        if (maxPauseMs != null) {
            judge(edgePauses.causes(), hostPauses.causes());
        }
        final ServerState[] after = settled(pair, before);
        final Table counts = new Table("checked in " + elapsedNs / 1_000_000_000 + " s", "number");
        counts.row("deliveries", whole(load.checker().deliveries() - deliveries));
        counts.row("publications", whole(load.checker().publications() - publications));
        counts.row("forwarded commands", whole(load.forwarded() - forwarded));
        counts.row("vanished clients", whole(load.vanished() - vanished));
        System.out.println("\n" + counts.markdown());
        System.out.println(states(before, after).markdown());
        new ExactCounts(pair).check();
        System.out.println("Nothing lost, nothing twice, order kept; counts are exact; all is back where it began.");
    }

    private int vanishing() {
        return steady ? 0 : vanish;
    }

    private void judge(final Map<String, Pauses.Cause> edge, final Map<String, Pauses.Cause> host) throws Failure {
        final Table table = new Table("pauses", "number", "longest ms", "together ms");
        addPauses(table, "edge", edge);
        addPauses(table, "host", host);
        System.out.println("\n" + table.markdown());
        if (Pauses.longestNs(edge) > maxPauseMs * 1e6) {
            throw new Failure("the edge paused for " + millis(Pauses.longestNs(edge)) + " ms, allowed: " + maxPauseMs);
        }
    }

    private static void addPauses(final Table table, final String name, final Map<String, Pauses.Cause> causes) {
        if (causes.isEmpty()) {
            table.row(name + ": none", "0", "0", "0");
        }
        causes.forEach((cause, all) ->
                table.row(name + ": " + cause, whole(all.count()), millis(all.longestNs()), millis(all.totalNs())));
    }

    private static String millis(final long ns) {
        return String.format(Locale.ROOT, "%.3f", ns / 1e6);
    }

    /**
     * The state of edge and host once both are quiet. Sessions of clients that left end a little later: what is taken
     * first is waited for until it stays, what is compared until it is the same.
     */
    private ServerState[] settled(final Bench.Pair pair, final ServerState[] before) throws Failure {
        final long deadlineNs = System.nanoTime() + SETTLE_NS;
        try (SimpleClient client = new SimpleClient(pair.host().port())) {
            client.ask("FLUSHALL");
        }
        ServerState[] last = before;
        while (true) {
            // The host first: what the edge forwards of our questions there opens a session for a moment.
            final ServerState host = ServerState.of("host", pair.host());
            final ServerState[] now = {ServerState.of("edge", pair.edge()), host};
            final List<String> differences = new ArrayList<>();
            for (int i = 0; i < now.length; i++) {
                differences.addAll(last == null ? List.of("not taken yet") : now[i].differences(last[i]));
                if (!now[i].quiet()) {
                    differences.add("clients or subscriptions are left: " + now[i].figures());
                }
                if (before != null && now[i].rssBytes() > before[i].rssBytes() + ((long) slackMiB << 20)) {
                    differences.add("resident memory grew from " + mib(before[i]) + " to " + mib(now[i]) + " MiB");
                }
            }
            if (differences.isEmpty()) {
                return now;
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new Failure("not back where it began: " + String.join("; ", differences));
            }
            last = before == null ? now : before;
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
    }

    private static Table states(final ServerState[] before, final ServerState[] after) {
        final Table table = new Table("held at rest", "before", "after");
        for (int i = 0; i < after.length; i++) {
            final ServerState was = before[i];
            after[i].figures()
                    .forEach((name, value) -> table.row(name, was.figures().get(name), value));
        }
        table.row("edge resident MiB", mib(before[0]), mib(after[0]));
        table.row("host resident MiB", mib(before[1]), mib(after[1]));
        return table;
    }

    private static String mib(final ServerState state) {
        return Long.toString(state.rssBytes() >> 20);
    }

    private static String whole(final long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private void range(final String name, final double value, final double least, final double most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(),
                    String.format(Locale.ROOT, "%s is out of range, allowed: %s to %s", name, least, most));
        }
    }
}
