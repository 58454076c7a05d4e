// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.LinkRole;
import goblin.pubsub.Kind;

/** Interests and fences up; acknowledgements, the host's publications and answered fences down, in one order. */
final class AggregateLink extends HostLink implements InterestTable.Sender, Fences.Sender {
    AggregateLink(final Edge edge) {
        super(edge, LinkRole.AGGREGATE);
    }

    @Override
    void onReady() {
        edge().aggregateReady();
    }

    @Override
    public void setInterest(
            final long sequence, final Kind kind, final int weight, final long name, final int nameLength) {
        edge().counters().increment(EdgeCounter.INTERESTS_SENT);
        encoder().setInterest(queue(), sequence, kind, weight, name, nameLength);
        markDirty();
    }

    @Override
    public void fence(final long sequence) {
        edge().counters().increment(EdgeCounter.FENCES);
        encoder().fence(queue(), sequence);
        markDirty();
    }

    @Override
    public boolean onInterestAcknowledged(final long sequence) {
        return edge().interests().acknowledged(sequence) || onUnexpected("interestAcknowledged");
    }

    @Override
    public boolean onFenced(final long sequence) {
        return edge().fences().fenced(sequence) || onUnexpected("fenced");
    }

    @Override
    public boolean onDelivery(
            final Kind kind, final long channel, final int channelLength, final long payload, final int payloadLength) {
        edge().counters().increment(EdgeCounter.PUBLISHES_FROM_HOST);
        edge().moreFollows(moreFollows());
        edge().fanout().publish(kind, channel, channelLength, payload, payloadLength);
        edge().fanout().finish();
        edge().moreFollows(false);
        return true;
    }
}
