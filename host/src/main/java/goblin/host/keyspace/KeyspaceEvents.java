// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

/** What the keyspace tells about its changes. Called on the loop's thread, in the order of the changes. */
public interface KeyspaceEvents {

    /**
     * A key's value changed, appeared or went: whoever watches or caches it must know.
     *
     * @param key the key
     */
    void onModified(byte[] key);

    /**
     * A key that was not there holds a value now (also by {@code RENAME} and the like): blocked clients may go on.
     *
     * @param entry the new entry
     */
    void onAdded(Entry entry);

    /**
     * A key was removed because its time had come.
     *
     * @param key the key
     */
    void onExpired(byte[] key);

    /** Every key is about to be removed. */
    void onClearing();
}
