// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures publications between edge and host. */
@Command(name = "goblin-bluefield-pubsub-latency", mixinStandardHelpOptions = true)
public final class PubSubLatencyMain implements Runnable {
    private PubSubLatencyMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(new CommandLine(new PubSubLatencyMain()).execute(args));
    }

    @Override
    public void run() {
        new CommandLine(this).usage(System.err);
    }
}
