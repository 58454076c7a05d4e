// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Endpoint;
import goblin.net.Transport;
import goblin.testkit.RespClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import picocli.CommandLine;

/** An edge in this process, linked to a {@link ScriptedHost}, with clients over loopback. */
final class EdgeUnderTest implements AutoCloseable {
    private static final long PATIENCE_S = 20;
    private static final String LOOPS = System.getProperty("goblin.loops", "1");

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final List<RespClient> clients = new ArrayList<>();
    private final ScriptedHost host;
    private final EdgeProgram program;

    EdgeUnderTest(final String... options) throws IOException {
        this(UnaryOperator.identity(), options);
    }

    EdgeUnderTest(final UnaryOperator<Transport> wrapping, final String... options) throws IOException {
        this(new ScriptedHost(), null, wrapping, options);
    }

    /** An edge whose host answers by itself. */
    static EdgeUnderTest linkedTo(
            final PromptHost host, final UnaryOperator<Transport> wrapping, final String... options) {
        return new EdgeUnderTest(null, host, wrapping, options);
    }

    private EdgeUnderTest(
            final ScriptedHost scripted,
            final PromptHost prompt,
            final UnaryOperator<Transport> wrapping,
            final String... options) {
        host = scripted;
        final List<String> words = new ArrayList<>(List.of(
                "--listen",
                "127.0.0.1",
                "0",
                "--upstream",
                "127.0.0.1",
                Integer.toString(scripted == null ? prompt.port() : scripted.port()),
                "--edge-id",
                "7",
                "--idle",
                "backoff"));
        words.addAll(List.of(options));
        if (!words.contains("--loops")) {
            words.addAll(List.of("--loops", LOOPS));
        }
        final EdgeContext context = CommandLine.populateCommand(new EdgeContext(), words.toArray(new String[0]));
        context.conclude();
        program = new EdgeProgram(context, new EdgeLog(new PrintStream(log, true, StandardCharsets.UTF_8)), wrapping);
        program.start();
        Awaitility.await().until(() -> log().contains("ready:"));
    }

    ScriptedHost host() {
        return host;
    }

    EdgeProgram program() {
        return program;
    }

    RespClient client() {
        final RespClient client = RespClient.connect(port());
        clients.add(client);
        return client;
    }

    /** A client whose connection is served: its {@code PING} was answered. */
    RespClient servedClient() {
        final RespClient client = client();
        assertThat(client.command("PING")).isEqualTo("+PONG");
        return client;
    }

    /** A client that a certain loop serves. */
    RespClient clientOn(final int loop) {
        RespClient client = client();
        while (!isOn(loop, client.command("CLIENT", "ID"))) {
            client.close();
            client = client();
        }
        return client;
    }

    private boolean isOn(final int loop, final String reply) {
        final long id = Long.parseLong(reply, 1, reply.length(), 10);
        return onLoop(loop, e -> e.clients().find(id) != null);
    }

    /** A client that holds the names, acknowledged by the host. */
    RespClient subscriber(final String... channels) throws InterruptedException {
        final RespClient client = client();
        final String[] words = new String[channels.length + 1];
        words[0] = "SUBSCRIBE";
        System.arraycopy(channels, 0, words, 1, channels.length);
        client.send(words);
        for (int i = 0; i < channels.length; i++) {
            host.acknowledge(sequenceOf(host.nextLinkMessage()));
        }
        client.read(channels.length);
        return client;
    }

    static long sequenceOf(final String linkMessage) {
        final int from = linkMessage.indexOf(' ') + 1;
        return Long.parseLong(linkMessage, from, linkMessage.indexOf(' ', from), 10);
    }

    int port() {
        return ((Endpoint.Tcp) program.listener().endpoint()).port();
    }

    String log() {
        return log.toString(StandardCharsets.UTF_8);
    }

    /** Reads something of the home loop on its own thread. */
    <T> T onLoop(final Function<Edge, T> question) {
        return onLoop(0, question);
    }

    /** Reads something of a loop on its own thread. */
    <T> T onLoop(final int index, final Function<Edge, T> question) {
        final Edge loop = program.loops().get(index).edge();
        final CompletableFuture<T> answer = new CompletableFuture<>();
        loop.loop().execute(() -> answer.complete(question.apply(loop)));
        try {
            return answer.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (final InterruptedException | ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError("the loop did not answer", e);
        }
    }

    /** The ids of the loops' threads. */
    long[] loopThreads() {
        return IntStream.range(0, program.loops().size())
                .mapToLong(i -> onLoop(i, e -> Thread.currentThread().threadId()))
                .toArray();
    }

    /** Adds up something over all loops. */
    long sum(final ToLongFunction<Edge> quantity) {
        long sum = 0;
        for (int i = 0; i < program.loops().size(); i++) {
            sum += onLoop(i, quantity::applyAsLong);
        }
        return sum;
    }

    /** Adds up something over all clients of all loops. */
    long sumOfClients(final ToLongFunction<ClientSession> quantity) {
        return sum(e -> Stream.of(e.clients().all()).mapToLong(quantity).sum());
    }

    @Override
    public void close() throws IOException {
        for (final RespClient client : clients) {
            client.close();
        }
        if (host != null) {
            host.close();
        }
        program.abort();
    }
}
