// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

/** The integer socket options in use, with their numbers on x86-64 and aarch64. */
public enum SocketOption {
    /** An address in TIME_WAIT may be bound again. */
    REUSE_ADDRESS(1, 2),
    /** The pending error; reading clears it. */
    ERROR(1, 4),
    /** Bytes of the send buffer; the kernel doubles what is set. */
    SEND_BUFFER(1, 7),
    /** Bytes of the receive buffer; the kernel doubles what is set. */
    RECEIVE_BUFFER(1, 8),
    /** Probe a silent peer. */
    KEEP_ALIVE(1, 9),
    /** Several sockets may listen on one port. */
    REUSE_PORT(1, 15),
    /** Send small segments at once. */
    TCP_NO_DELAY(6, 1),
    /** Seconds of silence before the first probe. */
    TCP_KEEP_IDLE(6, 4),
    /** Seconds between probes. */
    TCP_KEEP_INTERVAL(6, 5),
    /** Probes without an answer before the connection fails. */
    TCP_KEEP_COUNT(6, 6),
    /** Acknowledge at once; the kernel clears it by itself. */
    TCP_QUICK_ACK(6, 12),
    /** Milliseconds that sent data may stay unacknowledged. */
    TCP_USER_TIMEOUT(6, 18),
    /** An IPv6 socket does not serve IPv4. */
    IPV6_ONLY(41, 26);

    final int level;
    final int number;

    SocketOption(final int level, final int number) {
        this.level = level;
        this.number = number;
    }
}
