// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.testkit.RespClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A host on a free loopback port, with raw clients. */
final class HostUnderTest implements AutoCloseable {
    private final Host host;
    private final List<RespClient> clients = new ArrayList<>();

    private HostUnderTest(final Host host) {
        this.host = host;
    }

    /** Starts one with these options besides the port. */
    static HostUnderTest start(final String... options) {
        final List<String> arguments = new ArrayList<>(List.of("--port", "0"));
        arguments.addAll(Arrays.asList(options));
        final Host host = new Host(context(arguments.toArray(String[]::new)));
        host.start();
        return new HostUnderTest(host);
    }

    /** Reads and checks options as the program does. */
    static HostContext context(final String... arguments) {
        final Options options = new Options();
        new CommandLine(options).parseArgs(arguments);
        options.context.conclude();
        return options.context;
    }

    @Command(name = "goblin-core")
    private static final class Options {
        @Mixin
        private final HostContext context = new HostContext();
    }

    int port() {
        return host.tcpPort();
    }

    Host host() {
        return host;
    }

    RespClient client() {
        final RespClient client = RespClient.connect(port());
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        clients.forEach(RespClient::close);
        host.close();
    }
}
