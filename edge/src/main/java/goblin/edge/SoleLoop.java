// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.pubsub.Kind;

/** The only loop of an edge: nothing stands between it and the links. */
final class SoleLoop implements LoopRole, AggregateLink.Events {
    private final Edge edge;
    private final HostLinks links;

    SoleLoop(final Edge edge) {
        this.edge = edge;
        links = new HostLinks(edge, this, edge.publications()::counted);
    }

    // ---- events of the aggregate link

    @Override
    public boolean onAcknowledged(final long sequence) {
        return edge.interests().acknowledged(sequence);
    }

    @Override
    public boolean onFenced(final long sequence) {
        return edge.fences().fenced(sequence);
    }

    @Override
    public void onDelivery(
            final Kind kind, final long channel, final int channelLength, final long payload, final int payloadLength) {
        edge.fanout().publish(kind, channel, channelLength, payload, payloadLength);
        edge.fanout().finish();
    }

    // ---- to the host

    @Override
    public void setInterest(
            final long sequence, final Kind kind, final int weight, final long name, final int nameLength) {
        links.aggregate().setInterest(sequence, kind, weight, name, nameLength);
    }

    @Override
    public void fence(final long sequence) {
        links.aggregate().fence(sequence);
    }

    @Override
    public boolean takes(final long bytes) {
        return edge.publications().takes(bytes);
    }

    @Override
    public void publish(
            final ClientSession client,
            final ReplySlot slot,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        final Fanout fanout = edge.fanout();
        slot.receivers = fanout.publish(kind, channel, channelLength, payload, payloadLength);
        slot.changesLeft = 1;
        edge.publications().add(client, slot, channelLength + payloadLength);
        links.publisher().publish(kind, channel, channelLength, payload, payloadLength, fanout.largePayload());
        fanout.finish();
    }

    @Override
    public int names() {
        return edge.interests().size();
    }

    @Override
    public long unanswered() {
        return edge.publications().unanswered();
    }

    @Override
    public long exchangedBytes() {
        return 0;
    }

    @Override
    public void connect() {
        links.connect();
    }

    @Override
    public void tick(final long nowNs) {
        links.tick(nowNs);
    }

    @Override
    public void flushInterests() {
        links.aggregate().flushTurn();
    }

    @Override
    public void flushPublications() {
        links.publisher().flushTurn();
    }

    @Override
    public long queuedBytes() {
        return links.publisher().queuedBytes();
    }

    @Override
    public void disconnect() {
        links.close();
        edge.publications().fail();
    }
}
