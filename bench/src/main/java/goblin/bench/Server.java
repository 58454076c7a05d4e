// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server on a free loopback port that has answered PING.
 *
 * @param program its process
 * @param port    where it listens
 */
record Server(Program program, int port) implements AutoCloseable {
    /** Loopback. */
    static final String ADDRESS = "127.0.0.1";

    private static final int START_SECONDS = 30;

    /** Starts redis-server without persistence. */
    static Server redis(final Path logs, final Placement placement) throws Failure {
        final int port = freePort();
        return new Server(
                        Program.start(
                                "redis-server",
                                logs,
                                placement,
                                List.of(
                                        "redis-server",
                                        "--bind",
                                        ADDRESS,
                                        "--port",
                                        Integer.toString(port),
                                        "--save",
                                        "",
                                        "--appendonly",
                                        "no",
                                        "--maxclients",
                                        "200000")),
                        port)
                .ready();
    }

    /** Starts any other server by a command line of the shell, in which the port stands as {@code {port}}. */
    static Server other(final String name, final Path logs, final Placement placement, final String commandLine)
            throws Failure {
        final int port = freePort();
        final String line = "exec " + commandLine.replace("{port}", Integer.toString(port));
        return new Server(Program.start(name, logs, placement, List.of("sh", "-c", line)), port).ready();
    }

    /** Starts the host with its link open on loopback. */
    static Server host(final Path root, final Path logs, final Placement placement, final String... options)
            throws Failure {
        return host(root, logs, placement, Map.of(), options);
    }

    /**
     * Starts the host with its link open on loopback.
     *
     * @param environment variables beside our own
     */
    static Server host(
            final Path root,
            final Path logs,
            final Placement placement,
            final Map<String, String> environment,
            final String... options)
            throws Failure {
        final int port = freePort();
        final List<String> command = new ArrayList<>(List.of(
                root.resolve("bin/goblin-core").toString(),
                "--bind",
                ADDRESS,
                "--port",
                Integer.toString(port),
                "--enable-sbe"));
        command.addAll(List.of(options));
        return new Server(Program.start("goblin-core", logs, placement, command, environment), port).ready();
    }

    /** Starts an edge of that host. */
    static Server edge(
            final Path root, final Path logs, final Placement placement, final Server host, final String... options)
            throws Failure {
        return startEdge(root, logs, placement, host, Map.of(), options).ready();
    }

    /**
     * Starts an edge of that host and does not wait for it.
     *
     * @param environment variables beside our own
     */
    static Server startEdge(
            final Path root,
            final Path logs,
            final Placement placement,
            final Server host,
            final Map<String, String> environment,
            final String... options)
            throws Failure {
        final int port = freePort();
        final List<String> command = new ArrayList<>(List.of(
                root.resolve("bin/goblin-core-bluefield").toString(),
                "--listen",
                ADDRESS,
                Integer.toString(port),
                "--upstream",
                ADDRESS,
                Integer.toString(host.port)));
        command.addAll(List.of(options));
        return new Server(Program.start("goblin-core-bluefield", logs, placement, command, environment), port);
    }

    /** Waits until it answers; ends it when it does not. */
    Server ready() throws Failure {
        try {
            awaitPong();
            return this;
        } catch (final Failure failure) {
            program.close();
            throw failure;
        }
    }

    private void awaitPong() throws Failure {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (true) {
            try (ProbeConnection connection = ProbeConnection.open(ADDRESS, port)) {
                connection.exchange(RespBytes.command("PING"), RespBytes.ascii("+PONG\r\n"));
                return;
            } catch (final Failure failure) {
                if (!program.alive() || System.nanoTime() - deadlineNs > 0) {
                    throw new Failure("server did not start (" + failure.getMessage() + ")" + program.lastLines());
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private static int freePort() throws Failure {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (final IOException failure) {
            throw new Failure("no free port: " + failure.getMessage(), failure);
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
