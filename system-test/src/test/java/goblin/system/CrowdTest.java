// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.Ports;
import goblin.system.rig.ServerProcess;
import goblin.system.rig.Waits;
import goblin.system.rig.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bursts of publications and of connections. */
final class CrowdTest {
    private EdgeAndHost programs;
    private final List<WireClient> crowd = new ArrayList<>();

    @BeforeEach
    void start() {
        programs = EdgeAndHost.start();
    }

    @AfterEach
    void stop() {
        crowd.forEach(WireClient::close);
        programs.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {39, 1000, 50_000})
    void shouldCarryABurstOfHostPublications_W4(final int count) {
        final WireClient subscriber = programs.atEdge();
        subscriber.call("SUBSCRIBE", "c");
        final WireClient publisher = programs.atHost();
        final CompletableFuture<List<String>> received =
                CompletableFuture.supplyAsync(() -> subscriber.replies(count + 1));
        final StringBuilder burst = new StringBuilder();
        for (int i = 0; i < count; i++) {
            burst.append(command("PUBLISH", "c", Integer.toString(1_000_000 + i)));
        }
        publisher.raw(burst.toString());

        assertThat(publisher.replies(count)).containsOnly(":1¶");
        assertThat(publisher.call("PUBLISH", "c", "b".repeat(4200))).isEqualTo(":1¶");
        final List<String> frames = received.join();
        for (int i = 0; i < count; i++) {
            assertThat(frames.get(i)).isEqualTo("*3¶$7¶message¶$1¶c¶$7¶" + (1_000_000 + i) + "¶");
        }
        assertThat(programs.edge().isAlive()).isTrue();
    }

    @Test
    void shouldGatherMessagesOfOneSubscriberThatPileUp_W2() {
        final WireClient subscriber = programs.atEdge();
        subscriber.call("SUBSCRIBE", "c");
        final WireClient publisher = programs.atEdge();
        final int count = 10_000;
        final CompletableFuture<List<String>> received = CompletableFuture.supplyAsync(() -> subscriber.replies(count));

        publisher.raw(command("PUBLISH", "c", "m").repeat(count));
        assertThat(publisher.replies(count)).containsOnly(":1¶");

        assertThat(received.join()).hasSize(count);
        // Each send of its own is a segment of its own, as Nagle's algorithm is off.
        assertThat(segmentsSentTo(subscriber)).isPositive().isLessThan(count / 4);
    }

    @Test
    void shouldSendPipelinedPublicationsToASubscriberInOne() {
        final WireClient subscriber = programs.atEdge();
        subscriber.call("SUBSCRIBE", "c");
        final WireClient publisher = programs.atEdge();
        final int bursts = 100;
        final int each = 3;
        final long before = segmentsSentTo(subscriber);

        for (int i = 0; i < bursts; i++) {
            publisher.raw(command("PUBLISH", "c", "m").repeat(each));
            assertThat(publisher.replies(each)).containsOnly(":1¶");
            assertThat(subscriber.replies(each)).hasSize(each);
        }

        // Neither two sends of each burst, nor all bursts in a few.
        assertThat(segmentsSentTo(subscriber) - before).isBetween((long) bursts, bursts * 3L / 2);
    }

    @Test
    void shouldGoOnWhenItRunsOutOfDescriptors_W6_P60() {
        final int port = Ports.free();
        final String edge =
                ServerProcess.ROOT.resolve("bin/goblin-core-bluefield").toString();
        try (ServerProcess limited = ServerProcess.start(List.of(
                "bash",
                "-c",
                "ulimit -n 100 && exec " + edge + " --idle backoff --listen 127.0.0.1 " + port
                        + " --upstream 127.0.0.1 " + programs.hostPort()))) {
            limited.awaitStderr("ready");
            final WireClient early = WireClient.connect(port);
            crowd.add(early);
            early.call("SUBSCRIBE", "c");
            int refused = 0;
            for (int i = 0; i < 150; i++) {
                final WireClient client = WireClient.connect(port);
                final String answer = client.call("PING");
                if (answer.equals("+PONG¶")) {
                    crowd.add(client);
                } else {
                    assertThat(answer + client.rest()).isEqualTo("-ERR max number of clients reached¶");
                    refused++;
                }
            }
            assertThat(refused).isPositive();
            // Each needs a session of its own now, and there are not enough descriptors for all.
            for (final WireClient client : crowd.subList(1, crowd.size())) {
                assertThat(client.call("GET", "none")).matches("\\$-1¶|-ERR [^¶]+¶");
            }
            assertThat(early.call("PING")).startsWith("*2¶$4¶pong¶");
            assertThat(programs.atHost().call("PUBLISH", "c", "m")).isEqualTo(":1¶");
            assertThat(early.reply()).endsWith("¶m¶");

            crowd.subList(1, crowd.size()).forEach(WireClient::close);
            Awaitility.await("a late client is served").until(() -> {
                try (WireClient late = WireClient.connect(port)) {
                    return late.call("PING").equals("+PONG¶")
                            && late.call("GET", "none").equals("$-1¶");
                }
            });
            assertThat(limited.isAlive()).isTrue();
        }
    }

