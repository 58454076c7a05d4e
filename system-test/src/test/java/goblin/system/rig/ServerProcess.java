// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * One program started by its command line. What it prints on either stream is kept line by line; a process still alive
 * when the test JVM ends is killed.
 */
public final class ServerProcess implements AutoCloseable {
    /** The repository's root; tests run in the folder of their room. */
    public static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Set<ServerProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(ServerProcess::kill)));
    }

    private final String name;
    private final Process process;
    private final List<String> stdout = new CopyOnWriteArrayList<>();
    private final List<String> stderr = new CopyOnWriteArrayList<>();
    private final List<Thread> readers;

    private ServerProcess(final String name, final Process process) {
        this.name = name;
        this.process = process;
        readers = List.of(
                collect(process.inputReader(), stdout), //
                collect(process.errorReader(), stderr));
        RUNNING.add(this);
    }

    /**
     * Starts a program without waiting for anything.
     *
     * @param command a path below the repository's root such as {@code bin/goblin-core}, or a command on the path; then
     *     its arguments
     * @return the process
     */
    public static ServerProcess start(final List<String> command) {
        final ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
        final String program = command.getFirst();
        if (program.startsWith("bin/")) {
            builder.command().set(0, ROOT.resolve(program).toString());
        }
        builder.environment().keySet().removeIf(variable -> variable.startsWith("GOBLIN_"));
        builder.environment().put("GOBLIN_JAVA_HOME", System.getProperty("java.home"));
        try {
            return new ServerProcess(program, builder.start());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a program and collects what it prints until it ends.
     *
     * @param command as for {@link #start}
     * @return the ended process
     */
    public static ServerProcess run(final String... command) {
        final ServerProcess process = start(List.of(command));
        process.exitCode();
        return process;
    }

    /**
     * Waits until a line of standard error contains the text.
     *
     * @param text part of a line
     * @return this
     */
    public ServerProcess awaitStderr(final String text) {
        return awaitLine(stderr, text, PATIENCE);
    }

    /**
     * Waits until a line of standard output contains the text.
     *
     * @param text part of a line
     * @param most how long at most
     * @return this
     */
    public ServerProcess awaitStdout(final String text, final Duration most) {
        return awaitLine(stdout, text, most);
    }

    private ServerProcess awaitLine(final List<String> lines, final String text, final Duration most) {
        Awaitility.await(name + " to print '" + text + "'")
                .atMost(most)
                .failFast(() -> assertThat(process.isAlive() || printed(lines, text))
                        .as("%s ended with %s", name, lines)
                        .isTrue())
                .until(() -> printed(lines, text));
        return this;
    }

    private static boolean printed(final List<String> lines, final String text) {
        return lines.stream().anyMatch(line -> line.contains(text));
    }

    /**
     * The lines of standard error so far.
     *
     * @return a live view
     */
    public List<String> stderr() {
        return stderr;
    }

    /**
     * The lines of standard output so far.
     *
     * @return a live view
     */
    public List<String> stdout() {
        return stdout;
    }

    /**
     * Waits for the end.
     *
     * @return the exit status, after all output is collected
     */
    public int exitCode() {
        return exitCode(PATIENCE);
    }

    /**
     * Waits for the end of a program that takes its time.
     *
     * @param most how long at most
     * @return the exit status, after all output is collected
     */
    public int exitCode(final Duration most) {
        try {
            assertThat(process.waitFor(most.toSeconds(), TimeUnit.SECONDS))
                    .as("%s ends; standard error: %s", name, stderr)
                    .isTrue();
            for (final Thread reader : readers) {
                reader.join();
            }
            RUNNING.remove(this);
            return process.exitValue();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Whether it still runs.
     *
     * @return false once it has ended
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Its process id.
     *
     * @return the id
     */
    public long pid() {
        return process.pid();
    }

    /** Sends SIGTERM; what it prints from now on is lost. */
    public void terminate() {
        process.destroy();
    }

    /** Sends SIGTERM and goes on collecting what it prints. */
    public void askToEnd() {
        signal("TERM");
    }

    /** Sends SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Sends SIGSTOP: the process lives and does nothing until {@link #resume}. */
    public void stop() {
        signal("STOP");
        Awaitility.await("stopped").atMost(PATIENCE).until(this::isStopped);
    }

    /** Sends SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    private boolean isStopped() throws IOException {
        final String stat = Files.readString(Path.of("/proc/" + pid() + "/stat"), StandardCharsets.ISO_8859_1);
        return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    }

    private void signal(final String signal) {
        try {
            final int status = new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                    .start()
                    .waitFor();
            assertThat(status).isZero();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Kills it when it still runs. */
    @Override
    public void close() {
        kill();
        exitCode();
    }

    private static Thread collect(final BufferedReader from, final List<String> into) {
        return Thread.ofVirtual().start(() -> {
            try (from) {
                from.lines().forEach(into::add);
            } catch (final IOException | UncheckedIOException e) {
                into.add("(stream broke: " + e.getMessage() + ")");
            }
        });
    }
}
