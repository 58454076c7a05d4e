// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.pubsub.Kind;

/** Pub/Sub's lines of {@code INFO}. */
final class PubSubInfo {
    private PubSubInfo() {}

    static void append(final PubSub pubSub, final StringBuilder text) {
        text.append("pubsub_channels:")
                .append(pubSub.registry().nameCount(Kind.CHANNEL))
                .append("\r\n");
        text.append("pubsub_patterns:")
                .append(pubSub.registry().nameCount(Kind.PATTERN))
                .append("\r\n");
        text.append("pubsubshard_channels:")
                .append(pubSub.registry().nameCount(Kind.SHARD))
                .append("\r\n");
    }
}
