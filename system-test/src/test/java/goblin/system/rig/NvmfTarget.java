// SPDX-License-Identifier: Apache-2.0
package goblin.system.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@code goblin-nvmf} as a process on loopback, with a control socket; it can be killed and started again. */
public final class NvmfTarget implements AutoCloseable {
    /** The subsystem. */
    public static final String NQN = "nqn.2026-01.io.goblin:test";

    private final int port;
    private final Path folder;
    private final List<String> launcher;
    private final List<String> options;
    private ServerProcess process;

    private NvmfTarget(final List<String> launcher, final List<String> options) {
        this.launcher = launcher;
        this.options = options;
        port = Ports.free();
        try {
            folder = Files.createTempDirectory("nvmf");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        start();
    }

    /**
     * Starts a target that lets any host in and waits until it serves.
     *
     * @param options further ones, such as {@code --namespace}
     * @return the running target
     */
    public static NvmfTarget open(final String... options) {
        final List<String> all = new ArrayList<>(List.of("--allow-any-host"));
        all.addAll(List.of(options));
        return new NvmfTarget(List.of(), all);
    }

    /**
     * As {@link #open}, of a target that another program becomes.
     *
     * @param launcher that program and its arguments; the target's program and options are appended
     * @param options  further ones, such as {@code --namespace}
     * @return the running target
     */
    public static NvmfTarget launched(final List<String> launcher, final String... options) {
        final List<String> all = new ArrayList<>(List.of("--allow-any-host"));
        all.addAll(List.of(options));
        return new NvmfTarget(launcher, all);
    }

    /**
     * Starts a target that lets in whom the options say and waits until it serves.
     *
     * @param options of its subsystem
     * @return the running target
     */
    public static NvmfTarget closed(final String... options) {
        return new NvmfTarget(List.of(), List.of(options));
    }

    /** Starts it again after {@link #kill} or its end, on the same port with the same options. */
    public void start() {
        final List<String> command = new ArrayList<>(launcher);
        command.add(
                launcher.isEmpty()
                        ? "bin/goblin-nvmf"
                        : ServerProcess.ROOT.resolve("bin/goblin-nvmf").toString());
        command.addAll(List.of("--listen", "127.0.0.1", Integer.toString(port)));
        command.addAll(List.of("--subsystem", NQN, "--control", control().toString()));
        command.addAll(options);
        process = ServerProcess.start(command).awaitStderr("ready");
    }

    /** Sends SIGKILL and waits until it is gone. */
    public void kill() {
        process.close();
    }

    /**
     * Asks it through its control socket.
     *
     * @param words a command of {@code goblin-nvmf-ctl} and what follows it
     * @return the ended client
     */
    public ServerProcess ctl(final String... words) {
        final List<String> command = new ArrayList<>(
                List.of("bin/goblin-nvmf-ctl", "--control", control().toString()));
        command.addAll(Arrays.asList(words));
        return ServerProcess.run(command.toArray(String[]::new));
    }

    /**
     * Its control socket.
     *
     * @return a path
     */
    public Path control() {
        return folder.resolve("control");
    }

    /**
     * Where it listens, on 127.0.0.1.
     *
     * @return the port
     */
    public int port() {
        return port;
    }

    /**
     * The program.
     *
     * @return the process that was started last
     */
    public ServerProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
        try {
            Files.deleteIfExists(control());
            Files.deleteIfExists(folder);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
