// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.Release;
import goblin.net.EventLoop;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The program {@code goblin-core-bluefield}. Exit status: 0 after SIGTERM or SIGINT, 1 when it cannot start or loses its
 * host, 2 for a bad command line; the last two with one line on standard error.
 */
@Command(
        name = "goblin-core-bluefield",
        versionProvider = EdgeMain.Version.class,
        sortOptions = false,
        description =
                "Pub/Sub edge: serves RESP Pub/Sub near the clients and forwards every other command to its host.")
public final class EdgeMain implements Runnable {
    private static final int USAGE_ERROR = 2;

    @Mixin
    private EdgeContext context;

    @SuppressWarnings("UnusedVariable") // its presence is what counts
    @Option(names = "--help", usageHelp = true, description = "Print this help and exit.")
    private boolean help;

    @SuppressWarnings("UnusedVariable")
    @Option(names = "--version", versionHelp = true, description = "Print the release and exit.")
    private boolean version;

    private int status;

    private EdgeMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        final EdgeMain main = new EdgeMain();
        final CommandLine commandLine = new CommandLine(main)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler((problem, words) -> {
                    complain(problem.getCommandLine().getErr(), problem.getMessage() + "; see --help");
                    return USAGE_ERROR;
                })
                .setExecutionExceptionHandler((problem, line, result) -> {
                    complain(line.getErr(), problem.getMessage());
                    return problem instanceof EdgeContext.BadOption ? USAGE_ERROR : 1;
                });
        final int usage = commandLine.execute(args);
        System.exit(usage == 0 ? main.status : usage);
    }

    @Override
    public void run() {
        context.conclude();
        EventLoop.requireCpus(context.cpus());
        status = new EdgeProgram(context, new EdgeLog(System.err)).run();
    }

    private static void complain(final PrintWriter err, final String text) {
        err.println("goblin-core-bluefield: " + text.lines().findFirst().orElse("failed"));
        err.flush();
    }

    /** Answers {@code --version} with the release that the link compares. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"goblin-core-bluefield " + Release.current().text()};
        }
    }
}
