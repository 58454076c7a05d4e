// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.SharedBytes;
import goblin.pubsub.Kind;

/** A loop that reaches the host through the home. */
final class FurtherLoop extends ExchangingLoop {
    FurtherLoop(final Edge edge) {
        super(edge);
    }

    // ---- to the host, through the home

    @Override
    public void setInterest(
            final long sequence, final Kind kind, final int weight, final long name, final int nameLength) {
        exchange().want(sequence, kind, weight, name, nameLength);
    }

    @Override
    public void fence(final long sequence) {
        exchange().fence(sequence);
    }

    @Override
    public boolean takes(final long bytes) {
        return exchange().takes(bytes);
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
        // This loop's own count is one part: all others may be in before it, when this loop has to wait for its turn.
        slot.changesLeft = 2;
        final long here =
                handOverAndDeliver(others, true, client, slot, kind, channel, channelLength, payload, payloadLength);
        edge().publications().counted(client, slot, here);
        edge().fanout().finish();
        if (others == 0) {
            exchange().publish(0, true, kind, channel, channelLength, payload, payloadLength, client, slot);
        }
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
        throw misdirected("a publication for the host");
    }

    @Override
    public int names() {
        return 0;
    }

    @Override
    public long unanswered() {
        return exchange().unanswered();
    }

    @Override
    public void connect() {
        // The home does.
    }

    @Override
    public void tick(final long nowNs) {
        // Nothing is due here.
    }

    @Override
    public void flushInterests() {
        // They are on their way.
    }

    @Override
    public void flushPublications() {
        exchange().flushTurn();
    }

    @Override
    public long queuedBytes() {
        return 0;
    }

    // ---- from the home

    @Override
    public void onAcked(final long sequence) {
        if (!edge().interests().acknowledged(sequence)) {
            throw new IllegalStateException("acknowledgement " + sequence + " is not due");
        }
    }

    @Override
    public void onFenced(final long sequence) {
        if (!edge().fences().fenced(sequence)) {
            throw new IllegalStateException("fence " + sequence + " is not due");
        }
    }

    @Override
    public void onPeerOn(final int loop, final Kind kind, final long name, final int nameLength, final long number) {
        peers().set(loop, kind, name, nameLength, true);
        exchange().held(number);
    }

    @Override
    public void onPeerOff(final int loop, final Kind kind, final long name, final int nameLength) {
        peers().set(loop, kind, name, nameLength, false);
    }

    @Override
    public void onRelieved() {
        // Only the home holds somebody back.
    }

    @Override
    public void onWant(
            final int from,
            final long sequence,
            final Kind kind,
            final int weight,
            final long name,
            final int nameLength) {
        throw misdirected("an interest");
    }

    @Override
    public void onHeld(final int from, final long number) {
        throw misdirected("a held interest");
    }

    @Override
    public void onFence(final int from, final long sequence) {
        throw misdirected("a fence");
    }
}
