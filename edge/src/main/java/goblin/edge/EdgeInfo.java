// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.edge.exchange.ExchangeCounter;
import goblin.link.Release;
import java.util.List;
import java.util.Locale;

/** The section {@code # Edge} that follows the host's {@code INFO}: all loops together. */
final class EdgeInfo {
    private static final String SHARED_BYTES = "edge_shared_bytes";

    /** What only a loop's own thread can tell, in the order of {@link #gauges}. */
    private static final String[] GAUGES = {
        "edge_clients",
        "edge_subscriber_rings",
        "edge_subscriber_rings_reserved",
        "edge_interests",
        "edge_interests_unacknowledged",
        "edge_publishes_unanswered",
        "edge_receive_bytes_lent",
        SHARED_BYTES,
    };

    private EdgeInfo() {}

    /** What a loop has now. On its thread. */
    static long[] gauges(final Edge edge) {
        return new long[] {
            edge.clients().count(),
            edge.rings().inUse(),
            edge.rings().reserved(),
            edge.role().names(),
            edge.interests().unacknowledged(),
            edge.role().unanswered(),
            edge.transport().lentBytes(),
            edge.shared().liveBytes() + edge.role().exchangedBytes(),
        };
    }

    /**
     * The section, with its line ends.
     *
     * @param gauges    those of each loop
     * @param replyBytes shared bytes of the very reply that the section is for, which are not counted
     */
    static String section(final EdgeLoops loops, final List<long[]> gauges, final long replyBytes) {
        final StringBuilder text = new StringBuilder("# Edge\r\n");
        field(text, "goblin_version", Release.current().version());
        field(text, "edge_id", Long.toUnsignedString(loops.context().edgeId()));
        field(text, "edge_upstream", loops.context().upstreamEndpoint());
        field(text, "edge_loops", loops.all().size());
        for (int i = 0; i < GAUGES.length; i++) {
            long sum = GAUGES[i].equals(SHARED_BYTES) ? -replyBytes : 0;
            for (final long[] each : gauges) {
                sum += each[i];
            }
            field(text, GAUGES[i], sum);
        }
        field(text, "edge_request_memory", loops.requestMemory().used());
        for (final EdgeCounter counter : EdgeCounter.values()) {
            long sum = 0;
            for (final Edge each : loops.all()) {
                sum += each.counters().get(counter);
            }
            field(text, counter.label(), sum);
        }
        if (loops.exchange() != null) {
            for (final ExchangeCounter counter : ExchangeCounter.values()) {
                field(
                        text,
                        "edge_exchange_" + counter.name().toLowerCase(Locale.ROOT),
                        loops.exchange().counter(counter));
            }
        }
        return text.toString();
    }

    private static void field(final StringBuilder text, final String name, final Object value) {
        text.append(name).append(':').append(value).append("\r\n");
    }
}
