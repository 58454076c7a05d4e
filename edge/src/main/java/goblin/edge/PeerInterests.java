// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.pubsub.Kind;
import goblin.pubsub.SubscriptionRegistry;
import goblin.pubsub.Topic;
import goblin.pubsub.TopicVisitor;

/** Which other loops have an interest in what, as far as this loop was told. */
final class PeerInterests {
    private final SubscriptionRegistry<PeerLoop> registry = new SubscriptionRegistry<>();
    private final TopicVisitor<PeerLoop> collect = this::collect;
    private final PeerLoop[] peers;
    private long mask;

    PeerInterests(final int loops) {
        peers = new PeerLoop[loops];
        for (int i = 0; i < loops; i++) {
            peers[i] = new PeerLoop(i);
        }
    }

    void set(final int loop, final Kind kind, final long name, final int nameLength, final boolean on) {
        registry.setWeight(kind, name, nameLength, peers[loop], on ? 1 : 0);
    }

    /** The loops to hand a publication to: bit i is loop i. */
    long loopsFor(final Kind kind, final long channel, final int channelLength) {
        mask = 0;
        registry.forEachMatch(kind, channel, channelLength, collect);
        return mask;
    }

    private void collect(final Topic<PeerLoop> topic) {
        for (int i = 0, size = topic.size(); i < size; i++) {
            mask |= topic.subscriber(i).bit();
        }
    }
}
