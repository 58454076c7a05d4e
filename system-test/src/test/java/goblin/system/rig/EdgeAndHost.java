// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import goblin.testkit.ChaosProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A host that accepts edges and listens on a Unix socket, and one edge or more in front of it, optionally with a
 * {@link ChaosProxy} between the first edge and the host.
 */
public final class EdgeAndHost implements AutoCloseable {
    /** How many loops each edge has, if the command line of the tests says so. */
    private static final String LOOPS = System.getProperty("goblin.loops");

    private final List<WireClient> clients = new ArrayList<>();
    private final List<ServerProcess> edges = new ArrayList<>();
    private final List<Integer> edgePorts = new ArrayList<>();
    private final Path folder;
    private final int hostPort = Ports.free();
    private final ServerProcess host;
    private final ChaosProxy proxy;

    private EdgeAndHost(final Setup setup) {
        try {
            folder = Files.createTempDirectory("goblin-system-test");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        host = startHost(hostPort, hostSocket(), setup.hostOptions);
        proxy = setup.proxied ? ChaosProxy.to(hostPort) : null;
        try {
            if (setup.withEdge) {
                addEdge(setup.edgeOptions.toArray(String[]::new));
            }
        } catch (final RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Starts host and edge with no more options than they need.
     *
     * @return the running pair
     */
    public static EdgeAndHost start() {
        return setup().start();
    }

    /**
     * Collects options before the start.
     *
     * @return an empty set-up
     */
    public static Setup setup() {
        return new Setup();
    }

    /**
     * Starts a host alone and waits until it is ready.
     *
     * @param port where it listens on loopback
     * @param socket its Unix socket
     * @param options more options
     * @return the running host
     */
    public static ServerProcess startHost(final int port, final Path socket, final List<String> options) {
        final List<String> command = new ArrayList<>(List.of(
                "bin/goblin-core",
                "--port",
                Integer.toString(port),
                "--uds-listen",
                socket.toString(),
                "--enable-sbe",
                "--idle",
                "backoff"));
        command.addAll(options);
        return ServerProcess.start(command).awaitStderr("ready");
    }

    /**
     * Starts an edge and does not wait.
     *
     * @param port where it listens on loopback
     * @param upstreamPort the host's or a proxy's port
     * @param options more options
     * @return the process
     */
    public static ServerProcess startEdge(final int port, final int upstreamPort, final String... options) {
        final List<String> command = new ArrayList<>(List.of(
                "bin/goblin-core-bluefield",
                "--listen",
                "127.0.0.1",
                Integer.toString(port),
                "--upstream",
                "127.0.0.1",
                Integer.toString(upstreamPort),
                "--idle",
                "backoff"));
        command.addAll(List.of(options));
        if (LOOPS != null && !command.contains("--loops")) {
            command.addAll(List.of("--loops", LOOPS));
        }
        return ServerProcess.start(command);
    }

    /**
     * Starts one more edge, through the proxy when there is one, and waits until it is ready.
     *
     * @param options more options
     * @return its port
     */
    public int addEdge(final String... options) {
        final int port = Ports.free();
        edges.add(startEdge(port, proxy == null ? hostPort : proxy.port(), options));
        edgePorts.add(port);
        edges.getLast().awaitStderr("ready");
        return port;
    }

    /**
     * The host's port.
     *
     * @return 1 to 65535
     */
    public int hostPort() {
        return hostPort;
    }

    /**
     * The host's Unix socket.
     *
     * @return its path
     */
    public Path hostSocket() {
        return folder.resolve("host.sock");
    }

    /**
     * The first edge's port.
     *
     * @return 1 to 65535
     */
    public int edgePort() {
        return edgePorts.getFirst();
    }

    /**
     * The host.
     *
     * @return its process
     */
    public ServerProcess host() {
        return host;
    }

    /**
     * The first edge.
     *
     * @return its process
     */
    public ServerProcess edge() {
        return edges.getFirst();
    }

    /**
     * What stands between edge and host.
     *
     * @return the proxy; null when none was asked for
     */
    public ChaosProxy proxy() {
        return proxy;
    }

    /**
     * Connects to the first edge.
     *
     * @return a client that is closed with the programs
     */
    public WireClient atEdge() {
        return at(edgePort());
    }

    /**
     * Connects to the host.
     *
     * @return a client that is closed with the programs
     */
    public WireClient atHost() {
        return at(hostPort);
    }

    /**
     * Connects to a port.
     *
     * @param port 1 to 65535
     * @return a client that is closed with the programs
     */
    public WireClient at(final int port) {
        final WireClient client = WireClient.connect(port);
        clients.add(client);
        return client;
    }

    /** Kills everything. */
    @Override
    public void close() {
        clients.forEach(WireClient::close);
        if (proxy != null) {
            proxy.close();
        }
        edges.forEach(ServerProcess::close);
        host.close();
        try {
            Files.deleteIfExists(hostSocket());
            Files.deleteIfExists(folder);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Options of the programs before they start. */
    public static final class Setup {
        private final List<String> hostOptions = new ArrayList<>();
        private final List<String> edgeOptions = new ArrayList<>();
        private boolean proxied;
        private boolean withEdge = true;

        private Setup() {}

        /**
         * Adds options of the host.
         *
         * @param options as on its command line
         * @return this
         */
        public Setup host(final String... options) {
            hostOptions.addAll(List.of(options));
            return this;
        }

        /**
         * Adds options of the edge.
         *
         * @param options as on its command line
         * @return this
         */
        public Setup edge(final String... options) {
            edgeOptions.addAll(List.of(options));
            return this;
        }

        /**
         * Puts a proxy between edges and host.
         *
         * @return this
         */
        public Setup proxied() {
            proxied = true;
            return this;
        }

        /**
         * Leaves the first edge out; it is added later.
         *
         * @return this
         */
        public Setup withoutEdge() {
            withEdge = false;
            return this;
        }

        /**
         * Starts the programs and waits until they are ready.
         *
         * @return the running pair
         */
        public EdgeAndHost start() {
            return new EdgeAndHost(this);
        }
    }
}
