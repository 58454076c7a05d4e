// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.LinkRole;
import goblin.net.SharedBytes;
import goblin.pubsub.Kind;

/** This edge's publications up, their counts down. {@link Publications} bound what is unanswered. */
final class PublisherLink extends HostLink {
    /** Told how many clients got a publication elsewhere, in the order of the publications. */
    interface Counts {
        void counted(long receivers);
    }

    private final Counts counts;
    private long sent;
    private long answered;

    PublisherLink(final Edge edge, final Counts counts) {
        super(edge, LinkRole.PUBLISHER);
        this.counts = counts;
    }

    @Override
    void onReady() {
        edge().linked();
    }

    /**
     * Sends a publication.
     *
     * @param large the payload with its line end when it is shared already, else null
     */
    void publish(
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength,
            final SharedBytes large) {
        sent++;
        encoder().publishHead(queue(), sent, kind, channel, channelLength, payloadLength);
        if (large == null) {
            queue().append(payload, payloadLength);
        } else {
            queue().appendShared(large, 0, payloadLength);
        }
        markDirty();
    }

    @Override
    public boolean onPublished(final long sequence, final long receivers) {
        if (sequence != answered + 1 || sequence > sent) {
            return onUnexpected("published");
        }
        answered++;
        counts.counted(receivers);
        return true;
    }
}
