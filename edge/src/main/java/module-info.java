// SPDX-License-Identifier: Apache-2.0

/** The Pub/Sub edge; it cannot see the host, so that the DPU build is small by construction. */
module goblin.edge {
    requires goblin.auth;
    requires goblin.link;
    requires goblin.net;
    requires goblin.pubsub;
    requires goblin.resp;
    requires info.picocli;
    requires org.agrona;

    opens goblin.edge to
            info.picocli;
}
