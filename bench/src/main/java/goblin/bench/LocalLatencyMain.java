// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Measures publication to delivery on one server of RESP, ours or another: PUBLISH on one connection to the frame on a
 * second one, the integer reply being checked before the next sample. Exit status 0; 1 with one line when the server
 * cannot be reached or answers wrongly; 2 with one line for a bad command line.
 */
@Command(
        name = LocalLatencyMain.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Programs.Version.class,
        description = "Measures PUBLISH on one connection to the frame received on another.")
public final class LocalLatencyMain implements Callable<Integer> {
    static final String NAME = "goblin-bluefield-local-latency";

    @Parameters(index = "0", paramLabel = "HOST", description = "server's name or address")
    private String host;

    @Parameters(index = "1", paramLabel = "PORT", description = "server's TCP port")
    private int port;

    @Parameters(index = "2", paramLabel = "SAMPLES", description = "publications measured, at least 1")
    private int samples;

    @Parameters(index = "3", paramLabel = "WARMUP", description = "publications before, not measured, 0 for none")
    private int warmup;

    @Option(
            names = "--idle-clients",
            paramLabel = "N",
            defaultValue = "0",
            description = "connections that do nothing meanwhile (default 0)")
    private int idleClients;

    @Mixin
    private LatencyOptions options;

    private LocalLatencyMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    static int run(final String... args) {
        return Programs.run(new LocalLatencyMain(), args);
    }

    @Override
    public Integer call() throws Failure {
        options.range("PORT", port, 1, 65_535);
        options.range("SAMPLES", samples, 1, Integer.MAX_VALUE);
        options.range("WARMUP", warmup, 0, Integer.MAX_VALUE);
        options.range("--idle-clients", idleClients, 0, 1_000_000);
        options.conclude();
        final byte[] channel = options.channel();
        final List<ProbeConnection> idle = new ArrayList<>();
        try (ProbeConnection subscriber = ProbeConnection.open(host, port);
                ProbeConnection publisher = ProbeConnection.open(host, port)) {
            for (int i = 0; i < idleClients; i++) {
                idle.add(ProbeConnection.open(host, port));
                idle.get(i).exchange(RespBytes.command("PING"), RespBytes.ascii("+PONG\r\n"));
            }
            subscriber.exchange(RespBytes.subscribe(channel), RespBytes.confirmation("subscribe", channel, 1));
            final LatencySummary summary;
            try (LatencyLoop loop = new LatencyLoop(publisher, subscriber, channel, options.payload(), 1)) {
                loop.warmUp(warmup, options.blocking());
                summary = loop.measure(samples);
            }
            Barrier.check(subscriber);
            report(summary);
        } finally {
            idle.forEach(ProbeConnection::close);
        }
        return 0;
    }

    private void report(final LatencySummary summary) throws Failure {
        if (options.histogram() != null) {
            try (HistogramFile file = new HistogramFile(options.histogram(), NAME)) {
                file.write("local", summary);
            }
        }
        final Table table = LatencySummary.table();
        summary.addTo(table, "");
        options.print(host + ":" + port + ", " + idleClients + " idle clients", table);
    }
}
