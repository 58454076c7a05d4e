// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Checks and measures publications between an edge and its host. First every direction is validated and the counting
 * of two subscribers, one at each, must be exact; then each direction is measured. Exit status 0; 1 with one line when
 * a server cannot be reached or answers wrongly; 2 with one line for a bad command line.
 */
@Command(
        name = PubSubLatencyMain.NAME,
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = Programs.Version.class,
        description = "Validates and measures publications from edge to host, host to edge and edge to edge.")
public final class PubSubLatencyMain implements Callable<Integer> {
    static final String NAME = "goblin-bluefield-pubsub-latency";

    private static final List<String> DIRECTIONS = List.of("edge-host", "host-edge", "edge-edge");

    @Option(names = "--edge-host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "default 127.0.0.1")
    private String edgeHost;

    @Option(names = "--edge-port", paramLabel = "PORT", defaultValue = "6379", description = "default 6379")
    private int edgePort;

    @Option(names = "--host-host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "default 127.0.0.1")
    private String hostHost;

    @Option(names = "--host-port", paramLabel = "PORT", defaultValue = "6380", description = "default 6380")
    private int hostPort;

    @Option(names = "--samples", paramLabel = "N", defaultValue = "100000", description = "of each direction (100000)")
    private int samples;

    @Option(names = "--warmup", paramLabel = "N", defaultValue = "20000", description = "before each (20000)")
    private int warmup;

    @Option(
            names = "--direction",
            paramLabel = "FROM-TO",
            defaultValue = "edge-host,host-edge,edge-edge",
            split = ",",
            description = "what to measure: edge-host, host-edge, edge-edge (default all)")
    private List<String> directions;

    @Mixin
    private LatencyOptions options;

    private PubSubLatencyMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    static int run(final String... args) {
        return Programs.run(new PubSubLatencyMain(), args);
    }

    @Override
    public Integer call() throws Failure {
        options.range("--edge-port", edgePort, 1, 65_535);
        options.range("--host-port", hostPort, 1, 65_535);
        options.range("--samples", samples, 1, Integer.MAX_VALUE);
        options.range("--warmup", warmup, 0, Integer.MAX_VALUE);
        options.choices("--direction", directions, DIRECTIONS);
        options.conclude();
        final byte[] channel = options.channel();
        try (Side edge = Side.open("edge", edgeHost, edgePort, channel);
                Side host = Side.open("host", hostHost, hostPort, channel)) {
            new Accounting(edge, host, channel, options.payload()).validate();
            final Map<String, LatencySummary> summaries = new LinkedHashMap<>();
            for (final String direction : directions) {
                final Side from = direction.startsWith("edge") ? edge : host;
                final Side to = direction.endsWith("edge") ? edge : host;
                summaries.put(direction.replace('-', '→'), measure(from, to, channel));
            }
            report(summaries);
        }
        return 0;
    }

    private LatencySummary measure(final Side from, final Side to, final byte[] channel) throws Failure {
        to.subscribe();
        final LatencySummary summary;
        try (LatencyLoop loop = new LatencyLoop(from.publisher(), to.subscriber(), channel, options.payload(), 1)) {
            loop.warmUp(warmup, options.blocking());
            summary = loop.measure(samples);
        }
        from.publisher().waiting(ProbeConnection.Waiting.BLOCKING);
        Barrier.check(to.subscriber());
        to.unsubscribe();
        return summary;
    }

    private void report(final Map<String, LatencySummary> summaries) throws Failure {
        if (options.histogram() != null) {
            try (HistogramFile file = new HistogramFile(options.histogram(), NAME)) {
                summaries.forEach((name, summary) -> file.write(name.replace('→', '-'), summary));
            }
        }
        final Table table = LatencySummary.table();
        summaries.forEach((name, summary) -> summary.addTo(table, name + " "));
        options.print(
                "edge " + edgeHost + ":" + edgePort + ", host " + hostHost + ":" + hostPort
                        + ": all directions and counts are right",
                table);
    }
}
