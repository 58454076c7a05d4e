// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.LinkRole;
import goblin.pubsub.Kind;

/** Interests and fences up; acknowledgements, the host's publications and answered fences down, in one order. */
final class AggregateLink extends HostLink {
    /** Told what comes down, in its order. */
    interface Events {
        /** The host holds the weight of a message; false when the sequence is not the one that is due. */
        boolean onAcknowledged(long sequence);

        /** A fence came back; false when the sequence is not the one that is due. */
        boolean onFenced(long sequence);

        /** The host has published; the bytes are valid during the call. */
        void onDelivery(Kind kind, long channel, int channelLength, long payload, int payloadLength);
    }

    private final Events events;
    private final Runnable ready;

    AggregateLink(final Edge edge, final Events events, final Runnable ready) {
        super(edge, LinkRole.AGGREGATE);
        this.events = events;
        this.ready = ready;
    }

    @Override
    void onReady() {
        ready.run();
    }

    void setInterest(final long sequence, final Kind kind, final int weight, final long name, final int nameLength) {
        edge().counters().increment(EdgeCounter.INTERESTS_SENT);
        encoder().setInterest(queue(), sequence, kind, weight, name, nameLength);
        markDirty();
    }

    void fence(final long sequence) {
        edge().counters().increment(EdgeCounter.FENCES);
        encoder().fence(queue(), sequence);
        markDirty();
    }

    @Override
    public boolean onInterestAcknowledged(final long sequence) {
        return events.onAcknowledged(sequence) || onUnexpected("interestAcknowledged");
    }

    @Override
    public boolean onFenced(final long sequence) {
        return events.onFenced(sequence) || onUnexpected("fenced");
    }

    @Override
    public boolean onDelivery(
            final Kind kind, final long channel, final int channelLength, final long payload, final int payloadLength) {
        edge().counters().increment(EdgeCounter.PUBLISHES_FROM_HOST);
        edge().moreFollows(moreFollows());
        events.onDelivery(kind, channel, channelLength, payload, payloadLength);
        edge().moreFollows(false);
        return true;
    }
}
