// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.nvmf.initiator.InitiatorException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A {@code goblin-nvmf} of this clone, started here on a free loopback port and ended here. Its control socket and what it
 * says are in a folder of its own that goes with it.
 */
final class TargetProcess implements AutoCloseable {
    static final String SUBSYSTEM = "nqn.2026-01.org.goblin:perf";

    private static final int START_SECONDS = 60;
    private static final int END_SECONDS = 10;
    private static final String CONTROL = "control";
    private static final String LOG = "log";
    private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

    private final Process process;
    private final InetSocketAddress address;
    private final Path folder;
    private final Thread ender;

    private TargetProcess(final Process process, final InetSocketAddress address, final Path folder) {
        this.process = process;
        this.address = address;
        this.folder = folder;
        ender = new Thread(this::endAtOnce);
        Runtime.getRuntime().addShutdownHook(ender);
    }

    /**
     * Starts one and waits until it accepts.
     *
     * @param root       the folder that holds bin/
     * @param cpu        its loop's CPU
     * @param namespaces specifications, NSID 1 first
     * @param more       further options
     * @throws InitiatorException when it does not start, with what it said last
     */
    static TargetProcess start(final Path root, final int cpu, final List<String> namespaces, final List<String> more)
            throws InterruptedException {
        try {
            final InetSocketAddress address = freeAddress();
            final Path folder = Files.createTempDirectory("goblin-nvmf-perf");
            final List<String> command = new ArrayList<>();
            if (Files.isReadable(ONLINE)) {
                // Our own mask leaves out our loop's CPU, and would be inherited.
                command.addAll(List.of("taskset", "-c", Files.readString(ONLINE).strip()));
            }
            command.add(root.resolve("bin/goblin-nvmf").toString());
            command.addAll(List.of(
                    "--listen",
                    address.getAddress().getHostAddress(),
                    Integer.toString(address.getPort()),
                    "--subsystem",
                    SUBSYSTEM,
                    "--allow-any-host",
                    "--control",
                    folder.resolve(CONTROL).toString(),
                    "--cpu",
                    Integer.toString(cpu)));
            namespaces.forEach(namespace -> command.addAll(List.of("--namespace", namespace)));
            command.addAll(more);
            final TargetProcess target = new TargetProcess(
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(folder.resolve(LOG).toFile())
                            .start(),
                    address,
                    folder);
            target.waitUntilItAccepts();
            return target;
        } catch (final IOException failed) {
            throw new InitiatorException("cannot start the target: " + failed.getMessage());
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** What it counts now. */
    Figures figures() {
        try {
            return Figures.ask(folder.resolve(CONTROL));
        } catch (final IOException failed) {
            throw new InitiatorException("the target does not tell its figures: " + failed.getMessage());
        }
    }

    private static InetSocketAddress freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
        }
    }

    private void waitUntilItAccepts() throws InterruptedException {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!accepts()) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                final String said = lastLine();
                close();
                throw new InitiatorException("the target ended with status " + process.exitValue() + ": " + said);
            }
            if (System.nanoTime() - deadlineNs > 0) {
                close();
                throw new InitiatorException("the target does not accept connections");
            }
        }
    }

    private String lastLine() {
        try {
            final List<String> lines = Files.readAllLines(folder.resolve(LOG));
            return lines.isEmpty() ? "it said nothing" : lines.getLast();
        } catch (final IOException unreadable) {
            return "its log cannot be read";
        }
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(address);
            return true;
        } catch (final IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Runtime.getRuntime().removeShutdownHook(ender);
        } catch (final InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (final IllegalStateException ending) {
            // The hook runs or has run: nothing is left to do.
            return;
        } finally {
            removeFolder();
        }
    }

    private void endAtOnce() {
        process.destroyForcibly();
        removeFolder();
    }

    private void removeFolder() {
        try {
            Files.deleteIfExists(folder.resolve(LOG));
            Files.deleteIfExists(folder.resolve(CONTROL));
            Files.deleteIfExists(folder);
        } catch (final IOException leftBehind) {
            // A small folder for temporary files: nobody waits for its end.
            folder.toFile().deleteOnExit();
        }
    }
}
