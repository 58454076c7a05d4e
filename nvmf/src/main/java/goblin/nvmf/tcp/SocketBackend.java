// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

/** What serves a loop's sockets. */
public enum SocketBackend {
    /** Readiness by epoll, then one receive call. */
    EPOLL,
    /** Completions of an io_uring. */
    IO_URING
}
