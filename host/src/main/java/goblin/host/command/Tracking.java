// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.net.NativeBuffer;
import goblin.pubsub.Kind;
import goblin.resp.ReplyWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Client-side caching: remembers which client read which key (or follows which prefix) and tells it when the key
 * changes. Invalidations of a command are sent when it has ended, so a client's own come after its reply.
 */
final class Tracking {
    private final Server server;
    /** Key to the numbers of the clients that may have it cached; oldest keys first. */
    private final LinkedHashMap<ByteBuffer, Cached> readers = new LinkedHashMap<>();

    private final Map<ByteBuffer, Followed> prefixes = new HashMap<>();
    private final Map<Client, List<byte[]>> pending = new LinkedHashMap<>();
    private final NativeBuffer frame = new NativeBuffer();
    private final ReplyWriter writer = new ReplyWriter();
    private int clients;

    /** A key that clients may have cached. */
    private static final class Cached {
        private final byte[] key;
        private final Set<Long> clients = new LinkedHashSet<>();

        private Cached(final byte[] key) {
            this.key = key;
        }
    }

    /** A prefix that clients follow. */
    private static final class Followed {
        private final byte[] prefix;
        private final Set<Client> clients = new LinkedHashSet<>();

        private Followed(final byte[] prefix) {
            this.prefix = prefix;
        }
    }

    Tracking(final Server server) {
        this.server = server;
    }

    void enable(final Client client) {
        if (!client.tracking.on) {
            clients++;
        }
        client.tracking.on = true;
        for (final byte[] prefix : client.tracking.prefixes) {
            prefixes.computeIfAbsent(ByteBuffer.wrap(prefix), _ -> new Followed(prefix))
                    .clients
                    .add(client);
        }
    }

    void disable(final Client client) {
        if (!client.tracking.on) {
            return;
        }
        clients--;
        for (final byte[] prefix : client.tracking.prefixes) {
            final ByteBuffer key = ByteBuffer.wrap(prefix);
            final Followed followed = prefixes.get(key);
            if (followed != null) {
                followed.clients.remove(client);
                if (followed.clients.isEmpty()) {
                    prefixes.remove(key);
                }
            }
        }
        client.tracking.reset();
        pending.remove(client);
    }

    void forget(final Client client) {
        disable(client);
        pending.remove(client);
        if (clients == 0) {
            readers.clear();
            return;
        }
        for (final Client other : server.clients().all()) {
            if (other.tracking.on && other.tracking.redirect == client.id() && !other.tracking.redirectBroken) {
                tellRedirectBroken(other);
            }
        }
    }

    private void tellRedirectBroken(final Client client) {
        client.tracking.redirectBroken = true;
        if (client.protocol() == 3) {
            frame.clear();
            writer.wrap(frame);
            writer.protocol(3);
            writer.push(2);
            writer.bulkAscii("tracking-redir-broken");
            writer.integer(client.tracking.redirect);
            client.push(frame);
        }
    }

    int clients() {
        return clients;
    }

    int keys() {
        return readers.size();
    }

    /** A tracking client ran a reading command: its keys may be in the client's cache from now on. */
    void remember(final Client client, final CommandSpec spec, final Arguments args) {
        final ClientTracking tracking = client.tracking;
        if (tracking.broadcast
                || (tracking.optIn && !tracking.cachingGiven)
                || (tracking.optOut && tracking.cachingGiven)) {
            return;
        }
        spec.findKeys(args, index -> remember(client, args.bytes(index)));
        final long most = server.settings().trackingTableMaxKeys();
        while (most > 0 && readers.size() > most) {
            onModified(readers.values().iterator().next().key);
        }
    }

    private void remember(final Client client, final byte[] key) {
        readers.computeIfAbsent(ByteBuffer.wrap(key), _ -> new Cached(key))
                .clients
                .add(client.id());
    }

    void onModified(final byte[] key) {
        if (clients == 0) {
            return;
        }
        final Client writing = server.clients().running();
        final Cached cached = readers.remove(ByteBuffer.wrap(key));
        if (cached != null) {
            for (final long id : cached.clients) {
                final Client client = server.clients().find(id);
                if (client != null && client.tracking.on && !client.tracking.broadcast) {
                    queue(client, key, writing);
                }
            }
        }
        for (final Followed followed : prefixes.values()) {
            final byte[] prefix = followed.prefix;
            if (key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
                for (final Client client : followed.clients) {
                    queue(client, key, writing);
                }
            }
        }
    }

    private void queue(final Client client, final byte[] key, final Client writing) {
        if (client == writing && client.tracking.noLoop) {
            return;
        }
        // A null stands for everything: nothing can be added to it.
        if (!pending.containsKey(client) || pending.get(client) != null) {
            pending.computeIfAbsent(client, _ -> new ArrayList<>()).add(key);
        }
        if (writing == null) {
            flush();
        }
    }

    /** Everything goes: caches are told once, with a null in place of the keys. */
    void onClearing() {
        if (clients == 0) {
            return;
        }
        readers.clear();
        for (final Client client : server.clients().all()) {
            if (client.tracking.on) {
                pending.put(client, null);
            }
        }
        if (server.clients().running() == null) {
            flush();
        }
    }

    /** Sends what the command that has ended invalidated. */
    void flush() {
        if (pending.isEmpty()) {
            return;
        }
        for (final Map.Entry<Client, List<byte[]>> one : pending.entrySet()) {
            send(one.getKey(), one.getValue());
        }
        pending.clear();
    }

    private void send(final Client client, final List<byte[]> keys) {
        Client target = client;
        if (client.tracking.redirect != 0) {
            target = server.clients().find(client.tracking.redirect);
            if (target == null || !target.isOpen()) {
                if (!client.tracking.redirectBroken) {
                    tellRedirectBroken(client);
                }
                return;
            }
        }
        frame.clear();
        writer.wrap(frame);
        if (target.protocol() == 3) {
            writer.protocol(3);
            writer.push(2);
            writer.bulkAscii("invalidate");
        } else if (target != client && target.subscriptions().count(Kind.CHANNEL) > 0) {
            writer.protocol(2);
            writer.array(3);
            writer.bulkAscii("message");
            writer.bulkAscii("__redis__:invalidate");
        } else {
            return;
        }
        if (keys == null) {
            writer.nullArray();
        } else {
            writer.array(keys.size());
            for (final byte[] key : keys) {
                writer.bulk(key);
            }
        }
        target.push(frame);
        if (frame.capacity() > 1 << 20) {
            frame.free();
        }
    }
}
