// SPDX-License-Identifier: Apache-2.0

/** The event loop, its connections, the segments they lend, and the Linux calls below them. */
module goblin.net {
    requires transitive org.agrona;

    exports goblin.net;
    exports goblin.net.epoll;
    exports goblin.net.linux;
}
