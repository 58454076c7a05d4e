// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Random patterns that come and go, compared with looking at each of them. */
final class PatternSetModelTest {
    private static final int NAMES = 120;

    /** Few beginnings, some of them the beginning of others, around the sizes of words. */
    @Provide
    Arbitrary<String> patterns() {
        final Arbitrary<String> beginning =
                Arbitraries.of("", "", "a", "ab", "abb", "\\a", "a\\*", "aaaaaaaa", "aaaaaaaab", "aaaaaaaaaaaaaaaa");
        final Arbitrary<String> piece =
                Arbitraries.of("a", "b", "ab", "*", "*", "?", "[ab]", "[^a]", "[a-", "\\*", "\\b", "\\", "c");
        final Arbitrary<String> end = Arbitraries.of("", "", "*", "*b", "*ab", "*\\b", "*bbbbbbbb", "?bbbbbbbbbb");
        return Combinators.combine(beginning, piece.list().ofMaxSize(3), end)
                .as((first, middle, last) -> first + String.join("", middle) + last);
    }

    @Provide
    Arbitrary<String> channels() {
        final Arbitrary<String> pieces = Arbitraries.of("a", "b", "ab", "c", "*", "\\", "aaaaaaaa", "bbbbbbbb");
        return pieces.list().ofMaxSize(7).map(list -> String.join("", list));
    }

    @Property(tries = 150)
    void shouldFindWhatLookingAtEachPatternFinds(
            @ForAll("names") final List<String> names,
            @ForAll("texts") final List<String> channels,
            @ForAll("steps") final List<@IntRange(max = 2 * NAMES - 1) Integer> steps) {
        final long before = Memory.allocatedBytes();
        final Client client = new Client("c");
        final LinearPatterns linear = new LinearPatterns();
        try (TestRegistry registry = new TestRegistry()) {
            for (int i = 0; i < steps.size(); i++) {
                final String pattern = names.get(steps.get(i) % NAMES);
                final boolean add = steps.get(i) < NAMES;
                registry.set(Kind.PATTERN, pattern, client, add ? 1 : 0);
                if (add) {
                    linear.add(pattern);
                } else {
                    linear.remove(pattern);
                }
                final String channel = channels.get(i % channels.size());
                assertThat(matches(registry, channel)).isEqualTo(linear.matches(channel));
            }
            for (final String channel : channels) {
                assertThat(matches(registry, channel)).isEqualTo(linear.matches(channel));
            }
        }
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
    }

    @Provide
    Arbitrary<List<String>> names() {
        return patterns().list().ofSize(NAMES);
    }

    @Provide
    Arbitrary<List<String>> texts() {
        return channels().list().ofMinSize(1).ofMaxSize(40);
    }

    /** More additions than removals, so that groups grow past their list and shrink again. */
    @Provide
    Arbitrary<List<Integer>> steps() {
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(3, Arbitraries.integers().between(0, NAMES - 1)),
                        net.jqwik.api.Tuple.of(2, Arbitraries.integers().between(NAMES, 2 * NAMES - 1)))
                .list()
                .ofMaxSize(400);
    }

    private static List<String> matches(final TestRegistry registry, final String channel) {
        final List<String> matches = new ArrayList<>();
        try (NativeBytes bytes = NativeBytes.of(channel)) {
            final long weight = registry.registry.forEachMatch(
                    Kind.CHANNEL, bytes.address(), bytes.length(), topic -> matches.add(TestRegistry.text(topic)));
            assertThat(weight).isEqualTo(matches.size());
        }
        return matches;
    }
}
