// SPDX-License-Identifier: Apache-2.0
package goblin.auth;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Makes lines for the users file. */
@Command(name = "goblin-core-auth", mixinStandardHelpOptions = true)
public final class AuthMain implements Runnable {
    private AuthMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(new CommandLine(new AuthMain()).execute(args));
    }

    @Override
    public void run() {
        new CommandLine(this).usage(System.err);
    }
}
