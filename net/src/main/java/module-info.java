// SPDX-License-Identifier: Apache-2.0

/** The event loop, its connections, the segments they lend, and the Linux calls below them. */
module goblin.net {
    exports goblin.net;
    exports goblin.net.epoll;
    exports goblin.net.linux;
    exports goblin.net.uring;
}
