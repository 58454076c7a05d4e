// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process started here and ended here; what it prints goes to a file. */
final class Program implements AutoCloseable {
    private static final int END_SECONDS = 10;
    private static final int LAST_LINES = 5;

    private final String name;
    private final Path log;
    private final Process process;
    private final Thread ender;

    private Program(final String name, final Path log, final Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        // Ctrl-C must not leave servers behind, least of all with real-time priority.
        this.ender = new Thread(process::destroyForcibly);
    }

    static Program start(final String name, final Path folder, final Placement placement, final List<String> command)
            throws Failure {
        return start(name, folder, placement, command, Map.of());
    }

    /**
     * Starts a program in an environment.
     *
     * @param more variables beside our own
     */
    static Program start(
            final String name,
            final Path folder,
            final Placement placement,
            final List<String> command,
            final Map<String, String> more)
            throws Failure {
        final Path log = folder.resolve(name + ".log");
        try {
            Files.createDirectories(folder);
            final ProcessBuilder builder = new ProcessBuilder(placement.apply(command));
            builder.environment().putAll(more);
            final Process process = builder.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            final Program program = new Program(name, log, process);
            Runtime.getRuntime().addShutdownHook(program.ender);
            return program;
        } catch (final IOException failure) {
            throw new Failure("cannot start " + name + ": " + failure.getMessage(), failure);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits for the end and gives all that was printed; a failure when the status is not 0 or time is over. */
    String output(final int seconds) throws Failure {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new Failure(name + " did not end within " + seconds + " s" + lastLines());
            }
            if (process.exitValue() != 0) {
                throw new Failure(name + " ended with status " + process.exitValue() + lastLines());
            }
            return Files.readString(log);
        } catch (final IOException failure) {
            throw new Failure("cannot read " + log, failure);
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted", interrupted);
        }
    }

    /** The last lines printed, for messages. */
    String lastLines() {
        try {
            final List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1)
                    .lines()
                    .toList();
            return ": " + String.join(" / ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (final IOException failure) {
            return ", and " + log + " cannot be read";
        }
    }

    /** Ends the process, asking first. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(END_SECONDS, TimeUnit.SECONDS);
            }
        } catch (final InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(ender);
        } catch (final IllegalStateException ending) {
            // The hook runs or has run: nothing is left to do.
            return;
        }
    }
}
