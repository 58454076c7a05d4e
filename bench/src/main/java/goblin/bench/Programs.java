// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import goblin.link.Release;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;

/** How every program here ends: 0 when all is well, 2 and one line for a bad option, 1 and one line for a failure. */
final class Programs {
    private Programs() {}

    /** Runs a command and gives the exit status. */
    static int run(final Object command, final String... arguments) {
        final CommandLine line = new CommandLine(command);
        line.setParameterExceptionHandler((exception, given) -> {
            exception.getCommandLine().getErr().println(name(exception.getCommandLine()) + oneLine(exception));
            return 2;
        });
        line.setExecutionExceptionHandler((exception, commandLine, result) -> {
            commandLine.getErr().println(name(commandLine) + oneLine(exception));
            if (!(exception instanceof Failure)) {
                exception.printStackTrace(commandLine.getErr());
            }
            return 1;
        });
        return line.execute(arguments);
    }

    private static String name(final CommandLine line) {
        return line.getCommandName() + ": ";
    }

    private static String oneLine(final Exception exception) {
        final String message = exception.getMessage();
        return message == null ? exception.toString() : message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    /** Answers {@code --version} with the release of the programs measured. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"${COMMAND-FULL-NAME} " + Release.current().text()};
        }
    }
}
