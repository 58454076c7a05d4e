// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/**
 * How to listen.
 *
 * @param backlog   connections that may wait to be accepted, at least 1; the kernel caps it at {@code somaxconn}
 * @param unixMode  permission bits of a Unix socket's file, e.g. 0700
 * @param reusePort whether several loops may listen on the same port (SO_REUSEPORT)
 */
public record ListenOptions(int backlog, int unixMode, boolean reusePort) {

    /** Backlog 4096, owner only, no port sharing. */
    public static final ListenOptions DEFAULT = new ListenOptions(4096, 0700, false);
}
