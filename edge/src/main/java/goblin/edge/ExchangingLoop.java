// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.edge.exchange.ExchangeHandler;
import goblin.edge.exchange.LoopExchange;
import goblin.net.SharedBytes;
import goblin.pubsub.Kind;
import java.util.function.Supplier;

/** One of several loops: what each of them does with what comes from the others. */
abstract class ExchangingLoop implements LoopRole, ExchangeHandler<ClientSession, ReplySlot> {
    private final Edge edge;
    private final LoopExchange<ClientSession, ReplySlot> exchange;
    private final PeerInterests peers;
    private final Supplier<SharedBytes> lender;

    ExchangingLoop(final Edge edge) {
        this.edge = edge;
        final EdgeLoops all = edge.all();
        exchange = all.exchange().of(edge.index());
        peers = new PeerInterests(all.exchange().loops());
        lender = exchange::lendPayload;
        exchange.bind(edge.loop()::wake, this);
        edge.loop().addPoller(exchange);
    }

    final Edge edge() {
        return edge;
    }

    final LoopExchange<ClientSession, ReplySlot> exchange() {
        return exchange;
    }

    final PeerInterests peers() {
        return peers;
    }

    /**
     * Hands a publication to the loops with an interest, then attempts it here, after everything that was published
     * before it.
     *
     * @param others the loops with an interest; their counts become part of the slot's reply
     * @param uplink whether the home is to send it to the host, too, when it is handed over
     * @param slot   null when nobody waits for its count
     * @return deliveries attempted here
     */
    final long handOverAndDeliver(
            final long others,
            final boolean uplink,
            final ClientSession client,
            final ReplySlot slot,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        if (others == 0) {
            exchange.catchUp();
        } else {
            exchange.drainThrough(exchange.publish(
                    others, uplink, kind, channel, channelLength, payload, payloadLength, client, slot));
        }
        return edge.fanout().publish(kind, channel, channelLength, payload, payloadLength);
    }

    /** Sends a publication that another loop handed over up to the host. */
    abstract void sendUp(
            int from,
            int token,
            Kind kind,
            long channel,
            int channelLength,
            long payload,
            int payloadLength,
            SharedBytes large);

    @Override
    public final long onPublication(
            final int from,
            final int token,
            final boolean deliver,
            final boolean uplink,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        final Fanout fanout = edge.fanout();
        // Restored, since it may say something of a client whose publication waits for this one.
        final boolean before = edge.moreFollows();
        edge.moreFollows(exchange.moreFollows());
        fanout.begin(kind, channel, channelLength, payload, payloadLength, lender);
        final long attempted = deliver ? fanout.attempt() : 0;
        edge.moreFollows(before);
        if (uplink) {
            sendUp(from, token, kind, channel, channelLength, payload, payloadLength, fanout.largePayload());
        }
        fanout.finish();
        return attempted;
    }

    @Override
    public final void onCompleted(final ClientSession client, final ReplySlot slot, final long receivers) {
        // Nobody asked for the count of a publication of the host.
        if (client != null) {
            edge.publications().counted(client, slot, receivers);
        }
    }

    @Override
    public final void onTakes() {
        edge.publications().wakeWaiting();
    }

    @Override
    public final long exchangedBytes() {
        return exchange.liveBytes();
    }

    @Override
    public void disconnect() {
        exchange.dropCompletions();
        edge.publications().fail();
    }

    /** A message that is never sent to a loop of this kind. */
    static IllegalStateException misdirected(final String message) {
        return new IllegalStateException(message + " is for another loop");
    }
}
