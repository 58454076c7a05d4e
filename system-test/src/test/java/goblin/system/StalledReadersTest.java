// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
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
import org.junit.jupiter.api.Test;

/** Many subscribers that do not read: what they cost, and what becomes of them when there is no memory. */
final class StalledReadersTest {
    private static final int NARROW = 4096;
    private static final int BATCH = 50;

    @Test
    void shouldServeReadersInOrderBesideAThousandThatDoNotReadForARingEachAtMost() {
        final int stalledCount = 1000;
        final int readerCount = 4;
        final List<WireClient> stalled = new ArrayList<>();
        try (EdgeAndHost programs = EdgeAndHost.start()) {
            for (int i = 0; i < stalledCount; i++) {
                stalled.add(WireClient.connectNarrow(programs.edgePort(), NARROW));
                stalled.getLast().send("SUBSCRIBE", "s");
            }
            stalled.forEach(client -> assertThat(client.reply()).contains("subscribe"));
            final List<WireClient> readers = new ArrayList<>();
            for (int i = 0; i < readerCount; i++) {
                readers.add(programs.atEdge());
                readers.getLast().call("SUBSCRIBE", "s");
            }
            final WireClient asker = programs.atEdge();
            final WireClient publisher = programs.atEdge();
            assertThat(Waits.info(asker, "edge_subscriber_rings")).isZero();
            final long residentBefore = residentBytes(programs.edge());

            int published = 0;
            while (Waits.info(asker, "edge_subscriber_rings") < stalledCount
                    && Waits.info(asker, "edge_subscribers_overflowed") == 0) {
                published = publish(publisher, readers, published);
            }
            // A ring each, and what else a program takes meanwhile.
            assertThat(residentBytes(programs.edge()) - residentBefore).isLessThan(160L << 20);

            while (Waits.info(asker, "edge_subscribers_overflowed") < stalledCount) {
                published = publish(publisher, readers, published);
            }
            assertThat(publisher.call("PUBLISH", "s", "end")).isEqualTo(":" + readerCount + "¶");
            assertThat(Waits.info(asker, "edge_subscriber_rings")).isZero();
        } finally {
            stalled.forEach(WireClient::close);
        }
    }

    @Test
    void shouldCutWhoNeedsARingWhenThereIsNoMemoryAndServeTheOthers() {
        try (EdgeAndHost programs = EdgeAndHost.setup()
                .edge("--unsolicited-output-buffer-bytes", Long.toString(1L << 30))
                .start()) {
            final WireClient reader = programs.atEdge();
            reader.call("SUBSCRIBE", "s");
            final WireClient stuck = WireClient.connectNarrow(programs.edgePort(), NARROW);
            stuck.call("SUBSCRIBE", "s");
            final WireClient publisher = programs.atEdge();
            final long half = 512L << 20;
            final long limit = statusBytes(programs.edge(), "VmSize:") + half;
            assertThat(ServerProcess.run("prlimit", "--pid=" + programs.edge().pid(), "--as=" + limit + ":" + limit)
                            .exitCode())
                    .isZero();

            int published = 0;
            while (Waits.info(publisher, "edge_subscribers_without_ring") == 0) {
                published = publish(publisher, List.of(reader), published);
            }

            programs.edge().awaitStderr("no memory for a ring");
            assertThat(publisher.call("PUBLISH", "s", "end")).isEqualTo(":1¶");
            assertThat(reader.reply()).endsWith("¶end¶");
            assertThat(programs.edge().isAlive()).isTrue();
        }
    }

    /** Publishes some, which each reader must get in order; returns the number of the next. */
    private static int publish(final WireClient publisher, final List<WireClient> readers, final int from) {
        final String padding = "x".repeat(1000);
        final StringBuilder pipeline = new StringBuilder();
        for (int i = 0; i < BATCH; i++) {
            pipeline.append(command("PUBLISH", "s", from + i + " " + padding));
        }
        final List<CompletableFuture<List<String>>> received = readers.stream()
                .map(reader -> CompletableFuture.supplyAsync(() -> reader.replies(BATCH)))
                .toList();
        publisher.raw(pipeline.toString());
        publisher.replies(BATCH);
        for (final CompletableFuture<List<String>> messages : received) {
            for (int i = 0; i < BATCH; i++) {
                assertThat(messages.join().get(i)).contains("¶" + (from + i) + " xxx");
            }
        }
        return from + BATCH;
    }

    private static long residentBytes(final ServerProcess process) {
        return statusBytes(process, "VmRSS:");
    }

    private static long statusBytes(final ServerProcess process, final String field) {
        try {
            return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                    .filter(line -> line.startsWith(field))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
