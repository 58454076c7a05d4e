// SPDX-License-Identifier: Apache-2.0

/** Kernel TCP and Unix sockets, driven by epoll. */
package goblin.net.epoll;
