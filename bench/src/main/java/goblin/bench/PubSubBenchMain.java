// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures Pub/Sub of the edge, redis-server and any other server of RESP side by side: by turns in one run, each
 * server on the same CPU, the others stopped meanwhile. A run counts only if every subscriber received every message in
 * order and none was cut. Writes tables, single figures, histograms and a plot. Exit status 0, also when an aim is
 * missed; 1 when a run did not count or there is no measuring; 2 with one line for a bad option.
 */
@Command(
        name = "goblin bench pubsub",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = Programs.Version.class,
        description = "Measures Pub/Sub of edge, redis-server and others side by side.")
public final class PubSubBenchMain implements Callable<Integer> {
    private static final double LEAST_SECONDS = 0.01;

    @Spec
    private CommandSpec spec;

    @Option(names = "--only", paramLabel = "ROW,…", split = ",", description = "measure these only (all)")
    private List<String> only = List.of();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "of each case, at each side (3)")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "1", description = "of each run (1)")
    private double seconds;

    @Option(names = "--quick", description = "try the whole way in seconds; the figures mean nothing")
    private boolean quick;

    @Option(
            names = "--peer",
            paramLabel = "NAME=COMMAND",
            description = "another server of RESP, repeatable: a command line with {port} in it that runs in the"
                    + " foreground on 127.0.0.1")
    private List<String> peers = List.of();

    @Option(
            names = "--subscribers",
            paramLabel = "N",
            defaultValue = "10000",
            description = "whose memory is measured at most (10000)")
    private int subscribers;

    @Option(names = "--server-cpu", paramLabel = "N", defaultValue = "0", description = "of the server measured (0)")
    private int serverCpu;

    @Option(names = "--client-cpu", paramLabel = "N", defaultValue = "1", description = "of everything else (1)")
    private int clientCpu;

    @Option(names = "--unpinned", description = "set no CPUs; figures do not compare")
    private boolean unpinned;

    @Option(names = "--root", paramLabel = "FOLDER", description = "the folder that holds bin/ (this clone)")
    private Path root;

    @Option(names = "--output", paramLabel = "FOLDER", description = "everything written (target/bench-pubsub)")
    private Path output;

    private PubSubBenchMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    static int run(final String... args) {
        return Programs.run(new PubSubBenchMain(), args);
    }

    @Override
    public Integer call() throws Failure {
        check();
        final Path base = Root.find(root);
        final Path folder = (output == null ? base.resolve("target/bench-pubsub") : output).toAbsolutePath();
        if (!unpinned) {
            Placement.checkCpus(serverCpu, clientCpu);
        }
        final Scale scale = quick ? Scale.tiny() : Scale.full(rounds, seconds, subscribers);
        final Contenders makers = new Contenders(base, folder, !unpinned, serverCpu, clientCpu);
        try (Workloads workloads = new Workloads(makers, scale, peers(makers));
                RunFiles files = new RunFiles(folder, "goblin bench pubsub")) {
            final Rounds turns = new Rounds(scale.rounds(), !scale.quick(), files, System.err::println);
            final PubSubReport report = new PubSubReport(folder, placement(), scale);
            for (final Workload workload : workloads.named(only)) {
                report.add(turns.run(workload));
                if (!scale.quick()) {
                    // What one leaves behind would slow the next: Redis goes over all places of the table that held
                    // 8,192 patterns at every PUBLISH, also when they are gone.
                    workload.sides().forEach(Contender::close);
                }
            }
            report.end();
            return report.complete() ? 0 : 1;
        }
    }

    private void check() {
        if (rounds < 1) {
            throw outOfRange("--rounds " + rounds, "1 or more");
        }
        if (seconds < LEAST_SECONDS) {
            throw outOfRange("--seconds " + seconds, LEAST_SECONDS + " or more");
        }
        if (subscribers < 1) {
            throw outOfRange("--subscribers " + subscribers, "1 or more");
        }
        for (final String name : only) {
            if (!Workloads.NAMES.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--only '" + name + "' is unknown, allowed: " + String.join(", ", Workloads.NAMES));
            }
        }
        for (final String peer : peers) {
            if (peer.indexOf('=') < 1 || !peer.contains("{port}")) {
                throw new ParameterException(
                        spec.commandLine(), "--peer '" + peer + "' is not NAME=COMMAND with {port} in it");
            }
        }
    }

    private ParameterException outOfRange(final String what, final String allowed) {
        return new ParameterException(spec.commandLine(), what + " is out of range, allowed: " + allowed);
    }

    private List<Contender> peers(final Contenders makers) {
        final List<Contender> others = new ArrayList<>();
        for (final String peer : peers) {
            final int equals = peer.indexOf('=');
            others.add(makers.other(peer.substring(0, equals), peer.substring(equals + 1)));
        }
        return others;
    }

    private String placement() {
        return unpinned ? "nothing pinned" : "each server on CPU " + serverCpu + ", host and load on CPU " + clientCpu;
    }
}
