// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.host.keyspace.Keyspace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which client watches which key. A change of a watched key makes its watchers' next EXEC fail. */
final class Watches {
    private final Map<ByteBuffer, List<Watch>> byKey = new HashMap<>();
    private final Keyspace keyspace;

    Watches(final Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** One client's interest in one key. */
    static final class Watch {
        final Client client;
        final byte[] key;
        /** It was already past its time when WATCH came, so its removal is no change. */
        boolean stale;

        Watch(final Client client, final byte[] key, final boolean stale) {
            this.client = client;
            this.key = key;
            this.stale = stale;
        }
    }

    void watch(final Client client, final byte[] key) {
        final List<Watch> watchers = byKey.computeIfAbsent(ByteBuffer.wrap(key), _ -> new ArrayList<>(1));
        for (final Watch watch : watchers) {
            if (watch.client == client) {
                return;
            }
        }
        final Watch watch = new Watch(client, key, keyspace.isStale(key));
        watchers.add(watch);
        client.watches.add(watch);
    }

    void unwatch(final Client client) {
        client.watchedKeyChanged = false;
        for (final Watch watch : client.watches) {
            final ByteBuffer key = ByteBuffer.wrap(watch.key);
            final List<Watch> watchers = byKey.get(key);
            watchers.remove(watch);
            if (watchers.isEmpty()) {
                byKey.remove(key);
            }
        }
        client.watches.clear();
    }

    void onModified(final byte[] key) {
        if (byKey.isEmpty()) {
            return;
        }
        final List<Watch> watchers = byKey.get(ByteBuffer.wrap(key));
        if (watchers == null) {
            return;
        }
        for (final Watch watch : watchers) {
            if (watch.stale && keyspace.peek(key) == null) {
                watch.stale = false;
            } else {
                watch.client.watchedKeyChanged = true;
            }
        }
    }

    /** Everything is about to go: who watches a key that is there is affected, except one that was stale already. */
    void onClearing() {
        for (final List<Watch> watchers : byKey.values()) {
            for (final Watch watch : watchers) {
                if (watch.stale) {
                    watch.stale = false;
                } else if (keyspace.holds(watch.key)) {
                    watch.client.watchedKeyChanged = true;
                }
            }
        }
    }

    /** A watched key that is past its time counts as changed, whether or not anybody has looked it up yet. */
    boolean anyExpired(final Client client) {
        for (final Watch watch : client.watches) {
            if (!watch.stale && keyspace.isStale(watch.key)) {
                return true;
            }
        }
        return false;
    }
}
