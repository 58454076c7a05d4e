// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much a publication looks at, in patterns compared, with many patterns there. */
final class PatternSetTest {
    private static final int MANY = 8192;

    private final Client client = new Client("c");
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
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
    }

    @Test
    void shouldCompareOnlyThosePatternsThatBeginLikeTheChannel() {
        subscribe(MANY, i -> "pattern:" + i + ":*");
        assertThat(examinedBy("pattern:4711:x", "pattern:4711:*")).isEqualTo(1);
        assertThat(examinedBy("pattern:8192:x")).isZero();
        assertThat(examinedBy("other")).isZero();
        assertThat(examinedBy("")).isZero();
    }

    @Test
    void shouldCompareOnlyThosePatternsThatEndLikeTheChannel() {
        subscribe(MANY, i -> "*:event:" + i);
        assertThat(examinedBy("x:event:4711", "*:event:4711")).isEqualTo(1);
        assertThat(examinedBy("x:event:")).isZero();
    }

    @Test
    void shouldLookAtTheEndWhereManyPatternsBeginTheSame() {
        final String prefix = "p".repeat(300);
        subscribe(MANY, i -> prefix + "*" + i);
        // 4711 ends with 711, 11 and 1, too.
        assertThat(examinedBy(prefix + ":4711", prefix + "*1", prefix + "*11", prefix + "*711", prefix + "*4711"))
                .isEqualTo(4);
        assertThat(examinedBy(prefix + ":x")).isZero();
        assertThat(examinedBy(prefix.substring(1) + ":4711")).isZero();
    }

    @Test
    void shouldFindPatternsWithoutSpecialBytesByName() {
        subscribe(MANY, i -> "channel:" + i);
        registry.set(Kind.PATTERN, "", client, 1);
        assertThat(examinedBy("channel:4711", "channel:4711")).isZero();
        assertThat(examinedBy("channel:4711:x")).isZero();
        assertThat(examinedBy("", "")).isZero();
    }

    @Test
    void shouldSkipPatternsThatNeedAByteTheChannelDoesNotHave() {
        subscribe(MANY, i -> "*<" + Integer.toString(i, 36) + ">*");
        assertThat(examinedBy("a<zz>b", "*<zz>*")).isLessThan(20);
        assertThat(examinedBy("a:zz:b")).isZero();
    }

    @Test
    void shouldTakeAChannelThatLooksLikeAPatternAsAName() {
        subscribe(20, i -> "a*".repeat(i + 1));
        registry.set(Kind.PATTERN, "a\\*", client, 1);
        assertThat(registry.publish(Kind.CHANNEL, "a*")).containsExactly("a*{c=1}", "a\\*{c=1}", "2");
    }

    @Test
    void shouldKeepTheOrderOfCreationOverAllWaysToFindAPattern() {
        final List<String> patterns = new ArrayList<>(List.of("abcdef", "abc*", "*", "*def", "a*f", "[a]*", "ab?def"));
        for (int i = 0; i < 400; i++) {
            patterns.add("abc".substring(0, i % 4) + "*".repeat(i + 1) + "def".substring(i % 3));
        }
        for (int seed = 0; seed < 3; seed++) {
            Collections.shuffle(patterns, new Random(seed));
            registry.registry.removeAll(client);
            final LinearPatterns linear = new LinearPatterns();
            for (final String pattern : patterns) {
                registry.set(Kind.PATTERN, pattern, client, 1);
                linear.add(pattern);
            }
            examinedBy("abcdef", linear.matches("abcdef").toArray(String[]::new));
            assertThat(linear.matches("abcdef")).hasSizeGreaterThan(300);
        }
    }

    @Test
    void shouldCopeWithLongPrefixesThatAreAllBeginningsOfEachOther() {
        subscribe(200, i -> "a".repeat(64 * (i + 1)) + "*b");
        final String longest = "a".repeat(64 * 200);
        assertThat(examinedBy(longest)).isLessThanOrEqualTo(200);
        assertThat(examinedBy("a".repeat(64) + "b", "a".repeat(64) + "*b")).isEqualTo(1);
        registry.registry.removeAll(client);
        assertThat(examinedBy(longest)).isZero();
    }

    @Test
    void shouldStayExactWhileManyPatternsComeAndGo() {
        final int count = 100_000;
        subscribe(count, i -> i % 2 == 0 ? "p" + i + "*" : "p*" + i);
        assertThat(examinedBy("p44x", "p4*", "p44*")).isEqualTo(2);
        for (int i = 0; i < count; i += 4) {
            registry.set(Kind.PATTERN, "p" + i + "*", client, 0);
        }
        assertThat(examinedBy("p44x")).isZero();
        for (int i = 1; i < count; i += 2) {
            registry.set(Kind.PATTERN, "p*" + i, client, 0);
        }
        assertThat(examinedBy("p46x", "p46*")).isEqualTo(1);
        assertThat(registry.registry.nameCount(Kind.PATTERN)).isEqualTo(count / 4);
    }

    @Test
    void shouldLetAVisitorPublishAgain() {
        subscribe(50, i -> "a*".repeat(i + 1));
        subscribe(3, i -> "b" + "*".repeat(i + 1));
        final List<String> visited = new ArrayList<>();
        try (NativeBytes a = NativeBytes.of("aa");
                NativeBytes b = NativeBytes.of("b")) {
            registry.registry.forEachMatch(Kind.CHANNEL, a.address(), a.length(), outer -> {
                visited.add(TestRegistry.text(outer));
                registry.registry.forEachMatch(
                        Kind.CHANNEL, b.address(), b.length(), inner -> visited.add(TestRegistry.text(inner)));
            });
        }
        assertThat(visited).containsExactly("a*", "b*", "b**", "b***", "a*a*", "b*", "b**", "b***");
    }

    private void subscribe(final int count, final IntFunction<String> pattern) {
        for (int i = 0; i < count; i++) {
            registry.set(Kind.PATTERN, pattern.apply(i), client, 1);
        }
    }

    /** Publishes, checks which patterns are visited in which order, and tells how many were compared. */
    private long examinedBy(final String channel, final String... matching) {
        final long start = registry.registry.patternsExamined();
        final List<String> visited = new ArrayList<>();
        try (NativeBytes bytes = NativeBytes.of(channel)) {
            registry.registry.forEachMatch(
                    Kind.CHANNEL, bytes.address(), bytes.length(), topic -> visited.add(TestRegistry.text(topic)));
        }
        assertThat(visited).containsExactly(matching);
        return registry.registry.patternsExamined() - start;
    }
}
