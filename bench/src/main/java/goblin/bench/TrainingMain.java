// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * A short load of everything an edge and its host are usually asked, for the build's training run: what it makes them load
 * and compile is recorded. It checks next to nothing. Exit status 0; 1 with one line when a program does not answer.
 */
@Command(
        name = "goblin training",
        mixinStandardHelpOptions = true,
        versionProvider = Programs.Version.class,
        description = "The load of the build's training run.")
public final class TrainingMain implements Callable<Integer> {
    private static final int SUBSCRIBERS = 16;
    private static final int PIPELINE = 16;
    private static final int CHURN = 50;
    private static final int LARGE_BYTES = 200_000;
    private static final String CHANNEL = "goblin:training";

    @Parameters(index = "0", paramLabel = "EDGE-PORT")
    private int edgePort;

    @Parameters(index = "1", paramLabel = "HOST-PORT")
    private int hostPort;

    @Parameters(index = "2", paramLabel = "SECONDS", description = "how long")
    private double seconds;

    private final List<Socket> drained = new ArrayList<>();

    private TrainingMain() {}

    /**
     * Runs the program and exits with its status.
     *
     * @param args the command line
     */
    public static void main(final String[] args) {
        System.exit(Programs.run(new TrainingMain(), args));
    }

    @Override
    public Integer call() throws Failure {
        try (SimpleClient edge = new SimpleClient(edgePort);
                SimpleClient host = new SimpleClient(hostPort)) {
            for (int i = 0; i < SUBSCRIBERS; i++) {
                subscribe(edgePort, i);
            }
            subscribe(hostPort, 0);
            everyCommand(edge);
            everyCommand(host);
            for (int i = 0; i < CHURN; i++) {
                comeAndGo(i);
            }
            final String payload = "p".repeat(64);
            final byte[] large = RespBytes.command("PUBLISH", CHANNEL, "l".repeat(LARGE_BYTES));
            final long startNs = System.nanoTime();
            final long endNs = startNs + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
            try (Pipeline edgePipeline = new Pipeline(edgePort);
                    Pipeline hostPipeline = new Pipeline(hostPort)) {
                for (int i = 0; System.nanoTime() - endNs < 0; i++) {
                    edge.ask("PUBLISH", CHANNEL, payload);
                    edgePipeline.run(PIPELINE, RespBytes.command("PUBLISH", CHANNEL, payload));
                    edgePipeline.run(PIPELINE, RespBytes.command("GET", "goblin:training:k"));
                    edge.ask("SET", "goblin:training:k", payload);
                    if (i % 4 == 0) {
                        host.ask("PUBLISH", CHANNEL, payload);
                        hostPipeline.run(PIPELINE, RespBytes.command("PUBLISH", CHANNEL, payload));
                        edge.ask("EVAL", "return redis.call('incr', KEYS[1])", "1", "goblin:training:n");
                    }
                    if (i % 64 == 0) {
                        edgePipeline.run(2, large);
                    }
                }
            }
            edge.ask("DEL", "goblin:training:k", "goblin:training:n", "goblin:training:l");
        } finally {
            drained.forEach(TrainingMain::close);
        }
        return 0;
    }

    private static void everyCommand(final SimpleClient client) throws Failure {
        final String[] commands = {
            "PING",
            "ECHO hello",
            "CLIENT ID",
            "CLIENT SETNAME training",
            "CLIENT LIST",
            "SET goblin:training:k v",
            "INCR goblin:training:n",
            "LPUSH goblin:training:l 1",
            "BLPOP goblin:training:l 1",
            "MULTI",
            "INCR goblin:training:n",
            "EXEC",
            "PUBSUB CHANNELS",
            "PUBSUB NUMSUB " + CHANNEL,
            "PUBSUB NUMPAT",
            "INFO",
            "SPUBLISH " + CHANNEL + " s",
            "PUBLISH " + CHANNEL + " m",
            "COMMAND COUNT",
            "NO-SUCH-COMMAND",
        };
        for (final String command : commands) {
            client.ask(command.split(" ", -1));
        }
    }

    private void comeAndGo(final int number) throws Failure {
        final String[] commands = {
            "HELLO " + (2 + number % 2),
            "SUBSCRIBE " + CHANNEL + " other:" + number,
            "PSUBSCRIBE other:*",
            "PING",
            "UNSUBSCRIBE " + CHANNEL,
            "RESET",
            "GET goblin:training:k",
        };
        try (SimpleClient client = new SimpleClient(edgePort)) {
            for (final String command : commands) {
                client.ask(command.split(" ", -1));
            }
        }
    }

    /** A subscriber that reads whatever comes, until it is closed. */
    private void subscribe(final int port, final int number) throws Failure {
        final String name = switch (number % 4) {
            case 2 -> "PSUBSCRIBE goblin:t*";
            case 3 -> "SSUBSCRIBE " + CHANNEL;
            default -> "SUBSCRIBE " + CHANNEL;
        };
        try {
            final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            drained.add(socket);
            final String hello = number % 2 == 0 ? "" : "HELLO 3\r\n";
            socket.getOutputStream().write((hello + name + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            Thread.ofPlatform().daemon().start(() -> drain(socket));
        } catch (final IOException failure) {
            throw new Failure("cannot subscribe at port " + port + ": " + failure.getMessage(), failure);
        }
    }

    private static void drain(final Socket socket) {
        final byte[] sink = new byte[64 * 1024];
        try (InputStream in = socket.getInputStream()) {
            int length = 0;
            while (length >= 0) {
                length = in.read(sink);
            }
        } catch (final IOException closed) {
            // The training is over.
            return;
        }
    }

    private static void close(final Socket socket) {
        try {
            socket.close();
        } catch (final IOException failure) {
            // It is of no use any more.
            return;
        }
    }

    /** A connection that sends several commands in one write and then reads all replies. */
    private static final class Pipeline implements AutoCloseable {
        private final Socket socket;
        private final RespParser parser = new RespParser();
        private final byte[] buffer = new byte[64 * 1024];

        Pipeline(final int port) throws Failure {
            try {
                socket = new Socket(InetAddress.getLoopbackAddress(), port);
                socket.setSoTimeout(ProbeConnection.TIMEOUT_MS);
            } catch (final IOException failure) {
                throw new Failure("cannot connect to port " + port + ": " + failure.getMessage(), failure);
            }
        }

        void run(final int times, final byte[] command) throws Failure {
            final byte[] batch = new byte[times * command.length];
            for (int i = 0; i < times; i++) {
                System.arraycopy(command, 0, batch, i * command.length, command.length);
            }
            try {
                socket.getOutputStream().write(batch);
                for (int replies = 0; replies < times; ) {
                    final int length = socket.getInputStream().read(buffer);
                    if (length < 0) {
                        throw new Failure("the server closed the connection");
                    }
                    parser.append(buffer, length);
                    while (parser.next() != null) {
                        replies++;
                    }
                }
            } catch (final IOException failure) {
                throw new Failure("pipeline: " + failure.getMessage(), failure);
            }
        }

        @Override
        public void close() {
            TrainingMain.close(socket);
        }
    }
}
