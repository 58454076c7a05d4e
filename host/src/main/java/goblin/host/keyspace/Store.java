// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

import java.util.function.Consumer;

/**
 * A table from key bytes to entries; no expiry, no events. One implementation keeps entries on the Java heap; another
 * may keep them elsewhere. Single-threaded.
 */
interface Store {

    /**
     * Finds an entry by a key in native memory. Allocates nothing.
     *
     * @param address first byte of the key
     * @param length  its length, 0 or more
     * @return the entry or null
     */
    Entry find(long address, int length);

    /**
     * Finds an entry by a key on the heap. Allocates nothing.
     *
     * @param key the key
     * @return the entry or null
     */
    Entry find(byte[] key);

    /**
     * Adds a key that is not there.
     *
     * @param key   becomes the entry's own
     * @param value its value
     * @return the new entry
     */
    Entry add(byte[] key, Value value);

    /**
     * Removes an entry that is there.
     *
     * @param entry an entry of this store
     */
    void remove(Entry entry);

    /**
     * Number of entries.
     *
     * @return 0 or more
     */
    int size();

    /** Removes everything. */
    void clear();

    /**
     * Visits a part of the table. An entry that is there from the first to the last call of a full iteration is visited
     * at least once, whatever is added or removed between the calls; the visitor itself must not change the table.
     *
     * @param cursor  0 starts, otherwise what the last call returned
     * @param visitor gets each entry of the part
     * @return the next cursor, 0 when the iteration is complete
     */
    long scan(long cursor, Consumer<Entry> visitor);

    /**
     * Visits everything once. The visitor must not change the table.
     *
     * @param visitor gets each entry
     */
    void forEach(Consumer<Entry> visitor);

    /**
     * Some entry, each about equally likely.
     *
     * @return null when empty
     */
    Entry random();
}
