// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import org.agrona.collections.Long2ObjectHashMap;

/** A loop's clients by id; they are counted for all loops together. */
final class Clients {
    private final Long2ObjectHashMap<ClientSession> byId = new Long2ObjectHashMap<>();
    private final EdgeLoops all;

    Clients(final EdgeLoops all) {
        this.all = all;
    }

    /** Adds a client that {@link EdgeLoops#admit} has counted. */
    void add(final ClientSession client) {
        byId.put(client.id(), client);
    }

    void remove(final ClientSession client) {
        if (byId.remove(client.id()) != null) {
            all.left();
        }
    }

    /** This loop's client with this id, or null. */
    ClientSession find(final long id) {
        return byId.get(id);
    }

    int count() {
        return byId.size();
    }

    /** This loop's clients in the order of their ids. */
    ClientSession[] all() {
        final ClientSession[] all = byId.values().toArray(new ClientSession[0]);
        java.util.Arrays.sort(all, java.util.Comparator.comparingLong(ClientSession::id));
        return all;
    }
}
