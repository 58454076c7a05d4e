// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/** One subscriber at one topic, and where both keep it, so that it is taken out without searching. */
final class Subscription<S extends SubscriptionHolder<S>> {
    final Topic<S> topic;
    final S subscriber;
    int weight;
    int indexInTopic;
    int indexInSubscriptions;

    Subscription(final Topic<S> topic, final S subscriber, final int weight) {
        this.topic = topic;
        this.subscriber = subscriber;
        this.weight = weight;
    }

    /** Spread over all bits; equal for the same topic and the same subscriber. */
    static int hash(final Topic<?> topic, final Object subscriber) {
        final long mixed = (topic.hash() ^ System.identityHashCode(subscriber)) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32);
    }
}
