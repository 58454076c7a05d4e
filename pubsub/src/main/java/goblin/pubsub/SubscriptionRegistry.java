// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import goblin.net.linux.Memory;

/**
 * Who subscribed to what, in three name spaces, with a weight for each subscription: 1 for a client, more for a
 * subscriber that stands for many.
 *
 * <p>Adding, changing and removing one subscription takes constant time, however many there are at the name or at the
 * subscriber. Names are copied into native memory once and freed with their last subscriber; {@link #close} frees the
 * rest. One thread; finding and matching allocate nothing. Nothing may be changed from inside a visitor.
 *
 * @param <S> what subscribes; known by identity
 */
public final class SubscriptionRegistry<S extends SubscriptionHolder<S>> implements AutoCloseable {
    private static final Kind[] KINDS = Kind.values();

    private final TopicTable<S> channels = new TopicTable<>();
    private final TopicTable<S> patterns = new TopicTable<>();
    private final TopicTable<S> shards = new TopicTable<>();
    private final SubscriptionTable<S> subscriptions = new SubscriptionTable<>();
    private final PatternSet<S> patternSet = new PatternSet<>();

    /** Makes an empty registry. */
    public SubscriptionRegistry() {}

    /**
     * Subscribes, changes a weight, or unsubscribes.
     *
     * @param kind       which name space
     * @param name       first byte of the name; copied when it is new
     * @param length     the name's bytes, 0 or more
     * @param subscriber who
     * @param weight     how many clients the subscriber stands for at this name; 0 unsubscribes
     * @return the weight before, 0 when it was not subscribed
     */
    public int setWeight(final Kind kind, final long name, final int length, final S subscriber, final int weight) {
        if (weight < 0) {
            throw new IllegalArgumentException("negative weight " + weight);
        }
        final long hash = Memory.hash(name, length);
        final TopicTable<S> table = table(kind);
        Topic<S> topic = table.find(name, length, hash);
        final Subscription<S> subscription = topic == null ? null : subscriptions.find(topic, subscriber);
        if (subscription != null) {
            final int before = subscription.weight;
            if (weight == 0) {
                takeOut(subscription);
                removeIfEmpty(topic);
            } else {
                topic.changeWeight(subscription, weight);
            }
            return before;
        }
        if (weight > 0) {
            if (topic == null) {
                topic = new Topic<>(kind, name, length, hash);
                if (kind == Kind.PATTERN) {
                    patternSet.add(topic);
                }
                table.add(topic);
            }
            final Subscription<S> added = new Subscription<>(topic, subscriber, weight);
            topic.add(added);
            subscriber.subscriptions().add(kind, added);
            subscriptions.add(added);
        }
        return 0;
    }

    /**
     * The weight a subscriber has at a name.
     *
     * @param kind       which name space
     * @param name       first byte of the name
     * @param length     the name's bytes, 0 or more
     * @param subscriber who
     * @return 0 when it is not subscribed
     */
    public int weight(final Kind kind, final long name, final int length, final S subscriber) {
        final Topic<S> topic = find(kind, name, length);
        final Subscription<S> subscription = topic == null ? null : subscriptions.find(topic, subscriber);
        return subscription == null ? 0 : subscription.weight;
    }

    /**
     * Tells whether a subscriber is subscribed to a name.
     *
     * @param kind       which name space
     * @param name       first byte of the name
     * @param length     the name's bytes, 0 or more
     * @param subscriber who
     * @return true when its weight there is not 0
     */
    public boolean contains(final Kind kind, final long name, final int length, final S subscriber) {
        return weight(kind, name, length, subscriber) != 0;
    }

    /**
     * Finds a name.
     *
     * @param kind   which name space
     * @param name   first byte of the name
     * @param length the name's bytes, 0 or more
     * @return its topic, or null when nobody subscribed to it
     */
    public Topic<S> find(final Kind kind, final long name, final int length) {
        final TopicTable<S> table = table(kind);
        return table.size() == 0 ? null : table.find(name, length, Memory.hash(name, length));
    }

    /**
     * The sum of the weights at a name: how many clients subscribed to it.
     *
     * @param kind   which name space
     * @param name   first byte of the name
     * @param length the name's bytes, 0 or more
     * @return 0 when nobody did
     */
    public long totalWeight(final Kind kind, final long name, final int length) {
        final Topic<S> topic = find(kind, name, length);
        return topic == null ? 0 : topic.totalWeight();
    }

