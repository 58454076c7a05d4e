// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/**
 * An address that hosts can come to, as the discovery log tells it.
 *
 * @param address an IPv4 or IPv6 address in text, without brackets; a wildcard stands for the one that the asking host
 *                came to
 * @param port    1 to 65535
 */
public record Portal(String address, int port) {
    private static final String MAPPED = "::ffff:";

    /** Checks the values. */
    public Portal {
        if (address.isEmpty() || address.length() > 255 || port < 1 || port > 65535) {
            throw new IllegalArgumentException("not an address and a port: " + address + " " + port);
        }
    }

    /**
     * Reads {@code 192.0.2.1:4420} or {@code [2001:db8::1]:4420}.
     *
     * @param name as {@link QueueTransport#localName} gives it
     * @return the portal; an IPv4 address in IPv6 dress without it
     */
    static Portal parse(final String name) {
        final int colon = name.lastIndexOf(':');
        String host = name.substring(0, colon);
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.startsWith(MAPPED) && host.indexOf('.') > 0) {
            host = host.substring(MAPPED.length());
        }
        return new Portal(host, Integer.parseInt(name.substring(colon + 1)));
    }

    /** Whether its address is one of IPv6. */
    boolean isIpv6() {
        return address.indexOf(':') >= 0;
    }

    /** What a host that came to {@code asked} is told; null when it cannot be reached on that address. */
    Portal seenFrom(final Portal asked) {
        return switch (address) {
            case "0.0.0.0" -> asked.isIpv6() ? null : new Portal(asked.address, port);
            case "::", "*" -> new Portal(asked.address, port);
            default -> this;
        };
    }
}
