// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.Release;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The Pub/Sub edge on the DPU. */
@Command(name = "goblin-core-bluefield", mixinStandardHelpOptions = true, versionProvider = EdgeMain.Version.class)
public final class EdgeMain implements Runnable {
    private EdgeMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(new CommandLine(new EdgeMain()).execute(args));
    }

    @Override
    public void run() {
        new CommandLine(this).usage(System.err);
    }

    /** Answers {@code --version} with the release that the link compares. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"goblin-core-bluefield " + Release.current().text()};
        }
    }
}
