// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.pubsub.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random interests and publications of three edges and the host against a plain model of who must get what. */
final class EdgeAccountingTest {
    private static final int EDGES = 3;
    private static final int STEPS = 400;
    private static final List<String> CHANNELS = List.of("a", "b", "ab", "");
    private static final List<String> PATTERNS = List.of("*", "a*", "?", "b");

    @TempDir
    private Path directory;

    private final RawEdge[] aggregates = new RawEdge[EDGES];
    private final RawEdge[] publishers = new RawEdge[EDGES];
    private final List<Map<String, Integer>> weights = List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldCountAndDeliverExactlyWhatTheModelSays(final long seed) throws IOException {
        final Random random = new Random(seed);
        try (EdgeHarness host = new EdgeHarness(directory, 64 << 20)) {
            for (int i = 0; i < EDGES; i++) {
                aggregates[i] = host.aggregate(i + 1, 10 + i);
                publishers[i] = host.publisher(i + 1, 10 + i);
            }
            for (int step = 1; step <= STEPS; step++) {
                if (random.nextInt(3) == 0) {
                    setInterest(host, random, step);
                } else {
                    publish(host, random, step);
                }
            }
        }
    }

    private void setInterest(final EdgeHarness host, final Random random, final int step) {
        final int edge = random.nextInt(EDGES);
        final Kind kind = List.of(Kind.CHANNEL, Kind.PATTERN, Kind.SHARD).get(random.nextInt(3));
        final List<String> names = kind == Kind.PATTERN ? PATTERNS : CHANNELS;
        final String name = names.get(random.nextInt(names.size()));
        final int weight = random.nextInt(4);
        weights.get(edge).put(kind + " " + name, weight);
        aggregates[edge].setInterest(step, kind, name, weight);
        host.until(() -> aggregates[edge].has("acknowledged " + step));
    }

    private void publish(final EdgeHarness host, final Random random, final int step) {
        final int from = random.nextInt(EDGES + 1);
        final Kind kind = random.nextBoolean() ? Kind.CHANNEL : Kind.SHARD;
        final String channel = CHANNELS.get(random.nextInt(CHANNELS.size()));
        long expected = 0;
        for (int edge = 0; edge < EDGES; edge++) {
            expected += edge == from ? 0 : matches(edge, kind, channel);
        }
        final long integer = expected;
        if (from == EDGES) {
            assertThat(host.publish(kind, channel, "m" + step, null)).isEqualTo(integer);
        } else {
            publishers[from].publish(step, kind, channel, "m" + step);
            host.until(() -> publishers[from].has("published " + step + " " + integer));
        }
        for (int edge = 0; edge < EDGES; edge++) {
            final RawEdge aggregate = aggregates[edge];
            final int fence = STEPS + step;
            aggregate.fence(fence);
            host.until(() -> aggregate.has("fenced " + fence));
            assertThat(aggregate.count("delivery " + kind + " " + channel + " m" + step))
                    .isEqualTo(edge != from && matches(edge, kind, channel) > 0 ? 1 : 0);
        }
    }

    private long matches(final int edge, final Kind kind, final String channel) {
        long sum = weights.get(edge).getOrDefault(kind + " " + channel, 0);
        // As in Redis, no pattern with a star matches the empty name.
        if (kind == Kind.CHANNEL && !channel.isEmpty()) {
            for (final String pattern : PATTERNS) {
                final String expression = pattern.replace("*", ".*").replace("?", ".");
                if (channel.matches(expression)) {
                    sum += weights.get(edge).getOrDefault(Kind.PATTERN + " " + pattern, 0);
                }
            }
        }
        return sum;
    }
}
