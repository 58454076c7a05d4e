// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What every comparison needs: the programs, where they are placed, and the probes.
 *
 * @param root   the folder that holds bin/
 * @param folder where logs go
 * @param pinned whether cores and priorities are set
 */
record Bench(Path root, Path folder, boolean pinned) {
    private static final int PROBE_SECONDS = 600;

    /** Redis in the place of the edge. */
    Server redis() throws Failure {
        return Server.redis(folder, server());
    }

    /** The host in the place of Redis: alone, its loop on the server's core. */
    Server hostAlone() throws Failure {
        return Server.host(
                root,
                folder,
                pinned ? new Placement(-1, Placement.PRIORITY) : Placement.FREE,
                cpu(Placement.SERVER_CPU));
    }

    /** The host that stands behind an edge. */
    Server hostOfEdge(final Map<String, String> environment) throws Failure {
        final Placement placement =
                pinned ? new Placement(Placement.CLIENT_CPU, Placement.HOST_PRIORITY) : Placement.FREE;
        return Server.host(root, folder, placement, environment);
    }

    /** Starts an edge and does not wait for it. */
    Server startEdge(final Server host, final Map<String, String> environment, final String... more) throws Failure {
        final List<String> options = new ArrayList<>(List.of(edgeOptions()));
        options.addAll(List.of(more));
        return Server.startEdge(root, folder, edgePlacement(), host, environment, options.toArray(String[]::new));
    }

    // The edge keeps its loop alone on its core: its compiler threads run on the other.
    private Placement edgePlacement() {
        return pinned ? new Placement(-1, Placement.PRIORITY) : Placement.FREE;
    }

    private String[] edgeOptions() {
        return pinned
                ? new String[] {"--cpu", Integer.toString(Placement.SERVER_CPU)}
                : new String[] {"--idle", "backoff"};
    }

    /** An edge and the host behind it. */
    Pair pair() throws Failure {
        return pair(Map.of(), Map.of());
    }

    /** An edge, with more options, and the host behind it, each with variables of its environment. */
    Pair pair(final Map<String, String> ofEdge, final Map<String, String> ofHost, final String... edgeOptions)
            throws Failure {
        final Server host = hostOfEdge(ofHost);
        try {
            return new Pair(host, startEdge(host, ofEdge, edgeOptions).ready());
        } catch (final Failure failure) {
            host.close();
            throw failure;
        }
    }

    /** Runs the local probe and gives its rows. */
    ProbeResult localProbe(final int port, final int samples, final int warmup, final int idleClients) throws Failure {
        return probe(
                LocalLatencyMain.NAME,
                Server.ADDRESS,
                Integer.toString(port),
                Integer.toString(samples),
                Integer.toString(warmup),
                "--csv",
                "--idle-clients",
                Integer.toString(idleClients));
    }

    /** Runs the probe of both sides in one direction and gives its rows. */
    ProbeResult pairProbe(final Pair pair, final int samples, final int warmup, final String direction) throws Failure {
        return probe(
                PubSubLatencyMain.NAME,
                "--edge-port",
                Integer.toString(pair.edge().port()),
                "--host-port",
                Integer.toString(pair.host().port()),
                "--samples",
                Integer.toString(samples),
                "--warmup",
                Integer.toString(warmup),
                "--direction",
                direction,
                "--csv");
    }

    private ProbeResult probe(final String name, final String... arguments) throws Failure {
        final List<String> command = new ArrayList<>();
        command.add(root.resolve("bin").resolve(name).toString());
        command.addAll(List.of(arguments));
        return ProbeResult.parse(run(name, command, PROBE_SECONDS));
    }

    /** Runs a client to its end, in the clients' place, and gives what it printed. */
    String run(final String name, final List<String> command, final int seconds) throws Failure {
        final Placement placement = pinned ? new Placement(Placement.CLIENT_CPU, Placement.PRIORITY) : Placement.FREE;
        try (Program program = Program.start(name, folder, placement, command)) {
            return program.output(seconds);
        }
    }

    private Placement server() {
        return pinned ? new Placement(Placement.SERVER_CPU, Placement.PRIORITY) : Placement.FREE;
    }

    private String[] cpu(final int cpu) {
        return pinned ? new String[] {"--cpu", Integer.toString(cpu)} : new String[0];
    }

    /**
     * An edge and its host.
     *
     * @param host the host
     * @param edge the edge
     */
    record Pair(Server host, Server edge) implements AutoCloseable {
        @Override
        public void close() {
            edge.close();
            host.close();
        }
    }
}
