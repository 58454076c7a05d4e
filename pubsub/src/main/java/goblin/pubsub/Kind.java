// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

/** The three separate name spaces of Pub/Sub. */
public enum Kind {
    /** A literal channel. */
    CHANNEL,
    /** A glob pattern over channels. */
    PATTERN,
    /** A literal shard channel. */
    SHARD
}
