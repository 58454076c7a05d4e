// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.Waits;
import goblin.system.rig.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscribers that do not read, messages that are large, and publishers that listen to themselves. */
final class SlowReadersTest {
    private static final int NARROW = 8 * 1024;

    private EdgeAndHost programs;

    @BeforeEach
    void start() {
        programs = EdgeAndHost.start();
    }

    @AfterEach
    void stop() {
        programs.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"edge", "host"})
    void shouldCutTheStuckSubscriberAndServeTheOthers_P35_P37(final String publisherAt) {
        final int healthyCount = 9;
        final List<CompletableFuture<Integer>> healthy = new ArrayList<>();
        for (int i = 0; i < healthyCount; i++) {
            final WireClient subscriber = programs.atEdge();
            subscriber.call("SUBSCRIBE", "s");
            healthy.add(countInBackground(subscriber));
        }
        final WireClient stuck = WireClient.connectNarrow(programs.edgePort(), NARROW);
        stuck.call("SUBSCRIBE", "s");
        final WireClient publisher = "edge".equals(publisherAt) ? programs.atEdge() : programs.atHost();
        final String padding = "x".repeat(1000);
        final int batch = 200;

        int published = 0;
        boolean cut = false;
        while (!cut && published < 200_000) {
            final StringBuilder pipeline = new StringBuilder();
            for (int i = 0; i < batch; i++) {
                pipeline.append(command("PUBLISH", "s", published++ + " " + padding));
            }
            publisher.raw(pipeline.toString());
            for (final String count : publisher.replies(batch)) {
                assertThat(count).isEqualTo(cut ? ":9¶" : count).isIn(":9¶", ":10¶");
                cut = count.equals(":9¶");
            }
        }

        assertThat(cut).isTrue();
        assertThat(publisher.call("PUBLISH", "s", "end")).isEqualTo(":9¶");
        for (final CompletableFuture<Integer> count : healthy) {
            assertThat(count.join()).isEqualTo(published);
        }
        final WireClient host = programs.atHost();
        Waits.awaitSubscribers(host, "s", healthyCount);
        assertThat(Waits.info(programs.atEdge(), "edge_subscribers_overflowed")).isEqualTo(1);
        assertThat(programs.edge().stderr())
                .filteredOn(line -> line.contains(Integer.toString(stuck.localPort())))
                .hasSize(1);
        assertPrefix(stuck);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 20, 4_000_000, 12 << 20})
    void shouldDeliverLargeMessagesToHealthySubscribers_W10(final int size) {
        final WireClient subscriber = programs.atEdge();
        subscriber.call("SUBSCRIBE", "big");
        final String payload = "y".repeat(size);
        for (final WireClient publisher : List.of(programs.atEdge(), programs.atHost())) {
            final CompletableFuture<String> received = CompletableFuture.supplyAsync(subscriber::reply);

            assertThat(publisher.call("PUBLISH", "big", payload)).isEqualTo(":1¶");

            final String head = "*3¶$7¶message¶$3¶big¶$" + size + "¶";
            assertThat(received.join().equals(head + payload + "¶")).isTrue();
        }
        subscriber.expectSilence();
    }

    @Test
    void shouldNotParkAClientThatIsItsOwnSubscriberForEver_P38() {
        final WireClient client = programs.atEdge();
        client.call("HELLO", "3");
        client.call("SUBSCRIBE", "c");
        final int count = 20_000;
        final byte[] pipeline = command("PUBLISH", "c", "z".repeat(1024))
                .replace("¶", "\r\n")
                .repeat(count)
                .getBytes(StandardCharsets.ISO_8859_1);
        final CompletableFuture<Boolean> written = CompletableFuture.supplyAsync(() -> {
            try {
                client.bytes(pipeline);
                return true;
            } catch (final UncheckedIOException e) {
                return false;
            }
        });
        final WireClient other = programs.atEdge();
        for (int i = 0; i < 100; i++) {
            assertThat(other.call("PING")).isEqualTo("+PONG¶");
        }

        // It reads only from here on: it gets everything, or was closed by the limit.
        int pushes = 0;
        int replies = 0;
        try {
            while (pushes < count || replies < count) {
                if (client.reply().startsWith(">")) {
                    pushes++;
                } else {
                    replies++;
                }
            }
        } catch (final UncheckedIOException closed) {
            assertThat(Waits.info(other, "edge_subscribers_overflowed")).isEqualTo(1);
        }
        written.join();
        assertThat(other.call("PING")).isEqualTo("+PONG¶");
    }

    @Test
    void shouldKeepThePayloadOnceForAllWhoDoNotRead_P40() throws IOException {
        final int subscribers = 300;
        final List<WireClient> stuck = new ArrayList<>();
        try {
            for (int i = 0; i < subscribers; i++) {
                final WireClient subscriber = WireClient.connectNarrow(programs.edgePort(), 4096);
                stuck.add(subscriber);
                subscriber.call("SUBSCRIBE", "m");
            }
            final WireClient publisher = programs.atEdge();
            final long before = residentBytes();
            final String payload = "p".repeat(5 * 1024);
            for (int i = 0; i < 200; i++) {
                assertThat(publisher.call("PUBLISH", "m", payload)).startsWith(":");
            }
            assertThat(residentBytes() - before).isLessThan(64 << 20);
            assertThat(publisher.call("PING")).isEqualTo("+PONG¶");
        } finally {
            stuck.forEach(WireClient::close);
        }
        Waits.awaitSubscribers(programs.atHost(), "m", 0);
    }

    @Test
    void shouldStopReadingAClientThatDoesNotReadItsReplies() {
        final WireClient host = programs.atHost();
        host.call("SET", "large", "v".repeat(1 << 20));
        final WireClient greedy = WireClient.connectNarrow(programs.edgePort(), NARROW);
        final int count = 200;
        greedy.raw(command("GET", "large").repeat(count));
        final WireClient other = programs.atEdge();
        for (int i = 0; i < 100; i++) {
            assertThat(other.call("GET", "none")).isEqualTo("$-1¶");
        }

        for (int i = 0; i < count; i++) {
            assertThat(greedy.reply()).hasSize((1 << 20) + 10);
        }
        greedy.expectSilence();
        greedy.close();
    }

    @Test
    void shouldCloseAClientThatReadsNothingForTooLong() {
        programs.close();
        programs = EdgeAndHost.setup()
                .edge("--client-stall-seconds", "1", "--max-output-buffer-bytes", "1048576")
                .start();
        programs.atHost().call("SET", "large", "v".repeat(1 << 20));
        final WireClient stalled = WireClient.connectNarrow(programs.edgePort(), NARROW);
        stalled.raw(command("GET", "large").repeat(100));
        final WireClient asker = programs.atEdge();

        Awaitility.await().until(() -> Waits.info(asker, "edge_clients_stalled") == 1);
        assertThat(programs.edge().stderr())
                .filteredOn(line -> line.contains(Integer.toString(stalled.localPort())))
                .hasSize(1);
        stalled.close();
    }

    private static CompletableFuture<Integer> countInBackground(final WireClient subscriber) {
        return CompletableFuture.supplyAsync(
                () -> {
                    int next = 0;
                    while (true) {
                        final String frame = subscriber.reply();
                        if (frame.endsWith("¶end¶")) {
                            return next;
                        }
                        assertThat(frame).contains("¶" + next + " x");
                        next++;
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }

    /** What a cut client received is a prefix: no message is missing before the last one, which may be cut itself. */
    private static void assertPrefix(final WireClient client) {
        final String received = client.rest();
        int at = 0;
        int next = 0;
        while (true) {
            final String head = "*3¶$7¶message¶$1¶s¶$" + (Integer.toString(next).length() + 1001) + "¶" + next + " x";
            if (!received.startsWith(head, at)) {
                assertThat(head).startsWith(received.substring(at, Math.min(received.length(), at + head.length())));
                return;
            }
            at = received.indexOf("*3¶", at + 1);
            if (at < 0) {
                return;
            }
            next++;
        }
    }

    private long residentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + programs.edge().pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .sum();
    }
}
