// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.link.Release;
import goblin.pubsub.Kind;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Links of edges and RESP clients on the same socket of a whole host. */
@Timeout(60)
final class SharedPortTest {
    @TempDir
    private Path directory;

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (final AutoCloseable each : toClose.reversed()) {
            each.close();
        }
    }

    @Test
    void shouldServeAnEdgeAndAClientAndCountBoth() throws IOException {
        start("--enable-sbe");
        final RawEdge aggregate = edge();
        aggregate.registerAggregate(7, 70, Release.current().text());
        until(aggregate, () -> aggregate.count("registered 7 70 ") == 1);
        aggregate.setInterest(1, Kind.CHANNEL, "c", 4);
        until(aggregate, () -> aggregate.has("acknowledged 1"));
        final SocketChannel client = client();

        assertThat(ask(client, "PUBLISH c m\r\n", ":4\r\n")).isEqualTo(":4\r\n");
        until(aggregate, () -> aggregate.has("delivery CHANNEL c m"));
        assertThat(ask(client, "PUBSUB NUMSUB c\r\n", "*2\r\n$1\r\nc\r\n:4\r\n"))
                .isEqualTo("*2\r\n$1\r\nc\r\n:4\r\n");
    }

    @Test
    void shouldTakeAClientThatBeginsLikeALinkForAClientAtEverySplit() throws IOException {
        start("--enable-sbe");
        final String begin = "GOBLINS";
        for (int cut = 1; cut <= begin.length(); cut++) {
            final SocketChannel client = client();
            write(client, begin.substring(0, cut));
            final String word = begin.substring(0, cut) + "x";
            final String expected = "-ERR unknown command '" + word + "', with args beginning with: \r\n+PONG\r\n";

            assertThat(ask(client, "x\r\nPING\r\n", expected)).isEqualTo(expected);
        }
    }

    @Test
    void shouldCountAClientBeforeItsFirstByteAndNoEdgeAsAClient() throws IOException {
        start("--enable-sbe");
        final RawEdge aggregate = edge();
        aggregate.registerAggregate(7, 70, Release.current().text());
        until(aggregate, () -> aggregate.count("registered 7 70 ") == 1);
        client();
        final SocketChannel asking = client();
        final String list = ask(asking, "CLIENT LIST\r\n", "cmd=client|list");

        assertThat(list.lines().filter(line -> line.contains("addr="))).hasSize(2);
    }

    @Test
    void shouldSayThatLinksNeedTheirOption() throws IOException {
        start();
        final RawEdge aggregate = edge();
        aggregate.registerAggregate(7, 70, Release.current().text());
        until(aggregate, aggregate::ended);

        assertThat(aggregate.lines).containsExactly("error NOT_ALLOWED edges are accepted with --enable-sbe only");
    }

    private void start(final String... options) {
        final List<String> args = new ArrayList<>(List.of(options));
        args.addAll(
                List.of("--port", "0", "--uds-listen", directory.resolve("s").toString()));
        final Options parsed = CommandLine.populateCommand(new Options(), args.toArray(new String[0]));
        parsed.context.conclude();
        final Host host = new Host(parsed.context);
        host.start();
        toClose.add(host);
    }

    private RawEdge edge() throws IOException {
        final RawEdge edge = new RawEdge(directory.resolve("s"));
        toClose.add(edge);
        return edge;
    }

    private SocketChannel client() throws IOException {
        final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(directory.resolve("s")));
        toClose.add(channel);
        return channel;
    }

    private static void until(final RawEdge edge, final BooleanSupplier condition) {
        await().atMost(20, TimeUnit.SECONDS).pollInSameThread().until(() -> {
            edge.poll();
            return condition.getAsBoolean();
        });
    }

    private static String ask(final SocketChannel client, final String request, final String part) throws IOException {
        write(client, request);
        final ByteBuffer in = ByteBuffer.allocate(64 << 10);
        String answer = "";
        while (!answer.contains(part) && client.read(in) >= 0) {
            answer = new String(in.array(), 0, in.position(), StandardCharsets.ISO_8859_1);
        }
        return answer;
    }

    private static void write(final SocketChannel client, final String text) throws IOException {
        client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @CommandLine.Command
    private static final class Options {
        @CommandLine.Mixin
        private final HostContext context = new HostContext();
    }

    @Test
    void shouldHoldAClientBeforeItPublishesToACongestedEdge() throws IOException {
        start("--enable-sbe", "--edge-output-buffer-bytes", "65536");
        final RawEdge aggregate = edge();
        aggregate.registerAggregate(7, 70, Release.current().text());
        until(aggregate, () -> aggregate.count("registered 7 70 ") == 1);
        aggregate.setInterest(1, Kind.CHANNEL, "c", 1);
        until(aggregate, () -> aggregate.has("acknowledged 1"));
        final SocketChannel first = client();
        final SocketChannel second = client();
        final SocketChannel third = client();
        final SocketChannel asking = client();
        final String large = "x".repeat(450_000);

        write(first, "*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$450000\r\n" + large + "\r\n");
        await().until(() -> ask(asking, "INFO edges\r\n", "deliveries=").contains("held_publishers=1"));
        write(second, "PUBLISH c m\r\n");
        write(third, "MULTI\r\nPUBLISH c m\r\nEXEC\r\n");
        await().until(() -> ask(asking, "INFO edges\r\n", "deliveries=").contains("held_publishers=3"));
        assertThat(ask(asking, "INFO edges\r\n", "deliveries=")).contains("deliveries=1");
        assertThat(ask(asking, "PUBLISH other m\r\n", ":0")).isEqualTo(":0\r\n");

        until(aggregate, () -> aggregate.count("delivery CHANNEL c m") == 2);
        assertThat(ask(second, "PING\r\n", "PONG")).isEqualTo(":1\r\n+PONG\r\n");
    }

    @Test
    void shouldNotKeepASilentConnectionForWhichThereIsNoRoom() throws IOException {
        start("--enable-sbe");
        final SocketChannel first = client();
        assertThat(ask(first, "CONFIG SET maxclients 1\r\n", "OK")).isEqualTo("+OK\r\n");

        assertThat(ask(client(), "", "reached")).isEqualTo("-ERR max number of clients reached\r\n");
    }
}
