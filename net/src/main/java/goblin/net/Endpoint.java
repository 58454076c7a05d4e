// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import java.net.InetAddress;
import java.nio.file.Path;

/**
 * Where a socket listens or connects to. Immutable; safe to share between threads.
 */
public sealed interface Endpoint {

    /**
     * A TCP endpoint, IPv4 or IPv6.
     *
     * @param address the address; host names are resolved before this record is made
     * @param port    0 to 65535; 0 lets the kernel choose a port when listening
     */
    record Tcp(InetAddress address, int port) implements Endpoint {
        /** Rejects ports outside 0 to 65535. */
        public Tcp {
            if (port < 0 || port > 0xFFFF) {
                throw new IllegalArgumentException("port " + port + " is not in 0 to 65535");
            }
        }

        /** As people write it: {@code 127.0.0.1:6379}, {@code [::1]:6379}. */
        @Override
        public String toString() {
            return InetText.of(address) + ":" + port;
        }
    }

    /**
     * A Unix stream socket in the file system.
     *
     * @param path the socket's path; at most 107 bytes in UTF-8 (the kernel's limit)
     */
    record Unix(Path path) implements Endpoint {
        @Override
        public String toString() {
            return "unix:" + path;
        }
    }
}
