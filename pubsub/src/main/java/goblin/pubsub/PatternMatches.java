// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import java.util.Arrays;

/**
 * The patterns found for one channel, put into the order of their creation before they are visited. Also what is known
 * of the channel during the search. Used again for each channel, without allocating once it was large enough; a
 * visitor may publish again.
 */
final class PatternMatches<S extends SubscriptionHolder<S>> {
    private static final int ROOM = 16;
    private static final int MOST_KEPT = 65_536;
    /** As many are sorted by inserting one after the other. */
    private static final int SHORT = 24;

    private final AffixHash beginnings = new AffixHash(false);
    private final AffixHash ends = new AffixHash(true);
    private PatternEntry<S>[] found = room(ROOM);
    private int size;

    private long channel;
    private int length;
    private long summary;
    private long examined;

    /** Turns to a channel; what was found for others stays before it. */
    void start(final long address, final int bytes) {
        channel = address;
        length = bytes;
        summary = 0;
    }

    /** The channel's length in bytes. */
    int length() {
        return length;
    }

    /** How many patterns there are. */
    int size() {
        return size;
    }

    /** How many patterns were compared with a channel so far. */
    long examined() {
        return examined;
    }

    /** The hash of the channel's beginnings or ends, from the shortest on. */
    AffixHash affix(final boolean ofEnds) {
        final AffixHash affix = ofEnds ? ends : beginnings;
        affix.start(channel, length);
        return affix;
    }

    /** The {@link ByteSummary} of the channel. */
    long summary() {
        if (summary == 0) {
            summary = ByteSummary.of(channel, length);
        }
        return summary;
    }

    /** Adds a pattern if it matches the channel. */
    void offer(final PatternEntry<S> entry) {
        examined++;
        if (entry.glob.matches(channel, length)) {
            add(entry);
        }
    }

    /** Adds a pattern that matches. */
    void add(final PatternEntry<S> entry) {
        if (size == found.length) {
            found = Arrays.copyOf(found, size * 2);
        }
        found[size++] = entry;
    }

    /**
     * Visits what was found.
     *
     * @param from    the first of it, by number
     * @param visitor is shown each topic once
     * @return the sum of the topics' weights
     */
    long visit(final int from, final TopicVisitor<S> visitor) {
        sort(from);
        long weight = 0;
        for (int i = from, end = size; i < end; i++) {
            final Topic<S> topic = found[i].topic;
            weight += topic.totalWeight();
            visitor.visit(topic);
        }
        return weight;
    }

    /** Forgets what was found from a number on. */
    void cut(final int from) {
        Arrays.fill(found, from, size, null);
        size = from;
        if (size == 0 && found.length > MOST_KEPT) {
            found = room(ROOM);
        }
    }

    private void sort(final int from) {
        int sorted = from + 1;
        while (sorted < size && found[sorted - 1].order < found[sorted].order) {
            sorted++;
        }
        if (sorted >= size) {
            return;
        }
        if (size - from > SHORT) {
            heapSort(from);
        } else {
            for (int i = sorted; i < size; i++) {
                insert(from, i);
            }
        }
    }

    /** Moves one to its place among those before it, which are sorted. */
    private void insert(final int from, final int index) {
        final PatternEntry<S> entry = found[index];
        int place = index;
        while (place > from && found[place - 1].order > entry.order) {
            found[place] = found[place - 1];
            place--;
        }
        found[place] = entry;
    }

    private void heapSort(final int from) {
        final int count = size - from;
        for (int i = count / 2 - 1; i >= 0; i--) {
            sink(from, i, count);
        }
        for (int left = count - 1; left > 0; left--) {
            final PatternEntry<S> greatest = found[from];
            found[from] = found[from + left];
            found[from + left] = greatest;
            sink(from, 0, left);
        }
    }

    private void sink(final int from, final int index, final int count) {
        final PatternEntry<S> entry = found[from + index];
        int place = index;
        for (int child = 2 * place + 1; child < count; child = 2 * place + 1) {
            if (child + 1 < count && found[from + child + 1].order > found[from + child].order) {
                child++;
            }
            if (found[from + child].order <= entry.order) {
                break;
            }
            found[from + place] = found[from + child];
            place = child;
        }
        found[from + place] = entry;
    }

    @SuppressWarnings("unchecked")
    private static <S extends SubscriptionHolder<S>> PatternEntry<S>[] room(final int size) {
        return (PatternEntry<S>[]) new PatternEntry<?>[size];
    }
}
