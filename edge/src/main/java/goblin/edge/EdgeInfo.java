// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.Release;

/** The section {@code # Edge} that follows the host's {@code INFO}. */
final class EdgeInfo {
    private final Edge edge;

    EdgeInfo(final Edge edge) {
        this.edge = edge;
    }

    /** The section, with its line ends. */
    String section() {
        final StringBuilder text = new StringBuilder("# Edge\r\n");
        field(text, "goblin_version", Release.current().version());
        field(text, "edge_id", Long.toUnsignedString(edge.context().edgeId()));
        field(text, "edge_upstream", edge.context().upstreamEndpoint());
        field(text, "edge_clients", edge.clients().count());
        field(text, "edge_subscriber_rings", edge.rings().inUse());
        field(text, "edge_interests", edge.interests().size());
        field(text, "edge_interests_unacknowledged", edge.interests().unacknowledged());
        field(text, "edge_publishes_unanswered", edge.publications().unanswered());
        field(text, "edge_request_memory", edge.requestMemory().used());
        field(text, "edge_receive_bytes_lent", edge.transport().lentBytes());
        field(text, "edge_shared_bytes", edge.shared().liveBytes());
        for (final EdgeCounter counter : EdgeCounter.values()) {
            field(text, counter.label(), edge.counters().get(counter));
        }
        return text.toString();
    }

    private static void field(final StringBuilder text, final String name, final Object value) {
        text.append(name).append(':').append(value).append("\r\n");
    }
}
