// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

/** Reads and writes native {@code struct sockaddr_in}, {@code sockaddr_in6} and {@code sockaddr_un}. */
public final class SocketAddress {
    /** Address family of Unix sockets. */
    public static final int UNIX = 1;
    /** Address family of IPv4. */
    public static final int INET = 2;
    /** Address family of IPv6. */
    public static final int INET6 = 10;
    /** Room for any of them. */
    public static final int MAX_BYTES = 112;
    /** The longest path of a Unix socket, without its terminating zero. */
    public static final int MAX_PATH_BYTES = 107;

    private static final int PORT = 2;
    private static final int INET_BYTES = 16;
    private static final int INET_IP = 4;
    private static final int INET6_BYTES = 28;
    private static final int INET6_IP = 8;
    private static final int INET6_SCOPE = 24;
    private static final int UNIX_PATH = 2;

    private SocketAddress() {}

    /**
     * Writes an IPv4 or IPv6 address.
     *
     * @param at    where, at least {@link #MAX_BYTES}
     * @param ip    4 or 16 bytes
     * @param scope the interface of a link-local IPv6 address, else 0
     * @param port  0 to 65535
     * @return the address's length
     */
    public static int writeInternet(final long at, final byte[] ip, final int scope, final int port) {
        Memory.fill(at, MAX_BYTES, (byte) 0);
        // Ports travel in network order, the rest in the CPU's.
        Memory.putShort(at + PORT, Short.reverseBytes((short) port));
        if (ip.length == 4) {
            Memory.putShort(at, (short) INET);
            Memory.copyIn(ip, 0, at + INET_IP, ip.length);
            return INET_BYTES;
        }
        Memory.putShort(at, (short) INET6);
        Memory.copyIn(ip, 0, at + INET6_IP, ip.length);
        Memory.putInt(at + INET6_SCOPE, scope);
        return INET6_BYTES;
    }

    /**
     * Writes the address of a Unix socket.
     *
     * @param at   where, at least {@link #MAX_BYTES}
     * @param path at most {@link #MAX_PATH_BYTES}
     * @return the address's length
     */
    public static int writeUnix(final long at, final byte[] path) {
        Memory.fill(at, MAX_BYTES, (byte) 0);
        Memory.putShort(at, (short) UNIX);
        Memory.copyIn(path, 0, at + UNIX_PATH, path.length);
        return UNIX_PATH + path.length + 1;
    }

    /**
     * Reads the family.
     *
     * @param at a socket address
     * @return {@link #INET}, {@link #INET6}, {@link #UNIX} or another of the kernel's numbers
     */
    public static int family(final long at) {
        return Memory.getShort(at);
    }

    /**
     * Reads the port of an IPv4 or IPv6 address.
     *
     * @param at a socket address
     * @return 0 to 65535
     */
    public static int port(final long at) {
        return Short.reverseBytes(Memory.getShort(at + PORT)) & 0xFFFF;
    }

    /**
     * Reads the IP address.
     *
     * @param at a socket address of family {@link #INET} or {@link #INET6}
     * @return 4 or 16 bytes
     */
    public static byte[] ip(final long at) {
        return family(at) == INET ? Memory.toBytes(at + INET_IP, 4) : Memory.toBytes(at + INET6_IP, 16);
    }
}
