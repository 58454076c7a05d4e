// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Connection;
import goblin.net.Transport;
import goblin.net.linux.Limits;
import org.junit.jupiter.api.Test;

/** What many connections cost, counted in work and not in time. */
public abstract class ScaleConformance extends TransportConformance {
    private final RecordingHandler client = new RecordingHandler();
    private final RecordingHandler server = new RecordingHandler();

    /** For backends. */
    protected ScaleConformance() {}

    /**
     * How often a transport asked its stack for bytes.
     *
     * @param transport from {@link #newTransport}
     * @return the count
     */
    protected abstract long receiveCalls(Transport transport);

    /**
     * How many connections many are.
     *
     * @return connections, of which each takes two descriptors
     */
    protected int manyConnections() {
        return 5_000;
    }

    @Test
    void shouldDoNoMoreWorkATurnForManyIdleConnections() {
        final long limit = Limits.raiseOpenFiles();
        final int idle = (int) Math.min(manyConnections(), (limit - 500) / 2);
        final Connection active = connect(client, server);
        final long alone = receivesForMessages(active, 100);
        final RecordingHandler idleServer = new RecordingHandler();
        for (int i = 0; i < idle; i++) {
            pair.onAccept = connection -> idleServer;
            pair.client.connect(pair.listener.endpoint(), new RecordingHandler());
            if (i % 64 == 63) {
                pair.turn();
            }
        }
        pair.until("all idle connections", () -> pair.accepted.size() == idle + 1);
        pair.untilQuiet(10);
        assertThat(receivesForMessages(active, 100)).isLessThanOrEqualTo(alone);
        assertThat(pair.server.lentBytes()).isZero();
        assertThat(pair.server.poll(System.nanoTime())).isZero();
    }

    private long receivesForMessages(final Connection active, final int messages) {
        final long before = receiveCalls(pair.server);
        for (int i = 0; i < messages; i++) {
            final long expected = server.receivedBytes + 5;
            pair.send(active, "hello");
            pair.until("the message", () -> server.receivedBytes == expected);
        }
        return receiveCalls(pair.server) - before;
    }
}
