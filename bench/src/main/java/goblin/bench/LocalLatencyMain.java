// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures publication to delivery on one server. */
@Command(name = "goblin-bluefield-local-latency", mixinStandardHelpOptions = true)
public final class LocalLatencyMain implements Runnable {
    private LocalLatencyMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(new CommandLine(new LocalLatencyMain()).execute(args));
    }

    @Override
    public void run() {
        new CommandLine(this).usage(System.err);
    }
}
