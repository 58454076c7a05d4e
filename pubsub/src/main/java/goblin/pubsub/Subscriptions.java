// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import java.util.Arrays;

/**
 * What one subscriber subscribed to. Changed only by the registry. Costs next to nothing while it is empty. One
 * thread; reading allocates nothing.
 *
 * @param <S> what subscribes
 */
public final class Subscriptions<S extends SubscriptionHolder<S>> {
    private static final int FIRST_ROOM = 4;

    private Subscription<S>[][] lists;
    private int channels;
    private int patterns;
    private int shards;

    /** Makes an empty list. */
    public Subscriptions() {}

    /**
     * How many names of one kind there are.
     *
     * @param kind which name space
     * @return 0 or more
     */
    public int count(final Kind kind) {
        return switch (kind) {
            case CHANNEL -> channels;
            case PATTERN -> patterns;
            case SHARD -> shards;
        };
    }

    /**
     * Channels and patterns together, the number in the confirmations of both.
     *
     * @return 0 or more
     */
    public int channelsAndPatterns() {
        return channels + patterns;
    }

    /**
     * Tells whether there is nothing of any kind.
     *
     * @return true when all counts are 0
     */
    public boolean isEmpty() {
        return channels + patterns + shards == 0;
    }

    /**
     * One of the topics. Removing one moves the last to its place, so go from the end to the front when removing.
     *
     * @param kind  which name space
     * @param index 0 to {@link #count} - 1
     * @return the topic
     */
    public Topic<S> topic(final Kind kind, final int index) {
        return subscription(kind, index).topic;
    }

    Subscription<S> subscription(final Kind kind, final int index) {
        if (index >= count(kind)) {
            throw new IndexOutOfBoundsException(index + " of " + count(kind));
        }
        return lists[kind.index][index];
    }

    void add(final Kind kind, final Subscription<S> subscription) {
        if (lists == null) {
            lists = noLists();
        }
        Subscription<S>[] list = lists[kind.index];
        final int count = count(kind);
        if (list == null || count == list.length) {
            list = list == null ? room() : Arrays.copyOf(list, count * 2);
            lists[kind.index] = list;
        }
        subscription.indexInSubscriptions = count;
        list[count] = subscription;
        setCount(kind, count + 1);
    }

    void remove(final Kind kind, final Subscription<S> subscription) {
        Subscription<S>[] list = lists[kind.index];
        final int last = count(kind) - 1;
        list[subscription.indexInSubscriptions] = list[last];
        list[last].indexInSubscriptions = subscription.indexInSubscriptions;
        list[last] = null;
        setCount(kind, last);
        if (list.length > FIRST_ROOM && last < list.length / 4) {
            list = Arrays.copyOf(list, list.length / 2);
            lists[kind.index] = list;
        }
        if (isEmpty()) {
            lists = null;
        }
    }

    private void setCount(final Kind kind, final int count) {
        switch (kind) {
            case CHANNEL -> channels = count;
            case PATTERN -> patterns = count;
            case SHARD -> shards = count;
        }
    }

    @SuppressWarnings("unchecked")
    private static <S extends SubscriptionHolder<S>> Subscription<S>[][] noLists() {
        return (Subscription<S>[][]) new Subscription<?>[Kind.COUNT][];
    }

    @SuppressWarnings("unchecked")
    private static <S extends SubscriptionHolder<S>> Subscription<S>[] room() {
        return (Subscription<S>[]) new Subscription<?>[FIRST_ROOM];
    }
}
