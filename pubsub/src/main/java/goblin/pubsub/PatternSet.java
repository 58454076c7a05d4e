// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/**
 * The pattern topics, asked for those that match a channel.
 *
 * <p>A pattern without a special byte is found by its name. All others are found by the literal bytes before their
 * first special byte; where more than {@value PatternGroup#FEW} have the same, by those behind their last one. What has
 * the same of both is compared one by one, except patterns that need a byte that the channel does not have.
 *
 * <p>So a channel costs one lookup for each length of prefix in use that is not longer than itself, and the patterns
 * that share its beginning and its end; nothing costs more than looking at every pattern and every byte of the channel
 * once. A pattern takes about 160 bytes here beside its topic and its compiled text.
 */
final class PatternSet<S extends SubscriptionHolder<S>> {
    private final PatternMatches<S> matches = new PatternMatches<>();
    private PatternIndex<S> index = new PatternIndex<>(false);
    private long created;
    private int plain;

    void add(final Topic<S> topic) {
        final PatternEntry<S> entry = new PatternEntry<>(topic, created++);
        topic.entry = entry;
        if (entry.glob == null) {
            plain++;
        } else {
            index.insert(entry);
        }
    }

    void remove(final Topic<S> topic) {
        if (topic.entry.glob == null) {
            plain--;
        } else {
            index.delete(topic.entry);
        }
    }

    void clear() {
        index = new PatternIndex<>(false);
        plain = 0;
    }

    /** Whether a pattern has no special byte, so that it must be looked for by the channel's name. */
    boolean hasPlain() {
        return plain > 0;
    }

    /** How many patterns were compared with a channel so far. */
    long examined() {
        return matches.examined();
    }

    /**
     * Visits the matching ones in the order of their creation.
     *
     * @param named the pattern topic with the channel's name, or null
     * @return the sum of their weights
     */
    long forEachMatch(final long channel, final int length, final Topic<S> named, final TopicVisitor<S> visitor) {
        final int from = matches.size();
        try {
            matches.start(channel, length);
            if (named != null && named.entry.glob == null) {
                matches.add(named.entry);
            }
            // Only the pattern without any byte matches a name without any.
            if (length > 0 && index.size() > 0) {
                index.collect(matches, length);
            }
            return matches.visit(from, visitor);
        } finally {
            matches.cut(from);
        }
    }
}
