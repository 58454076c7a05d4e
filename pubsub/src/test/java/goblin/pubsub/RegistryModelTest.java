// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random subscriptions and departures, compared with maps after each step. */
final class RegistryModelTest {
    private static final List<String> NAMES = List.of("", "a", "b", "ab", "a*", "*", "?b", "[ab]", "abc", "\0", "zz");

    /** One step; a weight of -1 means that the client leaves everything. */
    record Step(Kind kind, int name, int client, int weight) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.of(Kind.class),
                        Arbitraries.integers().between(0, NAMES.size() - 1),
                        Arbitraries.integers().between(0, 5),
                        Arbitraries.frequency(
                                net.jqwik.api.Tuple.of(6, 1),
                                net.jqwik.api.Tuple.of(2, 3),
                                net.jqwik.api.Tuple.of(5, 0),
                                net.jqwik.api.Tuple.of(1, -1)))
                .as(Step::new)
                .list()
                .ofMaxSize(120);
    }

    @Property(tries = 300)
    void shouldBehaveLikePlainMaps(@ForAll("steps") final List<Step> steps) {
        final long before = Memory.allocatedBytes();
        final Client[] clients = new Client[6];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = new Client("c" + i);
        }
        // Kept in the order in which names were created.
        final Map<Kind, Map<String, Map<String, Integer>>> model = new TreeMap<>();
        for (final Kind kind : Kind.values()) {
            model.put(kind, new LinkedHashMap<>());
        }
        try (TestRegistry registry = new TestRegistry()) {
            for (final Step step : steps) {
                apply(step, registry, clients[step.client], model);
                for (final Kind kind : Kind.values()) {
                    assertThat(registry.topics(kind)).isEqualTo(new TreeMap<>(model.get(kind)));
                    assertThat(registry.registry.nameCount(kind))
                            .isEqualTo(model.get(kind).size());
                    for (final Client client : clients) {
                        assertThat(ownNames(client, kind)).isEqualTo(modelNames(model.get(kind), client));
                    }
                }
            }
            for (final String channel : NAMES) {
                assertThat(registry.publish(Kind.CHANNEL, channel)).isEqualTo(expectedMatches(model, channel));
            }
        }
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
    }

    private static void apply(
            final Step step,
            final TestRegistry registry,
            final Client client,
            final Map<Kind, Map<String, Map<String, Integer>>> model) {
        if (step.weight < 0) {
            registry.registry.removeAll(client);
            for (final Map<String, Map<String, Integer>> names : model.values()) {
                names.values().forEach(subscribers -> subscribers.remove(client.toString()));
                names.values().removeIf(Map::isEmpty);
            }
            return;
        }
        final String name = NAMES.get(step.name);
        final Map<String, Map<String, Integer>> names = model.get(step.kind);
        final int old = names.getOrDefault(name, Map.of()).getOrDefault(client.toString(), 0);
        assertThat(registry.weight(step.kind, name, client)).isEqualTo(old);
        assertThat(registry.set(step.kind, name, client, step.weight)).isEqualTo(old);
        if (step.weight > 0) {
            names.computeIfAbsent(name, _ -> new TreeMap<>()).put(client.toString(), step.weight);
        } else if (old > 0) {
            names.get(name).remove(client.toString());
            names.values().removeIf(Map::isEmpty);
        }
    }

    private static List<String> ownNames(final Client client, final Kind kind) {
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < client.subscriptions().count(kind); i++) {
            names.add(TestRegistry.text(client.subscriptions().topic(kind, i)));
        }
        return names.stream().sorted().toList();
    }

    private static List<String> modelNames(final Map<String, Map<String, Integer>> names, final Client client) {
        return names.entrySet().stream()
                .filter(entry -> entry.getValue().containsKey(client.toString()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static List<String> expectedMatches(
            final Map<Kind, Map<String, Map<String, Integer>>> model, final String channel) {
        final List<String> expected = new ArrayList<>();
        final Map<String, Integer> literal = model.get(Kind.CHANNEL).get(channel);
        long sum = 0;
        if (literal != null) {
            expected.add(channel + literal);
            sum += sum(literal);
        }
        for (final Map.Entry<String, Map<String, Integer>> entry :
                model.get(Kind.PATTERN).entrySet()) {
            if (new GlobOracle(entry.getKey(), channel).matches()) {
                expected.add(entry.getKey() + entry.getValue());
                sum += sum(entry.getValue());
            }
        }
        expected.add(Long.toString(sum));
        return expected;
    }

    private static long sum(final Map<String, Integer> subscribers) {
        return subscribers.values().stream().mapToLong(Integer::longValue).sum();
    }
}
