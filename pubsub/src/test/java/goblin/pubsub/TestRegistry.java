// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A registry whose names are given as text, and what tests want to know of it. */
final class TestRegistry implements AutoCloseable {
    final SubscriptionRegistry<Client> registry = new SubscriptionRegistry<>();

    int set(final Kind kind, final String name, final Client client, final int weight) {
        try (NativeBytes bytes = NativeBytes.of(name)) {
            return registry.setWeight(kind, bytes.address(), bytes.length(), client, weight);
        }
    }

    int weight(final Kind kind, final String name, final Client client) {
        try (NativeBytes bytes = NativeBytes.of(name)) {
            final int weight = registry.weight(kind, bytes.address(), bytes.length(), client);
            final boolean contains = registry.contains(kind, bytes.address(), bytes.length(), client);
            return contains == (weight > 0) ? weight : -1;
        }
    }

    long total(final Kind kind, final String name) {
        try (NativeBytes bytes = NativeBytes.of(name)) {
            return registry.totalWeight(kind, bytes.address(), bytes.length());
        }
    }

    /** The topics a publication goes to, and after them the sum of weights. */
    List<String> publish(final Kind kind, final String channel) {
        final List<String> visited = new ArrayList<>();
        try (NativeBytes bytes = NativeBytes.of(channel)) {
            final long sum = registry.forEachMatch(
                    kind, bytes.address(), bytes.length(), topic -> visited.add(text(topic) + describe(topic)));
            visited.add(Long.toString(sum));
        }
        return visited;
    }

    /** All names of a kind with their subscribers and weights. */
    Map<String, Map<String, Integer>> topics(final Kind kind) {
        final Map<String, Map<String, Integer>> all = new TreeMap<>();
        registry.forEachTopic(kind, null, topic -> all.put(text(topic), describe(topic)));
        return all;
    }

    static Map<String, Integer> describe(final Topic<Client> topic) {
        final Map<String, Integer> subscribers = new TreeMap<>();
        for (int i = 0; i < topic.size(); i++) {
            subscribers.put(topic.subscriber(i).toString(), topic.weight(i));
        }
        return subscribers;
    }

    static String text(final Topic<Client> topic) {
        return new String(Memory.toBytes(topic.name(), topic.nameLength()), ISO_8859_1);
    }

    @Override
    public void close() {
        registry.close();
    }
}
