// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import java.util.ArrayList;

/** Clients whose reply backlog is full; one that reads nothing for the stall time is cut. Checked a few times a second. */
final class StalledClients {
    private final long stallNs;
    private final ArrayList<ClientSession> clients = new ArrayList<>();

    StalledClients(final long stallNs) {
        this.stallNs = stallNs;
    }

    void add(final ClientSession client) {
        clients.add(client);
    }

    void remove(final ClientSession client) {
        clients.remove(client);
    }

    /** Cuts the clients that made no progress for too long. */
    void check(final long nowNs) {
        for (int i = clients.size() - 1; i >= 0; i--) {
            final ClientSession client = clients.get(i);
            if (nowNs - client.output().lastProgressNs() >= stallNs) {
                client.cut(EdgeCounter.CLIENTS_STALLED, "read nothing for the stall time while its replies waited");
            }
        }
    }
}
