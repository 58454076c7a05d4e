// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.link.Release;
import goblin.net.NetException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The authoritative server. */
@Command(
        name = "goblin-core",
        mixinStandardHelpOptions = true,
        versionProvider = HostMain.Version.class,
        description = "The authoritative server: keyspace, transactions, scripts, Pub/Sub and its edges.")
public final class HostMain implements Callable<Integer> {
    private static final long DRAIN_NS = 2_000_000_000L;

    @Mixin
    private final HostContext context = new HostContext();

    private HostMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        final CommandLine line = new CommandLine(new HostMain());
        line.setParameterExceptionHandler((error, _) -> {
            System.err.println("goblin-core: " + oneLine(error.getMessage()));
            return 2;
        });
        line.setExecutionExceptionHandler((error, _, _) -> {
            System.err.println("goblin-core: " + oneLine(String.valueOf(error.getMessage())));
            return 1;
        });
        final int status = line.execute(args);
        if (status != 0 || line.isUsageHelpRequested() || line.isVersionHelpRequested()) {
            System.exit(status);
        }
        Runtime.getRuntime().halt(0);
    }

    private static String oneLine(final String text) {
        return text.replaceAll("\\s*\\R\\s*", "; ");
    }

    @Override
    public Integer call() throws InterruptedException {
        context.conclude();
        final Host host = new Host(context);
        final Thread hook = new Thread(
                () -> {
                    host.stop(DRAIN_NS);
                    Runtime.getRuntime().halt(0);
                },
                "goblin-core-stop");
        try {
            host.start();
        } catch (final NetException e) {
            host.close();
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(hook);
        System.err.println("goblin-core: ready on " + host.describe());
        host.awaitEnd();
        if (host.failure() != null) {
            System.err.println("goblin-core: stopped by " + host.failure());
            Runtime.getRuntime().halt(1);
        }
        return 0;
    }

    /** Answers {@code --version} with the release that the link compares. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"goblin-core " + Release.current().text()};
        }
    }
}
