// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/** The pattern topics, asked for those that match a channel. In the order of their creation, each looked at. */
final class PatternSet<S extends SubscriptionHolder<S>> {
    private Topic<S> first;
    private Topic<S> last;

    void add(final Topic<S> topic) {
        topic.previous = last;
        if (last == null) {
            first = topic;
        } else {
            last.next = topic;
        }
        last = topic;
    }

    @SuppressWarnings("ReferenceEquality") // ends of a chain are known by identity
    void remove(final Topic<S> topic) {
        if (topic == first) {
            first = topic.next;
        } else {
            topic.previous.next = topic.next;
        }
        if (topic == last) {
            last = topic.previous;
        } else {
            topic.next.previous = topic.previous;
        }
        topic.previous = null;
        topic.next = null;
    }

    void clear() {
        first = null;
        last = null;
    }

    /** Visits the matching ones; the sum of their weights. */
    long forEachMatch(final long channel, final int length, final TopicVisitor<S> visitor) {
        long weight = 0;
        for (Topic<S> topic = first; topic != null; topic = topic.next) {
            if (topic.accepts(channel, length)) {
                weight += topic.totalWeight();
                visitor.visit(topic);
            }
        }
        return weight;
    }
}
