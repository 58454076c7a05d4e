// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last refusal of each host, for those that ask why. Remembers the latest {@value #HOSTS} hosts. Any thread. */
public final class Refusals {
    private static final int HOSTS = 256;

    private final Map<String, Refusal> byHost = new LinkedHashMap<>();

    Refusals() {}

    synchronized void add(
            final String host,
            final String subsystem,
            final String peer,
            final RefusalReason reason,
            final String text) {
        final Refusal before = byHost.remove(host);
        final long count = before == null ? 1 : before.count() + 1;
        byHost.put(host, new Refusal(Instant.now(), host, subsystem, peer, reason, text, count));
        if (byHost.size() > HOSTS) {
            byHost.remove(byHost.keySet().iterator().next());
        }
    }

    /**
     * Why a host was refused last.
     *
     * @param host its name, or that as {@link Nqn#printable} shows it
     * @return null when it was not, or too many others were since
     */
    public synchronized Refusal of(final String host) {
        final Refusal refusal = byHost.get(host);
        return refusal == null ? byHost.get(Nqn.printable(host)) : refusal;
    }

    /**
     * The last refusal of each host.
     *
     * @return a copy, the latest last
     */
    public synchronized List<Refusal> all() {
        return List.copyOf(byHost.values());
    }
}
