// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.Collection;
import java.util.Collections;
import java.util.TreeMap;

/** All clients, oldest first. */
public final class Clients {
    private final TreeMap<Long, Client> byId = new TreeMap<>();
    private long lastId;
    private long total;
    private Client running;

    /**
     * The number for the next client.
     *
     * @return unique and growing
     */
    public long nextId() {
        return ++lastId;
    }

    /**
     * Adds a client.
     *
     * @param client one that just connected
     */
    public void add(final Client client) {
        byId.put(client.id(), client);
        total++;
    }

    void remove(final Client client) {
        byId.remove(client.id());
    }

    /**
     * Finds a client.
     *
     * @param id its number
     * @return null when there is none
     */
    public Client find(final long id) {
        return byId.get(id);
    }

    /**
     * All of them.
     *
     * @return in the order they connected; unmodifiable
     */
    public Collection<Client> all() {
        return Collections.unmodifiableCollection(byId.values());
    }

    /**
     * How many there are.
     *
     * @return 0 or more
     */
    public int count() {
        return byId.size();
    }

    /**
     * How many there ever were.
     *
     * @return only grows
     */
    public long total() {
        return total;
    }

    /** Whose command runs now, null between commands. */
    Client running() {
        return running;
    }

    void setRunning(final Client client) {
        running = client;
    }
}