    /**
     * How many names have a subscriber.
     *
     * @param kind which name space
     * @return 0 or more
     */
    public int nameCount(final Kind kind) {
        return table(kind).size();
    }

    /**
     * How many subscriptions there are, over all kinds.
     *
     * @return 0 or more
     */
    public int subscriptionCount() {
        return subscriptions.size();
    }

    /**
     * Visits the topics that a message published to a channel goes to: the channel itself first, then the patterns
     * that match it in the order of their creation.
     *
     * @param kind    {@link Kind#CHANNEL}, or {@link Kind#SHARD}, which has no patterns
     * @param channel first byte of the channel
     * @param length  its bytes, 0 or more
     * @param visitor is shown each topic once
     * @return the sum of the topics' weights: how many messages clients get
     */
    public long forEachMatch(final Kind kind, final long channel, final int length, final TopicVisitor<S> visitor) {
        if (kind == Kind.PATTERN) {
            throw new IllegalArgumentException("nothing is published to a pattern");
        }
        final TopicTable<S> table = table(kind);
        final boolean lookUpPattern = kind == Kind.CHANNEL && patternSet.hasPlain();
        final long hash = table.size() > 0 || lookUpPattern ? Memory.hash(channel, length) : 0;
        final Topic<S> literal = table.size() == 0 ? null : table.find(channel, length, hash);
        long weight = 0;
        if (literal != null) {
            weight = literal.totalWeight();
            visitor.visit(literal);
        }
        if (kind == Kind.CHANNEL && patterns.size() > 0) {
            final Topic<S> named = lookUpPattern ? patterns.find(channel, length, hash) : null;
            weight += patternSet.forEachMatch(channel, length, named, visitor);
        }
        return weight;
    }

    /** How many patterns publications were compared with so far, one by one. */
    long patternsExamined() {
        return patternSet.examined();
    }

    /**
     * Visits all names of a kind, in no particular order.
     *
     * @param kind    which name space
     * @param filter  which names, or null for all
     * @param visitor is shown each topic once
     */
    public void forEachTopic(final Kind kind, final GlobPattern filter, final TopicVisitor<S> visitor) {
        final TopicTable<S> table = table(kind);
        for (int slot = 0; slot < table.slotCount(); slot++) {
            final Topic<S> topic = table.at(slot);
            if (topic != null && (filter == null || filter.matches(topic.name(), topic.nameLength()))) {
                visitor.visit(topic);
            }
        }
    }

    /**
     * Removes all subscriptions of a subscriber, in a time that depends on their number only.
     *
     * @param subscriber who
     */
    public void removeAll(final S subscriber) {
        for (final Kind kind : KINDS) {
            removeAll(kind, subscriber, null);
        }
    }

    /**
     * Removes all subscriptions of one kind of a subscriber.
     *
     * @param kind       which name space
     * @param subscriber who
     * @param visitor    is shown each topic after the subscriber left it, when its weight no longer counts; the topic
     *     may be empty then, and ends after the call. May be null
     */
    public void removeAll(final Kind kind, final S subscriber, final TopicVisitor<S> visitor) {
        final Subscriptions<S> own = subscriber.subscriptions();
        for (int i = own.count(kind) - 1; i >= 0; i--) {
            final Subscription<S> subscription = own.subscription(kind, i);
            takeOut(subscription);
            if (visitor != null) {
                visitor.visit(subscription.topic);
            }
            removeIfEmpty(subscription.topic);
        }
    }

    /** Frees all names. Subscribers' own lists are left as they are: the registry and they end together. Idempotent. */
    @Override
    public void close() {
        for (final Kind kind : KINDS) {
            forEachTopic(kind, null, Topic::free);
            table(kind).clear();
        }
        patternSet.clear();
        subscriptions.clear();
    }

    private void takeOut(final Subscription<S> subscription) {
        subscriptions.remove(subscription);
        subscription.topic.remove(subscription);
        subscription.subscriber.subscriptions().remove(subscription.topic.kind(), subscription);
    }

    private void removeIfEmpty(final Topic<S> topic) {
        if (topic.size() > 0) {
            return;
        }
        table(topic.kind()).remove(topic);
        if (topic.kind() == Kind.PATTERN) {
            patternSet.remove(topic);
        }
        topic.free();
    }

    private TopicTable<S> table(final Kind kind) {
        return switch (kind) {
            case CHANNEL -> channels;
            case PATTERN -> patterns;
            case SHARD -> shards;
        };
    }
}
