// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/** The three separate name spaces of Pub/Sub. */
public enum Kind {
    /** A literal channel. */
    CHANNEL(0),
    /** A glob pattern over channels. */
    PATTERN(1),
    /** A literal shard channel. */
    SHARD(2);

    static final int COUNT = 3;

    /** Its place in tables of {@link #COUNT} entries. */
    final int index;

    Kind(final int index) {
        this.index = index;
    }
}
