// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import org.agrona.collections.Long2ObjectHashMap;

/** The edge's clients by id. */
final class Clients {
    private final Long2ObjectHashMap<ClientSession> byId = new Long2ObjectHashMap<>();
    private long lastId;

    long nextId() {
        return ++lastId;
    }

    void add(final ClientSession client) {
        byId.put(client.id(), client);
    }

    void remove(final ClientSession client) {
        byId.remove(client.id());
    }

    /** The client with this id, or null. */
    ClientSession find(final long id) {
        return byId.get(id);
    }

    int count() {
        return byId.size();
    }

    /** All clients in the order of their ids. */
    ClientSession[] all() {
        final ClientSession[] all = byId.values().toArray(new ClientSession[0]);
        java.util.Arrays.sort(all, java.util.Comparator.comparingLong(ClientSession::id));
        return all;
    }
}
