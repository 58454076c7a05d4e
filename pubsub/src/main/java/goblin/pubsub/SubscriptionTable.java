// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/** All subscriptions by topic and subscriber. */
final class SubscriptionTable<S extends SubscriptionHolder<S>> extends HashSlots<Subscription<S>> {

    @Override
    int hashOf(final Subscription<S> subscription) {
        return Subscription.hash(subscription.topic, subscription.subscriber);
    }

    @SuppressWarnings("ReferenceEquality") // a subscriber is who it is, whatever its equals says
    Subscription<S> find(final Topic<S> topic, final S subscriber) {
        int slot = firstSlot(Subscription.hash(topic, subscriber));
        while (true) {
            final Subscription<S> subscription = at(slot);
            if (subscription == null || (subscription.topic == topic && subscription.subscriber == subscriber)) {
                return subscription;
            }
            slot = nextSlot(slot);
        }
    }
}
