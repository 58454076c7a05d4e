// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import goblin.net.Endpoint;
import goblin.net.NetException;
import goblin.net.linux.Errno;
import goblin.net.linux.SocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/** Endpoints as native socket addresses and back. */
final class Addresses {
    private Addresses() {}

    static int family(final Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Unix ignored -> SocketAddress.UNIX;
            case Endpoint.Tcp tcp -> tcp.address() instanceof Inet6Address ? SocketAddress.INET6 : SocketAddress.INET;
        };
    }

    /** Writes the address, which takes at most {@link SocketAddress#MAX_BYTES}, and returns its length. */
    static int write(final Endpoint endpoint, final long at) {
        return switch (endpoint) {
            case Endpoint.Unix unix -> {
                final byte[] path = unix.path().toString().getBytes(StandardCharsets.UTF_8);
                if (path.length == 0 || path.length > SocketAddress.MAX_PATH_BYTES) {
                    throw new NetException(
                            endpoint + ": the path of a Unix socket has 1 to " + SocketAddress.MAX_PATH_BYTES
                                    + " bytes",
                            Errno.EINVAL);
                }
                yield SocketAddress.writeUnix(at, path);
            }
            case Endpoint.Tcp tcp -> {
                final int scope = tcp.address() instanceof Inet6Address six ? six.getScopeId() : 0;
                yield SocketAddress.writeInternet(at, tcp.address().getAddress(), scope, tcp.port());
            }
        };
    }

    /** Reads an IPv4 or IPv6 address. An IPv4 address mapped into IPv6 becomes IPv4. */
    static Endpoint.Tcp read(final long at) {
        try {
            return new Endpoint.Tcp(InetAddress.getByAddress(SocketAddress.ip(at)), SocketAddress.port(at));
        } catch (final UnknownHostException impossible) {
            throw new IllegalStateException("an IP address has 4 or 16 bytes", impossible);
        }
    }

    static boolean isLocal(final Endpoint endpoint) {
        return switch (endpoint) {
            case Endpoint.Unix ignored -> true;
            case Endpoint.Tcp tcp -> tcp.address().isLoopbackAddress();
        };
    }
}
