// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

import goblin.net.linux.Memory;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The one database: lookups with lazy expiry, changes with their accounting and events. Single-threaded; the clock is
 * given, so tests move it by hand.
 */
public final class Keyspace {
    private final Store store = new HeapStore();
    private final ExpiryHeap expiries = new ExpiryHeap();
    private final LongSupplier clockMs;
    private KeyspaceEvents events;
    private boolean activeExpiry = true;
    private boolean touching = true;
    private long usedBytes;
    private long changes;
    private long hits;
    private long misses;
    private long expired;

    /**
     * An empty keyspace.
     *
     * @param clockMs milliseconds since 1970
     * @param events  told of every change
     */
    public Keyspace(final LongSupplier clockMs, final KeyspaceEvents events) {
        this.clockMs = clockMs;
        this.events = events;
    }

    /**
     * Replaces the listener; for wiring at start.
     *
     * @param listener told of every change from now on
     */
    public void setEvents(final KeyspaceEvents listener) {
        this.events = listener;
    }

    /**
     * Finds a key for reading: an expired key is removed first, the access is counted as hit or miss and as use.
     *
     * @param address first byte of the key, native
     * @param length  its length
     * @return the entry or null
     */
    public Entry read(final long address, final int length) {
        final Entry entry = alive(store.find(address, length));
        if (entry == null) {
            misses++;
        } else {
            hits++;
            touch(entry);
        }
        return entry;
    }

    /**
     * Finds a key for writing: as {@link #read} without counting hit or miss.
     *
     * @param address first byte of the key, native
     * @param length  its length
     * @return the entry or null
     */
    public Entry write(final long address, final int length) {
        final Entry entry = alive(store.find(address, length));
        if (entry != null) {
            touch(entry);
        }
        return entry;
    }

    /**
     * As {@link #write(long, int)} with a key on the heap.
     *
     * @param key the key
     * @return the entry or null
     */
    public Entry write(final byte[] key) {
        final Entry entry = alive(store.find(key));
        if (entry != null) {
            touch(entry);
        }
        return entry;
    }

    /**
     * Finds a key without counting or using it; an expired key is removed.
     *
     * @param address first byte of the key, native
     * @param length  its length
     * @return the entry or null
     */
    public Entry peek(final long address, final int length) {
        return alive(store.find(address, length));
    }

    /**
     * As {@link #peek(long, int)} with a key on the heap.
     *
     * @param key the key
     * @return the entry or null
     */
    public Entry peek(final byte[] key) {
        return alive(store.find(key));
    }

    /**
     * Tells whether a key is in the table but past its time; does not remove it.
     *
     * @param key the key
     * @return true for a key that the next lookup would remove
     */
    public boolean isStale(final byte[] key) {
        final Entry entry = store.find(key);
        return entry != null && isPast(entry);
    }

    /**
     * Tells whether a key is in the table, be it past its time or not; does not remove it.
     *
     * @param key the key
     * @return whether it is there
     */
    public boolean holds(final byte[] key) {
        return store.find(key) != null;
    }

    private Entry alive(final Entry entry) {
        if (entry != null && entry.expireAtMs != Entry.NEVER && isPast(entry)) {
            expire(entry);
            return null;
        }
        return entry;
    }

    private boolean isPast(final Entry entry) {
        return entry.expireAtMs != Entry.NEVER && entry.expireAtMs <= clockMs.getAsLong();
    }

    private void touch(final Entry entry) {
        if (touching) {
            entry.accessedMs = clockMs.getAsLong();
        }
    }

    private void expire(final Entry entry) {
        unlink(entry);
        expired++;
        events.onModified(entry.key);
        events.onExpired(entry.key);
    }

    /**
     * Adds a key that is not there.
     *
     * @param address first byte of the key, native; copied
     * @param length  its length
     * @param value   its value
     * @return the new entry, without expiry
     */
    public Entry add(final long address, final int length, final Value value) {
        return add(Memory.toBytes(address, length), value);
    }

    /**
     * Adds a key that is not there. The caller calls {@link #modified} afterwards.
     *
     * @param key   the key; becomes the entry's own
     * @param value its value
     * @return the new entry, without expiry
     */
    public Entry add(final byte[] key, final Value value) {
        final Entry entry = store.add(key, value);
        entry.accessedMs = clockMs.getAsLong();
        charge(entry);
        events.onAdded(entry);
        return entry;
    }

    /**
     * Gives an entry another value; the expiry stays. The caller calls {@link #modified} afterwards.
     *
     * @param entry an entry of this keyspace
     * @param value its new value
     */
    public void replace(final Entry entry, final Value value) {
        final boolean otherType = entry.value.type() != value.type();
        entry.value = value;
        charge(entry);
        if (otherType) {
            events.onAdded(entry);
        }
    }

