// SPDX-License-Identifier: Apache-2.0

/** The registry of subscriptions: channels, patterns and shard channels, with weights. */
module goblin.pubsub {
    requires transitive goblin.resp;

    exports goblin.pubsub;
}