    @Test
    void shouldLockNoMemoryForClientsAndSubscribersThatRead_W9() throws IOException {
        final int count = 1000;
        final WireClient first = programs.atEdge();
        first.call("PING");
        final long lockedBefore = lockedKilobytes();
        for (int i = 0; i < count; i++) {
            crowd.add(WireClient.connect(programs.edgePort()));
        }
        for (final WireClient client : crowd) {
            assertThat(client.call("PING")).isEqualTo("+PONG¶");
        }
        assertThat(lockedKilobytes()).isEqualTo(lockedBefore);
        for (final WireClient client : crowd) {
            client.call("SUBSCRIBE", "c");
        }
        assertThat(programs.atHost().call("PUBLISH", "c", "m")).isEqualTo(":" + count + "¶");
        for (final WireClient client : crowd) {
            assertThat(client.reply()).endsWith("¶m¶");
        }

        assertThat(lockedKilobytes()).isEqualTo(lockedBefore);
        assertThat(Waits.info(first, "edge_subscriber_rings")).isZero();
        assertThat(Waits.info(first, "edge_subscriber_rings_reserved")).isZero();
    }

    @Test
    void shouldServeOldSubscribersThroughAConnectionStorm_P60() {
        final int old = 10;
        final int newcomers = 2000;
        final List<WireClient> subscribers = new ArrayList<>();
        for (int i = 0; i < old; i++) {
            final WireClient subscriber = programs.atEdge();
            subscriber.call("SUBSCRIBE", "ticks");
            subscribers.add(subscriber);
        }
        final WireClient publisher = programs.atHost();
        final WireClient asker = programs.atEdge();
        final long clientsBefore = Waits.info(asker, "edge_clients");
        final long descriptorsBefore = openDescriptors();

        final String hello = command("HELLO", "3") + command("SUBSCRIBE", "storm");
        for (int i = 0; i < newcomers; i++) {
            crowd.add(WireClient.connect(programs.edgePort()).raw(hello));
            if (i % 100 == 0) {
                assertThat(publisher.call("PUBLISH", "ticks", "t")).isEqualTo(":" + old + "¶");
                for (final WireClient subscriber : subscribers) {
                    assertThat(subscriber.reply()).endsWith("¶t¶");
                }
            }
        }
        for (final WireClient client : crowd) {
            assertThat(client.reply()).startsWith("%7¶");
            assertThat(client.reply()).isEqualTo(">3¶$9¶subscribe¶$5¶storm¶:1¶");
        }
        assertThat(publisher.call("PUBLISH", "storm", "s")).isEqualTo(":" + newcomers + "¶");

        crowd.forEach(WireClient::reset);
        Waits.awaitSubscribers(publisher, "storm", 0);
        assertThat(publisher.call("PUBLISH", "ticks", "t")).isEqualTo(":" + old + "¶");
        Awaitility.await().until(() -> Waits.info(asker, "edge_clients") == clientsBefore);
        Awaitility.await().until(() -> openDescriptors() <= descriptorsBefore + 1);
        assertThat(Waits.info(asker, "edge_subscriber_rings")).isZero();
    }

    private long openDescriptors() {
        try (var descriptors = Files.list(Path.of("/proc/" + programs.edge().pid() + "/fd"))) {
            return descriptors.count();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long lockedKilobytes() throws IOException {
        return field(Path.of("/proc/" + programs.edge().pid() + "/status"), "VmLck:");
    }

    private long segmentsSentTo(final WireClient client) {
        final ServerProcess sockets = ServerProcess.run(
                "ss", "-Htni", "sport", "=", ":" + programs.edgePort(), "and", "dport", "=", ":" + client.localPort());
        final Matcher segments = Pattern.compile("data_segs_out:(\\d+)").matcher(String.join(" ", sockets.stdout()));
        assertThat(segments.find()).as("%s", sockets.stdout()).isTrue();
        return Long.parseLong(segments.group(1));
    }

    private static long field(final Path file, final String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }
}
