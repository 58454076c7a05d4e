// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.link.Release;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The authoritative server. */
@Command(name = "goblin-core", mixinStandardHelpOptions = true, versionProvider = HostMain.Version.class)
public final class HostMain implements Runnable {
    private HostMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(new CommandLine(new HostMain()).execute(args));
    }

    @Override
    public void run() {
        new CommandLine(this).usage(System.err);
    }

    /** Answers {@code --version} with the release that the link compares. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"goblin-core " + Release.current().text()};
        }
    }
}
