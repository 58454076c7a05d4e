// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import goblin.net.linux.Memory;

/** A pattern topic in its set: when it was created, and what an index needs to know of its text. */
final class PatternEntry<S extends SubscriptionHolder<S>> {
    private static final String SPECIAL = "*?[\\";

    final Topic<S> topic;
    /** Its place in the order of creation. */
    final long order;
    /** Null when the pattern has no special byte: then it matches the channel of its own name only. */
    final GlobPattern glob;

    // Of the literal bytes that every match begins and ends with.
    final int prefixLength;
    final int suffixLength;
    final long prefixHash;
    final long suffixHash;
    /** Bytes that every match has, as {@link ByteSummary} tells. */
    final long needed;

    /** Where it is in its group; the group's. */
    int index;

    PatternEntry(final Topic<S> topic, final long order) {
        this.topic = topic;
        this.order = order;
        if (isPlain(topic.name(), topic.nameLength())) {
            glob = null;
            prefixLength = 0;
            suffixLength = 0;
            prefixHash = 0;
            suffixHash = 0;
            needed = 0;
            return;
        }
        glob = GlobPattern.compile(topic.name(), topic.nameLength());
        prefixLength = glob.literalPrefix();
        suffixLength = glob.literalSuffix();
        needed = glob.neededBytes();
        final long bytes = Memory.allocate(Math.max(1, Math.max(prefixLength, suffixLength)));
        try {
            glob.copyPrefix(bytes);
            prefixHash = hash(false, bytes, prefixLength);
            glob.copySuffix(bytes);
            suffixHash = hash(true, bytes, suffixLength);
        } finally {
            Memory.free(bytes);
        }
    }

    private static long hash(final boolean ofEnds, final long bytes, final int length) {
        final AffixHash hash = new AffixHash(ofEnds);
        hash.start(bytes, length);
        return hash.of(length);
    }

    private static boolean isPlain(final long name, final int length) {
        for (int i = 0; i < SPECIAL.length(); i++) {
            if (Memory.indexOf(name, length, (byte) SPECIAL.charAt(i)) >= 0) {
                return false;
            }
        }
        return true;
    }
}
