// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.pubsub.Kind;
import goblin.pubsub.SubscriptionRegistry;
import goblin.pubsub.Topic;
import goblin.pubsub.TopicVisitor;
import java.util.ArrayList;
import java.util.List;

/** The one registry of host clients and edges, and publication to it. */
public final class PubSub {
    private final SubscriptionRegistry<Receiver> registry = new SubscriptionRegistry<>();
    private final Publication publication = new Publication();
    private final TopicVisitor<Receiver> visitor = this::deliver;
    private final List<Receiver> dropped = new ArrayList<>();
    private final TopicVisitor<Receiver> congestion = this::findCongested;
    private EdgeReceiver congested;
    private Receiver excluded;
    private long receivers;
    private long publications;
    private boolean publishing;

    /**
     * Who is subscribed to what. Weights: 1 for a client, the number of its clients for an edge.
     *
     * @return never null
     */
    public SubscriptionRegistry<Receiver> registry() {
        return registry;
    }

    /**
     * Publishes: clients get a frame for each name that matches, each edge with a match gets one delivery.
     *
     * @param kind          channel or shard
     * @param channel       native address, valid during the call
     * @param channelLength bytes
     * @param payload       native address, valid during the call
     * @param payloadLength bytes
     * @param exclude       the edge whose own publication this is: neither delivered nor counted; null for none
     * @param publisher     who is kept from publishing more while an edge is congested; null for nobody
     * @return logical receivers, an edge's clients included
     */
    public long publish(
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength,
            final Receiver exclude,
            final Publisher publisher) {
        publications++;
        publishing = true;
        excluded = exclude;
        receivers = 0;
        publication.start(kind, channel, channelLength, payload, payloadLength);
        registry.forEachMatch(kind, channel, channelLength, visitor);
        for (int i = 0; i < publication.edges().size(); i++) {
            final EdgeReceiver edge = publication.edges().get(i);
            edge.deliver(publication);
            if (publisher != null && edge.isCongested()) {
                edge.holdUntilDrained(publisher);
            }
        }
        publication.end();
        publishing = false;
        if (!dropped.isEmpty()) {
            dropped.forEach(registry::removeAll);
            dropped.clear();
        }
        return receivers;
    }

    /**
     * Holds who is about to publish while an edge that would get the publication is congested: a crowd of publishers
     * with one publication each would outrun it as well.
     *
     * @param kind          channel or shard
     * @param channel       native address, valid during the call
     * @param channelLength bytes
     * @param publisher     is released when that edge has drained or gone
     * @return whether it is held
     */
    public boolean holdIfCongested(
            final Kind kind, final long channel, final int channelLength, final Publisher publisher) {
        congested = null;
        registry.forEachMatch(kind, channel, channelLength, congestion);
        if (congested == null) {
            return false;
        }
        congested.holdUntilDrained(publisher);
        congested = null;
        return true;
    }

    private void findCongested(final Topic<Receiver> topic) {
        for (int i = 0; i < topic.size() && congested == null; i++) {
            if (topic.subscriber(i) instanceof EdgeReceiver edge && edge.isCongested()) {
                congested = edge;
            }
        }
    }

    /**
     * Ends all subscriptions of a receiver that is being disconnected: at once, or after the publication that is being
     * delivered, so that it counts for this one and for none after it.
     *
     * @param receiver who receives nothing any more
     */
    public void drop(final Receiver receiver) {
        if (publishing) {
            dropped.add(receiver);
        } else {
            registry.removeAll(receiver);
        }
    }

    private void deliver(final Topic<Receiver> topic) {
        publication.turnTo(topic.kind() == Kind.PATTERN ? topic : null);
        for (int i = topic.size() - 1; i >= 0; i--) {
            final Receiver receiver = topic.subscriber(i);
            if (receiver != excluded) {
                receivers += topic.weight(i);
                receiver.onMatch(publication);
            }
        }
    }

    /**
     * Publications since the start, keyspace notifications included.
     *
     * @return only grows
     */
    public long publications() {
        return publications;
    }
}
