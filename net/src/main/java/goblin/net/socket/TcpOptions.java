// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import goblin.net.linux.SocketCalls;
import goblin.net.linux.SocketOption;

/**
 * The options of every TCP connection (spec/edge.md, Forwarding and Output): no delay, and a peer that vanished is found
 * within 90 seconds, whether it owes us an acknowledgement or nothing. Accepted sockets inherit them from their listener,
 * so accepting costs no further call.
 */
final class TcpOptions {
    static final int KEEP_IDLE_SECONDS = 60;
    static final int KEEP_INTERVAL_SECONDS = 10;
    static final int KEEP_PROBES = 3;
    static final int USER_TIMEOUT_MILLIS = 90_000;

    private TcpOptions() {}

    static void set(final SocketCalls calls, final int fd) {
        calls.setOption(fd, SocketOption.TCP_NO_DELAY, 1);
        calls.setOption(fd, SocketOption.KEEP_ALIVE, 1);
        calls.setOption(fd, SocketOption.TCP_KEEP_IDLE, KEEP_IDLE_SECONDS);
        calls.setOption(fd, SocketOption.TCP_KEEP_INTERVAL, KEEP_INTERVAL_SECONDS);
        calls.setOption(fd, SocketOption.TCP_KEEP_COUNT, KEEP_PROBES);
        calls.setOption(fd, SocketOption.TCP_USER_TIMEOUT, USER_TIMEOUT_MILLIS);
    }
}
