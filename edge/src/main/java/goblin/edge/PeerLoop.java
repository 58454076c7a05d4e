// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.pubsub.SubscriptionHolder;
import goblin.pubsub.Subscriptions;

/** Another loop of the edge, as what subscribes to the names its clients have an interest in. */
final class PeerLoop implements SubscriptionHolder<PeerLoop> {
    private final Subscriptions<PeerLoop> subscriptions = new Subscriptions<>();
    private final long bit;

    PeerLoop(final int index) {
        bit = 1L << index;
    }

    /** Its bit in a mask of loops. */
    long bit() {
        return bit;
    }

    @Override
    public Subscriptions<PeerLoop> subscriptions() {
        return subscriptions;
    }
}
