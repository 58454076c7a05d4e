// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.pubsub.Kind;
import org.agrona.collections.ObjectHashSet;

/**
 * The names a client holds by its own words: changed when a command is read, whatever the host has acknowledged. It
 * decides the RESP2 context check and the numbers in confirmations.
 */
final class LogicalNames {
    private static final int FEW = 8;

    private ObjectHashSet<Interest> channels;
    private ObjectHashSet<Interest> patterns;
    private ObjectHashSet<Interest> shards;

    /** The held names of one kind; null when there were never any. */
    ObjectHashSet<Interest> of(final Kind kind) {
        return switch (kind) {
            case CHANNEL -> channels;
            case PATTERN -> patterns;
            case SHARD -> shards;
        };
    }

    boolean contains(final Interest interest) {
        final ObjectHashSet<Interest> set = of(interest.kind);
        return set != null && set.contains(interest);
    }

    /** Adds a name; false when it was held already. */
    boolean add(final Interest interest) {
        return obtain(interest.kind).add(interest);
    }

    /** Removes a name; false when it was not held. */
    boolean remove(final Interest interest) {
        final ObjectHashSet<Interest> set = of(interest.kind);
        return set != null && set.remove(interest);
    }

    int count(final Kind kind) {
        final ObjectHashSet<Interest> set = of(kind);
        return set == null ? 0 : set.size();
    }

    /** All names, of every kind. */
    int total() {
        return count(Kind.CHANNEL) + count(Kind.PATTERN) + count(Kind.SHARD);
    }

    /** The number a confirmation of this kind carries: channels and patterns together, shard channels apart. */
    int confirmed(final Kind kind) {
        return kind == Kind.SHARD ? count(kind) : count(Kind.CHANNEL) + count(Kind.PATTERN);
    }

    void clear() {
        channels = null;
        patterns = null;
        shards = null;
    }

    private ObjectHashSet<Interest> obtain(final Kind kind) {
        if (of(kind) == null) {
            final ObjectHashSet<Interest> set = new ObjectHashSet<>(FEW);
            switch (kind) {
                case CHANNEL -> channels = set;
                case PATTERN -> patterns = set;
                case SHARD -> shards = set;
            }
        }
        return of(kind);
    }
}
