// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the target listens and where else hosts should look; each change tells the hosts that asked to be told. Any
 * thread.
 */
public final class DiscoveryPortals {
    private final Runnable changed;
    private volatile List<Portal> listeners = List.of();
    private volatile List<Portal> referrals = List.of();

    DiscoveryPortals(final Runnable changed) {
        this.changed = changed;
    }

    /**
     * The addresses that serve all subsystems of the target.
     *
     * @return a snapshot
     */
    public List<Portal> listeners() {
        return listeners;
    }

    /**
     * Discovery services elsewhere.
     *
     * @return a snapshot
     */
    public List<Portal> referrals() {
        return referrals;
    }

    /**
     * The target listens there, too. An address that only serves discovery is not to be given here.
     *
     * @param portal where
     */
    public void addListener(final Portal portal) {
        synchronized (this) {
            listeners = with(listeners, portal);
        }
        changed.run();
    }

    /**
     * Sends hosts to another discovery service, too.
     *
     * @param portal where that is; no wildcard
     */
    public void addReferral(final Portal portal) {
        synchronized (this) {
            referrals = with(referrals, portal);
        }
        changed.run();
    }

    private static List<Portal> with(final List<Portal> portals, final Portal portal) {
        final List<Portal> more = new ArrayList<>(portals);
        if (!more.contains(portal)) {
            more.add(portal);
        }
        return List.copyOf(more);
    }
}
