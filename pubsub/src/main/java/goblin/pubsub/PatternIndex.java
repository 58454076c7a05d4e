// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/**
 * Patterns by the literal bytes that all their matches begin with, or end with. A channel is looked up once for each
 * length in use that is not longer than itself.
 */
final class PatternIndex<S extends SubscriptionHolder<S>> extends HashSlots<PatternGroup<S>> {
    private final boolean byEnd;
    private final LengthCounts lengths = new LengthCounts();

    PatternIndex(final boolean byEnd) {
        this.byEnd = byEnd;
    }

    @Override
    int hashOf(final PatternGroup<S> group) {
        return (int) group.hash;
    }

    void insert(final PatternEntry<S> entry) {
        final int length = length(entry);
        final long hash = hash(entry);
        PatternGroup<S> group = find(length, hash);
        if (group == null) {
            group = new PatternGroup<>(length, hash, !byEnd);
            add(group);
            lengths.add(length);
        }
        group.add(entry);
    }

    /** Takes out an entry that is there. */
    void delete(final PatternEntry<S> entry) {
        final PatternGroup<S> group = find(length(entry), hash(entry));
        group.remove(entry);
        if (group.size() == 0) {
            remove(group);
            lengths.remove(group.length);
        }
    }

    /**
     * Adds the patterns that match to what was found.
     *
     * @param matches   of which channel, too
     * @param mostBytes that may be looked up
     */
    void collect(final PatternMatches<S> matches, final int mostBytes) {
        final AffixHash hash = matches.affix(byEnd);
        for (int i = 0; i < lengths.size() && lengths.at(i) <= mostBytes; i++) {
            final int length = lengths.at(i);
            final PatternGroup<S> group = find(length, hash.of(length));
            if (group != null) {
                group.collect(matches);
            }
        }
    }

    private PatternGroup<S> find(final int length, final long hash) {
        int slot = firstSlot((int) hash);
        while (true) {
            final PatternGroup<S> group = at(slot);
            if (group == null || (group.hash == hash && group.length == length)) {
                return group;
            }
            slot = nextSlot(slot);
        }
    }

    private int length(final PatternEntry<S> entry) {
        return byEnd ? entry.suffixLength : entry.prefixLength;
    }

    private long hash(final PatternEntry<S> entry) {
        return byEnd ? entry.suffixHash : entry.prefixHash;
    }
}
