// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import goblin.net.linux.Memory;
import java.util.Arrays;

/**
 * One name of one {@link Kind} and those who subscribed to it, with a weight each.
 *
 * <p>A topic exists while it has a subscriber; its name's memory lives as long. Reading it while subscriptions change
 * is not safe. One thread.
 *
 * @param <S> what subscribes
 */
public final class Topic<S extends SubscriptionHolder<S>> {
    private static final int FIRST_ROOM = 4;

    private final Kind kind;
    private final long name;
    private final int nameLength;
    private final long hash;

    private Subscription<S>[] subscriptions;
    private int size;
    private long totalWeight;

    /** What the pattern set knows of it; only for patterns. */
    PatternEntry<S> entry;

    Topic(final Kind kind, final long name, final int nameLength, final long hash) {
        this.kind = kind;
        this.name = Memory.allocate(Math.max(1, nameLength));
        this.nameLength = nameLength;
        this.hash = hash;
        Memory.copy(name, this.name, nameLength);
        subscriptions = room(FIRST_ROOM);
    }

    /**
     * The name space.
     *
     * @return never null
     */
    public Kind kind() {
        return kind;
    }

    /**
     * Where the name is.
     *
     * @return a native address, valid while the topic exists
     */
    public long name() {
        return name;
    }

    /**
     * How long the name is.
     *
     * @return bytes, 0 or more
     */
    public int nameLength() {
        return nameLength;
    }

    /**
     * How many subscribers there are.
     *
     * @return at least 1 while the topic exists
     */
    public int size() {
        return size;
    }

    /**
     * One of the subscribers. The order means nothing and changes when somebody leaves.
     *
     * @param index 0 to {@link #size} - 1
     * @return the subscriber
     */
    public S subscriber(final int index) {
        return subscriptions[index].subscriber;
    }

    /**
     * The weight of a subscriber: how many clients it stands for.
     *
     * @param index 0 to {@link #size} - 1
     * @return at least 1
     */
    public int weight(final int index) {
        return subscriptions[index].weight;
    }

    /**
     * The sum of all weights, that is how many clients get a message.
     *
     * @return at least 1 while the topic exists
     */
    public long totalWeight() {
        return totalWeight;
    }

    long hash() {
        return hash;
    }

    boolean isNamed(final long otherName, final int otherLength, final long otherHash) {
        return hash == otherHash && nameLength == otherLength && Memory.equal(name, otherName, otherLength);
    }

    void add(final Subscription<S> subscription) {
        if (size == subscriptions.length) {
            subscriptions = Arrays.copyOf(subscriptions, size * 2);
        }
        subscription.indexInTopic = size;
        subscriptions[size++] = subscription;
        totalWeight += subscription.weight;
    }

    void changeWeight(final Subscription<S> subscription, final int weight) {
        totalWeight += (long) weight - subscription.weight;
        subscription.weight = weight;
    }

    void remove(final Subscription<S> subscription) {
        final Subscription<S> last = subscriptions[--size];
        subscriptions[subscription.indexInTopic] = last;
        last.indexInTopic = subscription.indexInTopic;
        subscriptions[size] = null;
        totalWeight -= subscription.weight;
        if (subscriptions.length > FIRST_ROOM && size < subscriptions.length / 4) {
            subscriptions = Arrays.copyOf(subscriptions, subscriptions.length / 2);
        }
    }

    void free() {
        Memory.free(name);
    }

    @SuppressWarnings("unchecked")
    private static <S extends SubscriptionHolder<S>> Subscription<S>[] room(final int size) {
        return (Subscription<S>[]) new Subscription<?>[size];
    }
}
