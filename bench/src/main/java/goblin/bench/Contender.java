// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One side of a comparison: a server and what it needs beside it. Started when it is measured first, stopped by a
 * signal while others are, so that it takes no CPU then.
 */
final class Contender implements AutoCloseable {
    private static final int SIGNAL_SECONDS = 10;

    private final String name;
    private final Path logs;
    private final Starter starter;
    private final List<Server> servers = new ArrayList<>();
    private boolean paused;

    /**
     * Prepares it.
     *
     * @param name    as the table shows it
     * @param logs    a folder of its own
     * @param starter starts it
     */
    Contender(final String name, final Path logs, final Starter starter) {
        this.name = name;
        this.logs = logs;
        this.starter = starter;
    }

    /** Starts the processes of one side. */
    interface Starter {
        /**
         * Starts each and adds it to the list as soon as it runs; clients talk to the last one.
         *
         * @param logs    a folder for what they print
         * @param servers takes them, also when a later one cannot be started
         */
        void start(Path logs, List<Server> servers) throws Failure;
    }

    String name() {
        return name;
    }

    /** Where clients connect; it has been resumed. */
    int port() {
        return server().port();
    }

    /** The process that clients talk to. */
    Server server() {
        return servers.getLast();
    }

    /** All its processes, that of the clients last. */
    List<Server> servers() {
        return servers;
    }

    /** The same side, where it says what is missing when it cannot be started. */
    Contender needing(final String what) {
        return new Contender(name, logs, (folder, started) -> {
            try {
                starter.start(folder, started);
            } catch (final Failure failure) {
                throw new Failure("needs " + what + ": " + failure.getMessage(), failure);
            }
        });
    }

    /** The same side with processes of its own, which are not started yet. */
    Contender fresh() {
        return new Contender(name, logs, starter);
    }

    /** Starts it, or lets it go on; a side whose process has ended is started anew. */
    void resume() throws Failure {
        if (!servers.isEmpty() && !alive()) {
            close();
        }
        if (servers.isEmpty()) {
            try {
                starter.start(logs, servers);
            } catch (final Failure failure) {
                close();
                throw failure;
            }
        } else if (paused) {
            signal("CONT");
        }
        paused = false;
    }

    /** Stops all its processes where they stand. */
    void pause() throws Failure {
        if (!servers.isEmpty() && !paused) {
            paused = true;
            signal("STOP");
        }
    }

    private boolean alive() {
        return servers.stream().allMatch(server -> server.program().alive());
    }

    private void signal(final String signal) throws Failure {
        final String processes = servers.stream()
                .filter(server -> server.program().alive())
                .map(server -> Long.toString(server.program().pid()))
                .collect(Collectors.joining(" "));
        if (processes.isEmpty()) {
            return;
        }
        try {
            final Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + processes).start();
            if (!kill.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new Failure(name + " cannot be sent SIG" + signal);
            }
        } catch (final IOException failure) {
            throw new Failure(name + " cannot be sent SIG" + signal + ": " + failure.getMessage(), failure);
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted", interrupted);
        }
    }

    /** Ends its processes; {@link #resume} starts new ones. */
    @Override
    public void close() {
        if (paused) {
            paused = false;
            try {
                signal("CONT");
            } catch (final Failure failure) {
                // Their end is asked for next, by force if need be.
                paused = false;
            }
        }
        servers.reversed().forEach(Server::close);
        servers.clear();
    }
}
