// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

/**
 * One key with its value and expiry. Made and changed by the {@link Keyspace} only; readers may keep a reference for
 * the length of one command.
 */
public final class Entry {
    /** {@link #expireAtMs} of a key that lives until it is deleted. */
    public static final long NEVER = 0;

    /** What an entry costs beside its key's and value's bytes: object headers, table slot, references. */
    static final int OVERHEAD_BYTES = 96;

    final byte[] key;
    final long hash;
    Entry next;
    Value value;
    long expireAtMs;
    /** Position in the expiry heap, -1 when not in it. */
    int heapIndex = -1;
    /** Bytes this entry added to the keyspace's estimate. */
    long charged;
    /** Clock of the last access, in milliseconds. */
    long accessedMs;

    Entry(final byte[] key, final long hash, final Value value) {
        this.key = key;
        this.hash = hash;
        this.value = value;
    }

    /**
     * The key's bytes.
     *
     * @return the array itself; must not be changed
     */
    public byte[] key() {
        return key;
    }

    /**
     * The value.
     *
     * @return never null while the entry is in the keyspace
     */
    public Value value() {
        return value;
    }

    /**
     * When the key expires.
     *
     * @return milliseconds since 1970, {@link #NEVER} when it does not
     */
    public long expireAtMs() {
        return expireAtMs;
    }

    /**
     * When the key was last read or written by a client that counts as use.
     *
     * @return milliseconds since 1970
     */
    public long accessedMs() {
        return accessedMs;
    }
}
