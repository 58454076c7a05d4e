// SPDX-License-Identifier: Apache-2.0

/** The SBE link between an edge and its host: handshake, framing, heartbeat and release. */
module goblin.link {
    requires transitive goblin.pubsub;
    requires goblin.link.codecs;
    requires org.agrona;

    exports goblin.link;
}
