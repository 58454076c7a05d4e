// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Entry;

/** The clients that wait for keys, oldest first for each key. */
public interface KeyWaiters {

    /**
     * A key that was not there holds a value now. Remembers it when somebody waits for it; serves nobody yet, because
     * the command or transaction that did it is still running.
     *
     * @param entry the new entry
     */
    void onAdded(Entry entry);

    /**
     * Whether {@link #serve} has something to look at.
     *
     * @return false is the usual case
     */
    boolean hasReady();

    /**
     * Serves waiting clients from the keys that got values, after the whole command, transaction or script; what their
     * commands add in turn is served as well.
     */
    void serve();
}
