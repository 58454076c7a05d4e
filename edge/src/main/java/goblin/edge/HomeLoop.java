// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.SharedBytes;
import goblin.pubsub.Kind;

/** The first of several loops: it alone has links to the host, and sends and answers for all. */
final class HomeLoop extends ExchangingLoop {
    private static final int HOME = 0;

    private final HostLinks links;
    private final InterestHub hub;
    private final OriginQueue publishers = new OriginQueue();
    private final OriginQueue fences = new OriginQueue();
    private long lastFence;

    HomeLoop(final Edge edge) {
        super(edge);
        links = new HostLinks(edge, new FromHost(), this::counted);
        hub = new InterestHub(edge.all().exchange().loops(), new Messages());
    }

    // ---- publications

    @Override
    public boolean takes(final long bytes) {
        return edge().publications().takes(bytes) && exchange().takes(bytes);
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
        final long others = peers().loopsFor(kind, channel, channelLength);
        // What this loop attempts, what the host answers, and what the others do, which may come first.
        slot.changesLeft = others == 0 ? 2 : 3;
        final long here =
                handOverAndDeliver(others, false, client, slot, kind, channel, channelLength, payload, payloadLength);
        final Fanout fanout = edge().fanout();
        edge().publications().add(client, slot, channelLength + payloadLength);
        sendUp(HOME, 0, kind, channel, channelLength, payload, payloadLength, fanout.largePayload());
        fanout.finish();
        edge().publications().counted(client, slot, here);
    }

    @Override
    void sendUp(
            final int from,
            final int token,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength,
            final SharedBytes large) {
        publishers.add(from, token);
        links.publisher().publish(kind, channel, channelLength, payload, payloadLength, large);
    }

    private void counted(final long receivers) {
        final long origin = publishers.take();
        if (OriginQueue.loop(origin) == HOME) {
            edge().publications().counted(receivers);
        } else {
            exchange().published(OriginQueue.loop(origin), (int) OriginQueue.number(origin), receivers);
        }
    }

    @Override
    public void onRelieved() {
        links.aggregate().resume();
    }

    @Override
    public int names() {
        return hub.size();
    }

    @Override
    public long unanswered() {
        return edge().publications().unanswered();
    }

    // ---- interests and fences

    /** This loop's own interests go through the hub, as those of the others. */
    @Override
    public void setInterest(
            final long sequence, final Kind kind, final int weight, final long name, final int nameLength) {
        hub.want(HOME, sequence, kind, weight, name, nameLength);
    }

    @Override
    public void onWant(
            final int from,
            final long sequence,
            final Kind kind,
            final int weight,
            final long name,
            final int nameLength) {
        hub.want(from, sequence, kind, weight, name, nameLength);
    }

    @Override
    public void onHeld(final int from, final long number) {
        hub.held(from, number);
    }

    @Override
    public void fence(final long sequence) {
        onFence(HOME, sequence);
    }

    @Override
    public void onFence(final int from, final long sequence) {
        fences.add(from, sequence);
        links.aggregate().fence(++lastFence);
    }

    @Override
    public void onAcked(final long sequence) {
        throw misdirected("an acknowledgement");
    }

    @Override
    public void onFenced(final long sequence) {
        throw misdirected("a fence that came back");
    }

    @Override
    public void onPeerOn(final int loop, final Kind kind, final long name, final int nameLength, final long number) {
        throw misdirected("another loop's interest");
    }

    @Override
    public void onPeerOff(final int loop, final Kind kind, final long name, final int nameLength) {
        throw misdirected("the end of another loop's interest");
    }

    // ---- the links

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
        exchange().flushTurn();
    }

    @Override
    public long queuedBytes() {
        return links.publisher().queuedBytes();
    }

    @Override
    public void disconnect() {
        links.close();
        super.disconnect();
    }

    /** What comes down the aggregate link, each thing at its place. */
    private final class FromHost implements AggregateLink.Events {
        @Override
        public boolean onAcknowledged(final long sequence) {
            return hub.acknowledged(sequence);
        }

        @Override
        public boolean onFenced(final long sequence) {
            if (sequence != lastFence - fences.size() + 1 || fences.size() == 0) {
                return false;
            }
            final long origin = fences.take();
            final long own = OriginQueue.number(origin);
            if (OriginQueue.loop(origin) == HOME) {
                return edge().fences().fenced(own);
            }
            exchange().fenced(OriginQueue.loop(origin), own);
            return true;
        }

        @Override
        public void onDelivery(
                final Kind kind,
                final long channel,
                final int channelLength,
                final long payload,
                final int payloadLength) {
            final long others = peers().loopsFor(kind, channel, channelLength);
            handOverAndDeliver(others, false, null, null, kind, channel, channelLength, payload, payloadLength);
            edge().fanout().finish();
            if (others != 0 && exchange().isPressed()) {
                // What a loop has not handled then piles up at the host, which holds back those who publish there.
                links.aggregate().pause();
            }
        }
    }

    /** What the hub has to say, to the host and to the loops. */
    private final class Messages implements InterestHub.Way {
        @Override
        public void setInterest(
                final long sequence, final Kind kind, final int weight, final long name, final int nameLength) {
            links.aggregate().setInterest(sequence, kind, weight, name, nameLength);
        }

        @Override
        public void acknowledged(final int loop, final long sequence) {
            if (loop != HOME) {
                exchange().acked(loop, sequence);
            } else if (!edge().interests().acknowledged(sequence)) {
                throw new IllegalStateException("acknowledgement " + sequence + " is not due");
            }
        }

        @Override
        public void peerOn(final int loop, final Kind kind, final long name, final int nameLength, final long number) {
            if (loop != HOME) {
                peers().set(loop, kind, name, nameLength, true);
            }
            for (int to = HOME + 1; to < edge().all().exchange().loops(); to++) {
                if (to != loop) {
                    exchange().peerOn(to, loop, kind, name, nameLength, number);
                }
            }
        }

        @Override
        public void peerOff(final int loop, final Kind kind, final long name, final int nameLength) {
            if (loop != HOME) {
                peers().set(loop, kind, name, nameLength, false);
            }
            for (int to = HOME + 1; to < edge().all().exchange().loops(); to++) {
                if (to != loop) {
                    exchange().peerOff(to, loop, kind, name, nameLength);
                }
            }
        }
    }
}
