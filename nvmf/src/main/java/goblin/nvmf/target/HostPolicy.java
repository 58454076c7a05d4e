// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.HashSet;
import java.util.Set;

/** Which hosts may connect. Never changes: a subsystem replaces it. */
record HostPolicy(boolean any, Set<String> hosts) {
    HostPolicy {
        hosts = Set.copyOf(hosts);
    }

    boolean allows(final String host) {
        return any || hosts.contains(host);
    }

    HostPolicy with(final String host) {
        final Set<String> more = new HashSet<>(hosts);
        more.add(host);
        return new HostPolicy(any, more);
    }

    HostPolicy without(final String host) {
        final Set<String> fewer = new HashSet<>(hosts);
        fewer.remove(host);
        return new HostPolicy(any, fewer);
    }

    HostPolicy withAny(final boolean yes) {
        return new HostPolicy(yes, hosts);
    }
}
