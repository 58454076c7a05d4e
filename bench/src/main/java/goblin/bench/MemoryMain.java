// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.net.linux.Limits;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures what subscribers cost: memory of idle ones at the edge and at redis-server, the kernel's share apart, and what
 * subscribers that do not read cost those who do. Starts and ends all servers itself, on loopback. Prints Markdown and
 * keeps CSV. Exit status 0; 1 with one line for a failure, a message lost or out of order included; 2 for a bad option.
 */
@Command(
        name = "goblin bench memory",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = Programs.Version.class,
        description = "Memory of idle subscribers and of those that do not read, at the edge and at redis-server.")
public final class MemoryMain implements Callable<Integer> {
    /** Descriptors of this process and of the servers that are no subscribers. */
    private static final long RESERVED_FILES = 200;

    private static final int PAYLOAD_BYTES = 1024;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--subscribers",
            paramLabel = "N,…",
            split = ",",
            defaultValue = "1,1000,10000,50000,100000",
            description = "steps of idle subscribers; those past the limit of descriptors are extrapolated"
                    + " (1,1000,10000,50000,100000)")
    private List<Integer> steps;

    @Option(
            names = "--channels",
            paramLabel = "N",
            defaultValue = "1024",
            description = "channels that they share (1024)")
    private int channels;

    @Option(
            names = "--stalled",
            paramLabel = "N,…",
            split = ",",
            defaultValue = "0,1000",
            description = "subscribers that do not read, beside 16 that do (0,1000)")
    private List<Integer> stalled;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "2000",
            description = "publications of 1 KiB to them (2000)")
    private int messages;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "of those, alternating (3)")
    private int rounds;

    @Option(names = "--root", paramLabel = "FOLDER", description = "the folder that holds bin/ (this clone)")
    private Path root;

    @Option(names = "--out", paramLabel = "FOLDER", description = "CSV files and logs (target/bench)")
    private Path out;

    private MemoryMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(run(args));
    }

    static int run(final String... args) {
        return Programs.run(new MemoryMain(), args);
    }

    @Override
    public Integer call() throws Failure {
        steps.forEach(count -> atLeast("--subscribers", count, 1));
        stalled.forEach(count -> atLeast("--stalled", count, 0));
        atLeast("--channels", channels, 1);
        atLeast("--messages", messages, 1);
        atLeast("--rounds", rounds, 1);
        final Path base = Root.find(root);
        final Path folder = out == null ? base.resolve("target/bench") : out;
        // Memory does not depend on who runs where.
        final MemoryComparison comparison =
                new MemoryComparison(new Bench(base, folder, false), new Report(folder), channels);
        comparison.idle(steps.stream().sorted().toList(), Limits.raiseOpenFiles() - RESERVED_FILES);
        comparison.stalled(stalled, PAYLOAD_BYTES, messages, rounds);
        return 0;
    }

    private void atLeast(final String name, final int value, final int least) {
        if (value < least) {
            throw new ParameterException(
                    spec.commandLine(), name + " " + value + " is out of range, allowed: " + least + " or more");
        }
    }
}
