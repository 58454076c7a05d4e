// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/** The two links of an edge to its host; they live and end together. On the home's thread. */
final class HostLinks {
    private final AggregateLink aggregate;
    private final PublisherLink publisher;

    HostLinks(final Edge edge, final AggregateLink.Events events, final PublisherLink.Counts counts) {
        publisher = new PublisherLink(edge, counts);
        aggregate = new AggregateLink(edge, events, publisher::open);
    }

    AggregateLink aggregate() {
        return aggregate;
    }

    PublisherLink publisher() {
        return publisher;
    }

    /** Starts with the aggregate link; the publisher link follows when it is registered. */
    void connect() {
        aggregate.open();
    }

    void tick(final long nowNs) {
        aggregate.tick(nowNs);
        publisher.tick(nowNs);
    }

    void close() {
        aggregate.close();
        publisher.close();
    }
}
