// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code goblin-core-auth}: makes lines for the users file of {@code --auth-file}. Exit status 0, or 2 after one line
 * on standard error that says what is wrong.
 */
@Command(
        name = "goblin-core-auth",
        mixinStandardHelpOptions = true,
        versionProvider = AuthMain.Version.class,
        description = {
            "Makes a line for a users file (--auth-file) out of a user name and a password.",
            "The password is asked for at a terminal, or read as one line from standard input."
        })
public final class AuthMain implements Callable<Integer> {
    private static final int EXIT_ERROR = 2;

    private final Console console;
    private final InputStream in;

    @Parameters(
            paramLabel = "USER",
            description = "user name; '" + UserName.DEFAULT + "' is the one of AUTH with a password only")
    private String user;

    @Option(
            names = "--append",
            paramLabel = "FILE",
            description = "put the line into this file, created for its owner only; replaces the user's old line")
    private Path file;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    AuthMain(final Console console, final InputStream in) {
        this.console = console;
        this.in = in;
    }

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(commandLine(System.console(), System.in).execute(args));
    }

    static CommandLine commandLine(final Console console, final InputStream in) {
        return new CommandLine(new AuthMain(console, in))
                .setParameterExceptionHandler((e, args) -> fail(e.getCommandLine(), e.getMessage() + " (see --help)"))
                .setExecutionExceptionHandler((e, line, parsed) -> fail(line, e.getMessage()));
    }

    @Override
    public Integer call() throws IOException {
        final UserName name = UserName.of(user);
        final byte[] password = PasswordPrompt.read(console, in);
        final PhcHash hash = PhcHash.create(password, Argon2Cost.STANDARD, new SecureRandom());
        Arrays.fill(password, (byte) 0);
        final CommandLine line = spec.commandLine();
        if (file == null) {
            print(line.getOut(), name + ":" + hash);
        } else {
            final boolean replaced = UserFileEditor.put(file, name, hash);
            print(line.getErr(), "user " + name + (replaced ? " replaced in " : " added to ") + file);
        }
        return 0;
    }

    private static int fail(final CommandLine line, final String why) {
        final String first = String.valueOf(why).lines().findFirst().orElse("unknown error");
        print(line.getErr(), "goblin-core-auth: " + first);
        return EXIT_ERROR;
    }

    private static void print(final PrintWriter to, final String text) {
        to.println(text);
        to.flush();
    }

    /** The version that the module carries. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            final String version = Optional.ofNullable(
                            AuthMain.class.getModule().getDescriptor())
                    .flatMap(ModuleDescriptor::rawVersion)
                    .orElse("unknown");
            return new String[] {"goblin-core-auth " + version};
        }
    }
}
