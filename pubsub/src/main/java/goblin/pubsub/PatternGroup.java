// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import java.util.Arrays;

/**
 * The patterns of an index whose matches begin, or end, with the same bytes: a list in the order of their creation, or,
 * once there are more than a few with one beginning, an index by the ends of their matches.
 */
final class PatternGroup<S extends SubscriptionHolder<S>> {
    /** A list of more is worth an index, and a look at which bytes the channel has. */
    static final int FEW = 8;

    /** Bytes that the matches have in common. */
    final int length;

    final long hash;
    private final boolean mayDivide;
    private PatternIndex<S> byEnd;
    private int size;

    // Patterns that were taken out leave holes: nulls, closed up when they are more than what is left.
    private PatternEntry<S>[] entries = room(1);
    private long[] needed = new long[1];
    private int used;

    PatternGroup(final int length, final long hash, final boolean mayDivide) {
        this.length = length;
        this.hash = hash;
        this.mayDivide = mayDivide;
    }

    int size() {
        return size;
    }

    void add(final PatternEntry<S> entry) {
        size++;
        if (byEnd == null && mayDivide && size > FEW) {
            divide();
        }
        if (byEnd == null) {
            append(entry);
        } else {
            byEnd.insert(entry);
        }
    }

    void remove(final PatternEntry<S> entry) {
        size--;
        if (byEnd != null) {
            byEnd.delete(entry);
            return;
        }
        entries[entry.index] = null;
        if (used > FEW && size * 2 < used) {
            closeUp();
        }
    }

    /** Adds those that match to what was found. */
    void collect(final PatternMatches<S> matches) {
        if (byEnd != null) {
            byEnd.collect(matches, matches.length() - length);
            return;
        }
        final long absent = used > FEW ? ~matches.summary() : 0;
        for (int i = 0; i < used; i++) {
            if ((needed[i] & absent) == 0 && entries[i] != null) {
                matches.offer(entries[i]);
            }
        }
    }

    private void append(final PatternEntry<S> entry) {
        if (used == entries.length) {
            resize(used * 2);
        }
        entry.index = used;
        entries[used] = entry;
        needed[used++] = entry.needed;
    }

    private void divide() {
        byEnd = new PatternIndex<>(true);
        for (int i = 0; i < used; i++) {
            if (entries[i] != null) {
                byEnd.insert(entries[i]);
            }
        }
        entries = null;
        needed = null;
    }

    private void closeUp() {
        int to = 0;
        for (int from = 0; from < used; from++) {
            final PatternEntry<S> entry = entries[from];
            if (entry != null) {
                entry.index = to;
                entries[to] = entry;
                needed[to++] = entry.needed;
            }
        }
        Arrays.fill(entries, to, used, null);
        used = to;
        if (used * 4 <= entries.length) {
            resize(entries.length / 2);
        }
    }

    private void resize(final int length) {
        entries = Arrays.copyOf(entries, length);
        needed = Arrays.copyOf(needed, length);
    }

    @SuppressWarnings("unchecked")
    private static <S extends SubscriptionHolder<S>> PatternEntry<S>[] room(final int size) {
        return (PatternEntry<S>[]) new PatternEntry<?>[size];
    }
}
