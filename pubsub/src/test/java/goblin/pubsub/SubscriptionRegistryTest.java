// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static goblin.pubsub.Kind.CHANNEL;
import static goblin.pubsub.Kind.PATTERN;
import static goblin.pubsub.Kind.SHARD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SubscriptionRegistryTest {
    private final Client a = new Client("A");
    private final Client b = new Client("B");
    private TestRegistry registry;
    private long before;

    @BeforeEach
    void open() {
        before = Memory.allocatedBytes();
        registry = new TestRegistry();
    }

    @AfterEach
    void close() {
        registry.close();
        registry.close();
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
    }

    @Test
    void shouldCountAClientOnceForEachNameItMatchesBy_P32() {
        registry.set(CHANNEL, "z", a, 1);
        registry.set(CHANNEL, "z", a, 1);
        registry.set(PATTERN, "z*", a, 1);
        registry.set(PATTERN, "z?", a, 1);
        registry.set(PATTERN, "[z]", a, 1);
        registry.set(PATTERN, "z*", b, 1);
        assertThat(registry.publish(CHANNEL, "z")).containsExactly("z{A=1}", "z*{A=1, B=1}", "[z]{A=1}", "4");
        assertThat(registry.total(CHANNEL, "z")).isEqualTo(1);
        assertThat(registry.total(CHANNEL, "nope")).isZero();
        assertThat(registry.registry.nameCount(PATTERN)).isEqualTo(3);
        assertThat(a.subscriptions().channelsAndPatterns()).isEqualTo(4);
    }

    @Test
    void shouldKeepChannelsPatternsAndShardsApart_P17_P66() {
        registry.set(CHANNEL, "a", a, 1);
        registry.set(PATTERN, "a", a, 1);
        registry.set(SHARD, "a", b, 1);
        assertThat(registry.set(PATTERN, "a", a, 0)).isEqualTo(1);
        assertThat(registry.publish(CHANNEL, "a")).containsExactly("a{A=1}", "1");
        assertThat(registry.publish(SHARD, "a")).containsExactly("a{B=1}", "1");
        assertThat(registry.weight(SHARD, "a", a)).isZero();
        assertThat(b.subscriptions().count(SHARD)).isEqualTo(1);
        assertThat(b.subscriptions().channelsAndPatterns()).isZero();
        assertThatThrownBy(() -> registry.publish(PATTERN, "a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldTakeNamesAsBytes_P61() {
        final String name = "\0\r\n\u00ff*";
        registry.set(CHANNEL, name, a, 1);
        registry.set(CHANNEL, "", a, 1);
        assertThat(registry.publish(CHANNEL, name)).containsExactly(name + "{A=1}", "1");
        assertThat(registry.publish(CHANNEL, "")).containsExactly("{A=1}", "1");
    }

    @Test
    void shouldReplaceAWeightAndTellTheOldOne() {
        assertThat(registry.set(CHANNEL, "c", a, 5)).isZero();
        assertThat(registry.set(CHANNEL, "c", b, 1)).isZero();
        assertThat(registry.set(CHANNEL, "c", a, 7)).isEqualTo(5);
        assertThat(registry.total(CHANNEL, "c")).isEqualTo(8);
        assertThat(registry.set(CHANNEL, "c", a, 0)).isEqualTo(7);
        assertThat(registry.set(CHANNEL, "c", a, 0)).isZero();
        assertThat(registry.set(CHANNEL, "never", a, 0)).isZero();
        assertThat(registry.total(CHANNEL, "c")).isEqualTo(1);
        assertThatThrownBy(() -> registry.set(CHANNEL, "c", a, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldSumWeightsPastTheRangeOfOne() {
        registry.set(CHANNEL, "c", a, Integer.MAX_VALUE);
        registry.set(CHANNEL, "c", b, Integer.MAX_VALUE);
        assertThat(registry.total(CHANNEL, "c")).isEqualTo(2L * Integer.MAX_VALUE);
    }

    @Test
    void shouldForgetANameWithItsLastSubscriber() {
        registry.set(PATTERN, "p*", a, 1);
        registry.set(PATTERN, "p*", b, 1);
        registry.set(PATTERN, "p*", a, 0);
        assertThat(registry.registry.nameCount(PATTERN)).isEqualTo(1);
        registry.set(PATTERN, "p*", b, 0);
        assertThat(registry.registry.nameCount(PATTERN)).isZero();
        assertThat(registry.publish(CHANNEL, "px")).containsExactly("0");
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
    }

    @Test
    void shouldVisitPatternsInTheOrderOfTheirCreation() {
        for (final String pattern : List.of("x*", "*x", "?", "x", "[x]")) {
            registry.set(PATTERN, pattern, a, 1);
        }
        registry.set(PATTERN, "?", a, 0);
        registry.set(PATTERN, "x*", a, 0);
        registry.set(PATTERN, "x*", b, 1);
        assertThat(registry.publish(CHANNEL, "x")).containsExactly("*x{A=1}", "x{A=1}", "[x]{A=1}", "x*{B=1}", "4");
        registry.set(PATTERN, "x*", b, 0);
        registry.set(PATTERN, "*x", a, 0);
        assertThat(registry.publish(CHANNEL, "x")).containsExactly("x{A=1}", "[x]{A=1}", "2");
    }

    @Test
    void shouldRemoveAllNamesOfASubscriberAndShowWhatIsLeftOfEach() {
        registry.set(CHANNEL, "only", a, 1);
        registry.set(CHANNEL, "both", a, 2);
        registry.set(CHANNEL, "both", b, 3);
        registry.set(PATTERN, "b*", a, 1);
        final List<String> left = new ArrayList<>();
        registry.registry.removeAll(CHANNEL, a, topic -> left.add(TestRegistry.text(topic) + topic.totalWeight()));
        assertThat(left).containsExactlyInAnyOrder("only0", "both3");
        assertThat(a.subscriptions().count(CHANNEL)).isZero();
        assertThat(a.subscriptions().count(PATTERN)).isEqualTo(1);
        registry.registry.removeAll(a);
        registry.registry.removeAll(a);
        assertThat(a.subscriptions().isEmpty()).isTrue();
        assertThat(registry.topics(CHANNEL)).containsOnlyKeys("both");
        assertThat(registry.topics(PATTERN)).isEmpty();
        assertThat(registry.registry.subscriptionCount()).isEqualTo(1);
    }

    @Test
    void shouldListNamesByPattern() {
        registry.set(CHANNEL, "news.1", a, 1);
        registry.set(CHANNEL, "news.2", a, 1);
        registry.set(CHANNEL, "else", a, 1);
        try (NativeBytes filter = NativeBytes.of("news.*")) {
            final List<String> names = new ArrayList<>();
            registry.registry.forEachTopic(
                    CHANNEL,
                    GlobPattern.compile(filter.address(), filter.length()),
                    topic -> names.add(TestRegistry.text(topic)));
            assertThat(names).containsExactlyInAnyOrder("news.1", "news.2");
        }
    }

    @Test
    void shouldStayFastAndExactWithManySubscribersAndNames() {
        final int count = 100_000;
        final Client[] clients = new Client[count];
        for (int i = 0; i < count; i++) {
            clients[i] = new Client("c" + i);
            registry.set(CHANNEL, "hot", clients[i], 1);
            registry.set(CHANNEL, "own" + i, clients[i], 1);
            registry.set(CHANNEL, "many" + i, a, 1);
        }
        assertThat(registry.total(CHANNEL, "hot")).isEqualTo(count);
        assertThat(registry.registry.nameCount(CHANNEL)).isEqualTo(2 * count + 1);
        registry.registry.removeAll(a);
        for (int i = 0; i < count; i += 2) {
            registry.registry.removeAll(clients[i]);
        }
        assertThat(registry.total(CHANNEL, "hot")).isEqualTo(count / 2);
        for (int i = 1; i < count; i += 2) {
            assertThat(registry.set(CHANNEL, "hot", clients[i], 0)).isEqualTo(1);
        }
        assertThat(registry.total(CHANNEL, "hot")).isZero();
        assertThat(registry.registry.subscriptionCount()).isEqualTo(count / 2);
    }
}
