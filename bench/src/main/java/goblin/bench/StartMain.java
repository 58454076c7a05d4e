// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.bench.ProbeConnection.Waiting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
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
 * Measures how warm an edge is from its start on, with the cache that the build made by a training run and without it,
 * alternating: time until it answers, latency of single publications, resident memory. Exit status 0; 1 with one line for
 * a failure; 2 for a bad option.
 */
@Command(
        name = "goblin bench start",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = Programs.Version.class,
        description = "How warm an edge starts, with the recorded cache and without, alternating.")
public final class StartMain implements Callable<Integer> {
    private static final byte[] CHANNEL = RespBytes.ascii("goblin:start");
    private static final int PAYLOAD_BYTES = 64;
    /** The publications whose latency is told. */
    private static final int[] PLACES = {1, 100, 10_000};

    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(500);

    @Spec
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "10", description = "starts of each kind (10)")
    private int rounds;

    @Option(names = "--unpinned", description = "set neither cores nor priorities; figures do not compare")
    private boolean unpinned;

    @Option(names = "--root", paramLabel = "FOLDER", description = "the folder that holds bin/ (this clone)")
    private Path root;

    @Option(names = "--out", paramLabel = "FOLDER", description = "CSV files and logs (target/bench)")
    private Path out;

    /** How the edge is started. */
    private enum Kind {
        CACHE("with the cache", ""),
        NO_CACHE("without", "-XX:AOTMode=off");

        private final String text;
        private final String option;

        Kind(final String text, final String option) {
            this.text = text;
            this.option = option;
        }
    }

    private StartMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    static int run(final String... args) {
        return Programs.run(new StartMain(), args);
    }

    @Override
    public Integer call() throws Failure {
        if (rounds < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--rounds " + rounds + " is out of range, allowed: 1 or more");
        }
        final Path base = Root.find(root);
        final Path folder = out == null ? base.resolve("target/bench") : out;
        if (!unpinned) {
            Placement.check();
        }
        final Report report = new Report(folder);
        final Bench bench = new Bench(base, folder, !unpinned);
        final Map<Kind, List<double[]>> results = new EnumMap<>(Kind.class);
        try (Server host = bench.hostOfEdge(Map.of())) {
            // The probe itself must not be cold when it meets the first edge that counts.
            start(bench, host, Kind.NO_CACHE);
            for (int round = 0; round < rounds; round++) {
                for (final Kind kind : round % 2 == 0 ? Kind.values() : reversed()) {
                    final double[] figures = start(bench, host, kind);
                    results.computeIfAbsent(kind, any -> new ArrayList<>()).add(figures);
                    report.progress("start " + (round + 1) + "/" + rounds + " " + kind.text + ": ready after "
                            + Series.one(figures[0]) + " ms");
                }
            }
        }
        report.table("start", "Starts of an edge, medians of " + rounds + ", alternating", table(results));
        return 0;
    }

    private static Kind[] reversed() {
        return new Kind[] {Kind.NO_CACHE, Kind.CACHE};
    }

    private static Table table(final Map<Kind, List<double[]>> results) {
        final Table table = new Table("edge", "with the cache", "without", "ratio");
        final List<String> rows = new ArrayList<>();
        rows.add("ready after ms");
        for (final int place : PLACES) {
            rows.add("delivery of publication " + Series.whole(place) + " in µs");
        }
        rows.add("resident MiB after it");
        for (int row = 0; row < rows.size(); row++) {
            final double with = median(results.get(Kind.CACHE), row);
            final double without = median(results.get(Kind.NO_CACHE), row);
            table.row(rows.get(row), Series.one(with), Series.one(without), Series.two(with / without));
        }
        return table;
    }

    private static double median(final List<double[]> figures, final int row) {
        return Series.median(figures.stream().map(each -> each[row]).toList());
    }

    /** The figures of one start, in the order of the table. */
    private double[] start(final Bench bench, final Server host, final Kind kind) throws Failure {
        final double[] figures = new double[PLACES.length + 2];
        final long startNs = System.nanoTime();
        try (Server edge = bench.startEdge(host, Map.of("GOBLIN_JAVA_OPTS", kind.option))) {
            figures[0] = (awaitReady(edge) - startNs) / 1e6;
            try (ProbeConnection subscriber = ProbeConnection.open(Server.ADDRESS, edge.port());
                    ProbeConnection publisher = ProbeConnection.open(Server.ADDRESS, edge.port());
                    LatencyLoop loop = new LatencyLoop(publisher, subscriber, CHANNEL, PAYLOAD_BYTES, 1)) {
                if (!unpinned) {
                    subscriber.waiting(Waiting.POLLING);
                    publisher.waiting(Waiting.POLLING);
                }
                subscriber.exchange(RespBytes.subscribe(CHANNEL), RespBytes.confirmation("subscribe", CHANNEL, 1));
                int done = 0;
                for (int i = 0; i < PLACES.length; i++) {
                    loop.run(PLACES[i] - 1 - done);
                    figures[i + 1] = loop.measure(1).deliveries().getMaxValue() / 1e3;
                    done = PLACES[i];
                }
            }
            figures[PLACES.length + 1] = Footprint.rss(edge.program().pid()) / 1048576.0;
        }
        return figures;
    }

    /** When the edge answered first, by the clock of {@link System#nanoTime}. */
    private static long awaitReady(final Server edge) throws Failure {
        final long deadlineNs = System.nanoTime() + START_NS;
        while (true) {
            try (ProbeConnection connection = ProbeConnection.open(Server.ADDRESS, edge.port())) {
                connection.exchange(RespBytes.command("PING"), RespBytes.ascii("+PONG\r\n"));
                return System.nanoTime();
            } catch (final Failure failure) {
                if (!edge.program().alive() || System.nanoTime() - deadlineNs > 0) {
                    throw new Failure("the edge did not start" + edge.program().lastLines(), failure);
                }
                LockSupport.parkNanos(POLL_NS);
            }
        }
    }
}