    /**
     * Says that an entry's value or expiry was changed: brings the accounting up to date, counts one change and tells
     * watchers and caches.
     *
     * @param entry an entry of this keyspace
     */
    public void modified(final Entry entry) {
        charge(entry);
        changes++;
        events.onModified(entry.key);
    }

    /**
     * Removes an entry, counts one change and tells watchers and caches.
     *
     * @param entry an entry of this keyspace
     */
    public void delete(final Entry entry) {
        unlink(entry);
        changes++;
        events.onModified(entry.key);
    }

    private void unlink(final Entry entry) {
        store.remove(entry);
        expiries.remove(entry);
        usedBytes -= entry.charged;
        entry.charged = 0;
    }

    private void charge(final Entry entry) {
        final long now = Entry.OVERHEAD_BYTES + entry.key.length + entry.value.bytes();
        usedBytes += now - entry.charged;
        entry.charged = now;
    }

    /**
     * Sets or removes the expiry. The caller calls {@link #modified} where the command counts as a change.
     *
     * @param entry      an entry of this keyspace
     * @param expireAtMs milliseconds since 1970, or {@link Entry#NEVER}
     */
    public void setExpiry(final Entry entry, final long expireAtMs) {
        if (entry.expireAtMs != expireAtMs) {
            entry.expireAtMs = expireAtMs;
            expiries.update(entry);
        }
    }

    /**
     * Removes keys whose time has come, at most so many.
     *
     * @param limit at least 1
     * @return how many were removed; equal to the limit when more may be due
     */
    public int expireDue(final int limit) {
        if (!activeExpiry) {
            return 0;
        }
        int removed = 0;
        while (removed < limit) {
            final Entry first = expiries.first();
            if (first == null || !isPast(first)) {
                break;
            }
            expire(first);
            removed++;
        }
        return removed;
    }

    /**
     * Turns removal by the clock on or off; lookups remove expired keys always.
     *
     * @param on false keeps expired keys until they are looked up
     */
    public void setActiveExpiry(final boolean on) {
        this.activeExpiry = on;
    }

    /**
     * Whether lookups count as use of a key ({@code CLIENT NO-TOUCH}).
     *
     * @param on false leaves access times alone
     */
    public void setTouching(final boolean on) {
        this.touching = on;
    }

    /** Removes every key; watchers of keys that were there are told. */
    public void clear() {
        events.onClearing();
        store.clear();
        expiries.clear();
        usedBytes = 0;
    }

    /**
     * Visits a part of the keys, expired ones included; see {@link Store#scan}.
     *
     * @param cursor  0 starts
     * @param visitor must not change the keyspace
     * @return the next cursor, 0 at the end
     */
    public long scan(final long cursor, final Consumer<Entry> visitor) {
        return store.scan(cursor, visitor);
    }

    /**
     * Visits every entry, expired ones included.
     *
     * @param visitor must not change the keyspace
     */
    public void forEach(final Consumer<Entry> visitor) {
        store.forEach(visitor);
    }

    /**
     * Some key that has not expired.
     *
     * @return null when there is none
     */
    public Entry random() {
        while (true) {
            final Entry entry = store.random();
            if (entry == null || alive(entry) != null) {
                return entry;
            }
        }
    }

    /**
     * Number of keys, expired ones that nobody looked up included.
     *
     * @return 0 or more
     */
    public int size() {
        return store.size();
    }

    /**
     * Number of keys with an expiry.
     *
     * @return 0 or more
     */
    public int expiring() {
        return expiries.size();
    }

    /**
     * An estimate of the memory all keys and values take.
     *
     * @return bytes
     */
    public long usedBytes() {
        return usedBytes;
    }

    /**
     * What one entry takes by the same estimate.
     *
     * @param entry an entry of this keyspace
     * @return bytes
     */
    public long bytesOf(final Entry entry) {
        return entry.charged;
    }

    /**
     * Changes since the start, as {@code rdb_changes_since_last_save} counts them.
     *
     * @return only grows
     */
    public long changes() {
        return changes;
    }

    /**
     * Counts further changes of a command that changes several elements at once.
     *
     * @param more may be negative, when {@link #modified} counted one too many
     */
    public void addChanges(final long more) {
        changes += more;
    }

    /**
     * Lookups for reading that found something.
     *
     * @return only grows
     */
    public long hits() {
        return hits;
    }

    /**
     * Lookups for reading that found nothing.
     *
     * @return only grows
     */
    public long misses() {
        return misses;
    }

    /**
     * Keys removed because their time had come.
     *
     * @return only grows
     */
    public long expired() {
        return expired;
    }
}
