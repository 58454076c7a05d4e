// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import picocli.CommandLine;

/**
 * The program {@code goblin-nvmf}. Exit status: 0 after SIGTERM or SIGINT, 1 when it cannot start or fails, 2 for a bad
 * command line or configuration file; the last two with one line on standard error.
 */
public final class NvmfMain {
    /** What it is called in its own messages. */
    static final String NAME = "goblin-nvmf";

    private static final int USAGE_ERROR = 2;

    private NvmfMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        int status = 1;
        try {
            status = run(args);
        } finally {
            // Loops that run would keep the process.
            System.exit(status);
        }
    }

    private static int run(final String... args) {
        final CommandLine commandLine = CommandLineReader.commandLine();
        final NvmfLog log = new NvmfLog(System.err);
        final Settings settings;
        try {
            final GivenSettings given = CommandLineReader.read(commandLine, args);
            if (CommandLine.printHelpIfRequested(commandLine.getParseResult())) {
                return 0;
            }
            settings = Settings.of(given);
        } catch (final BadOption e) {
            log.line(e.getMessage() + "; see --help");
            return USAGE_ERROR;
        }
        return new NvmfProgram(settings, log).run();
    }
}
