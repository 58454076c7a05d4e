// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes the sides of a comparison: each server on the same CPU, the host beside an edge with what measures on another.
 *
 * @param root      the folder that holds bin/
 * @param folder    where logs go
 * @param pinned    whether CPUs are set
 * @param serverCpu of the server that is measured
 * @param clientCpu of everything else
 */
record Contenders(Path root, Path folder, boolean pinned, int serverCpu, int clientCpu) {
    /** A server that is stopped between its runs must not take its peer for dead. */
    private static final String[] PATIENT = {"--link-timeout", "86400"};

    /** An edge and its host. */
    Contender edge(final String name, final String jvmOptions, final String... options) {
        final String given = System.getenv().getOrDefault("GOBLIN_JAVA_OPTS", "");
        final Map<String, String> environment =
                jvmOptions.isEmpty() ? Map.of() : Map.of("GOBLIN_JAVA_OPTS", (given + " " + jvmOptions).strip());
        return new Contender(name, logs(name), (logs, servers) -> {
            servers.add(Server.host(root, logs, client(), PATIENT));
            final List<String> all = new ArrayList<>(List.of(PATIENT));
            all.addAll(List.of(options));
            if (options.length == 0) {
                all.addAll(pinned ? List.of("--cpu", Integer.toString(serverCpu)) : List.of("--idle", "backoff"));
            }
            // The edge pins its loop itself, and its launcher keeps the JVM's other threads off that CPU.
            servers.add(Server.startEdge(
                            root, logs, Placement.FREE, servers.getFirst(), environment, all.toArray(String[]::new))
                    .ready());
        });
    }

    /** An edge with so many loops, on the servers' CPU and that of the load; they sleep when they have nothing to do. */
    Contender loops(final String name, final int loops) {
        final String[] options = loops == 1
                ? pinned ? new String[] {"--cpu", Integer.toString(serverCpu)} : new String[0]
                : pinned
                        ? new String[] {"--cpu", serverCpu + "," + clientCpu}
                        : new String[] {"--loops", Integer.toString(loops)};
        final List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--idle", "backoff"));
        final Contender edge = edge(name, "", all.toArray(String[]::new));
        return loops == 1 ? edge : edge.needing("an edge with several loops");
    }

    Contender redis() {
        return new Contender("Redis", logs("redis"), (logs, servers) -> servers.add(Server.redis(logs, server())));
    }

    /** A server of RESP that somebody else has built. */
    Contender other(final String name, final String commandLine) {
        return new Contender(
                name, logs(name), (logs, servers) -> servers.add(Server.other(name, logs, server(), commandLine)));
    }

    /** Where load runs. */
    Placement client() {
        return pinned ? new Placement(clientCpu, 0) : Placement.FREE;
    }

    private Placement server() {
        return pinned ? new Placement(serverCpu, 0) : Placement.FREE;
    }

    private Path logs(final String name) {
        return folder.resolve(name.replaceAll("[^A-Za-z0-9.-]+", "-"));
    }
}
