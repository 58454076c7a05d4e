// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.host.command.EdgeReceiver;
import goblin.host.command.PubSub;
import goblin.host.command.Publication;
import goblin.host.command.Publisher;
import goblin.host.command.Receiver;
import goblin.link.LinkEncoder;
import goblin.net.SendQueue;
import goblin.pubsub.Kind;
import goblin.pubsub.Subscriptions;

/** One registered edge: its two links, its weights in the registry, and what is queued for it. */
final class EdgePeer implements EdgeReceiver {
    /** A long script queues without a turn's end in between: now and then what is queued is sent from inside. */
    private static final long FLUSH_STEP_BYTES = 1 << 20;

    private final EdgePeers peers;
    private final long id;
    private final long instance;
    private final EdgeLink aggregate;
    private final EdgeBackPressure backPressure;
    private final Subscriptions<Receiver> subscriptions = new Subscriptions<>();
    private EdgeLink publisher;
    private boolean ended;
    private boolean cut;
    private long weight;
    private long names;
    private long publications;
    private long deliveries;
    private long highWaterBytes;
    private long nextFlushBytes = FLUSH_STEP_BYTES;

    EdgePeer(final EdgePeers peers, final long id, final long instance, final EdgeLink aggregate) {
        this.peers = peers;
        this.id = id;
        this.instance = instance;
        this.aggregate = aggregate;
        this.backPressure = new EdgeBackPressure(peers.options().outputBufferBytes());
    }

    long id() {
        return id;
    }

    long instance() {
        return instance;
    }

    EdgeLink aggregate() {
        return aggregate;
    }

    /** The publisher link, null until it registers. */
    EdgeLink publisher() {
        return publisher;
    }

    void setPublisher(final EdgeLink link) {
        publisher = link;
    }

    boolean ended() {
        return ended;
    }

    /** Applies a weight; from the acknowledgement on, counts and deliveries include it. */
    void setInterest(final long sequence, final Kind kind, final int wanted, final long name, final int nameLength) {
        final int before = peers.pubSub().registry().setWeight(kind, name, nameLength, this, wanted);
        weight += wanted - (long) before;
        names += (wanted > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
        encoder().interestAcknowledged(aggregate.queue(), sequence);
        queued();
    }

    /** Answers behind everything that was appended so far. */
    void fence(final long sequence) {
        encoder().fenced(aggregate.queue(), sequence);
        queued();
    }

    /** Publishes for the edge, to everybody else; the answer counts everybody else. */
    void publish(
            final long sequence,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        publications++;
        final PubSub pubSub = peers.pubSub();
        final long receivers = pubSub.publish(kind, channel, channelLength, payload, payloadLength, this, publisher);
        encoder().published(publisher.queue(), sequence, receivers);
        publisher.markDirty();
    }

    @Override
    public Subscriptions<Receiver> subscriptions() {
        return subscriptions;
    }

    @Override
    public void deliver(final Publication publication) {
        if (ended || cut) {
            return;
        }
        final SendQueue queue = aggregate.queue();
        if (queue.bytes() >= nextFlushBytes) {
            aggregate.flush();
            nextFlushBytes = queue.bytes() + FLUSH_STEP_BYTES;
        }
        if (queue.bytes() > peers.options().hardLimitBytes()) {
            cut = true;
            peers.cutSoon(this);
            return;
        }
        deliveries++;
        encoder()
                .delivery(
                        queue,
                        publication.kind(),
                        publication.channel(),
                        publication.channelLength(),
                        publication.payload(),
                        publication.payloadLength());
        queued();
    }

    @Override
    public boolean isCongested() {
        return backPressure.congested();
    }

    @Override
    public void holdUntilDrained(final Publisher held) {
        backPressure.hold(held);
    }

    /** The aggregate link took bytes. */
    void onSent() {
        nextFlushBytes = aggregate.queue().bytes() + FLUSH_STEP_BYTES;
        backPressure.onSent(aggregate.queue().bytes(), peers.nowNs());
    }

    boolean stalled(final long nowNs) {
        return backPressure.stalled(nowNs);
    }

    /** Leaves the registry and lets everybody go on who waited; the links are closed by the caller. */
    void end() {
        ended = true;
        peers.pubSub().registry().removeAll(this);
        backPressure.end();
    }

    /** Its line of {@code INFO}. */
    void appendInfo(final StringBuilder into, final int number, final long nowNs) {
        into.append("edge").append(number);
        into.append(":id=").append(Long.toUnsignedString(id));
        into.append(",peer=").append(aggregate.peerName());
        into.append(",publisher=").append(publisher == null ? "none" : publisher.peerName());
        into.append(",names=").append(names);
        into.append(",weight=").append(weight);
        into.append(",buffer_used=").append(aggregate.queue().bytes());
        into.append(",buffer_high_water=").append(highWaterBytes);
        into.append(",congested=").append(backPressure.congested() ? 1 : 0);
        into.append(",held_publishers=").append(backPressure.held());
        into.append(",last_heartbeat_ms=").append(aggregate.sinceHeartbeatNs(nowNs) / 1_000_000);
        into.append(",publications=").append(publications);
        into.append(",deliveries=").append(deliveries);
        into.append("\r\n");
    }

    @Override
    public String toString() {
        return "edge " + Long.toUnsignedString(id) + " at " + aggregate.peerName();
    }

    private void queued() {
        final SendQueue queue = aggregate.queue();
        highWaterBytes = Math.max(highWaterBytes, queue.bytes());
        backPressure.onQueued(queue.bytes(), peers.nowNs());
        aggregate.markDirty();
    }

    private LinkEncoder encoder() {
        return peers.encoder();
    }
}
