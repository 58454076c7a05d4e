// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address that hosts can come to, as the discovery log tells it.
 *
 * @param address an IPv4 or IPv6 address in text, without brackets; a wildcard stands for the one that the asking host
 *                came to
 * @param port    1 to 65535
 */
public record Portal(String address, int port) {
    // An IPv4 address in IPv6 dress comes without it.
    private static final Pattern ADDRESS_AND_PORT =
            Pattern.compile("\\[?(?:::ffff:(?=[0-9.]+]))?([^\\[\\]]+?)]?:([1-9][0-9]{0,4})");

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
     * @return the portal; null when the name is none, as that of a connection that is gone
     */
    static Portal parse(final String name) {
        final Matcher parts = ADDRESS_AND_PORT.matcher(name);
        return parts.matches() ? new Portal(parts.group(1), Integer.parseInt(parts.group(2))) : null;
    }

    /** Whether its address is one of IPv6. */
    boolean isIpv6() {
        return address.indexOf(':') >= 0;
    }

    /** Whether only this machine can come to it. */
    boolean isLoopback() {
        return address.startsWith("127.") || address.equals("::1") || address.equals("0:0:0:0:0:0:0:1");
    }

    /**
     * What a host that came to {@code asked} is told; null when that is unknown or not served by this one, or when the host
     * is elsewhere and this is for this machine only.
     */
    Portal seenFrom(final Portal asked) {
        final boolean anyIpv4 = address.equals("0.0.0.0");
        if (!anyIpv4 && !address.equals("::")) {
            return isLoopback() && (asked == null || !asked.isLoopback()) ? null : this;
        }
        return asked == null || (anyIpv4 && asked.isIpv6()) ? null : new Portal(asked.address, port);
    }
}
