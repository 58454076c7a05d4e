// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.awaitility.Awaitility.await;

import goblin.pubsub.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EdgeAllocationTest {
    private static final int BATCH = 200;
    private static final int BATCHES = 50;

    @TempDir
    private Path directory;

    private long sequence;

    @Test
    void shouldAllocateNothingForPublicationsOfAnEdgeOnceCompiled() throws IOException {
        try (EdgeHarness host = new EdgeHarness(directory, 64 << 20)) {
            host.aggregate(1, 10);
            final RawEdge publisher = host.publisher(1, 10);
            final RawEdge receiving = host.aggregate(2, 20);
            receiving.setInterest(1, Kind.CHANNEL, "prices", 3);
            receiving.setInterest(2, Kind.PATTERN, "p*", 2);
            host.until(() -> receiving.has("acknowledged 2"));

            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(1))
                    .pollInSameThread()
                    .until(() -> {
                        final long before = host.allocatedByLoop();
                        for (int i = 0; i < BATCHES; i++) {
                            publishBatch(host, publisher, receiving);
                        }
                        return host.allocatedByLoop() == before;
                    });
        }
    }

    private void publishBatch(final EdgeHarness host, final RawEdge publisher, final RawEdge receiving) {
        publisher.lines.clear();
        receiving.lines.clear();
        for (int i = 0; i < BATCH; i++) {
            sequence++;
            publisher.publish(sequence, Kind.CHANNEL, "prices", "payload");
        }
        host.until(() -> publisher.lines.size() == BATCH && receiving.lines.size() == BATCH);
    }
}
