// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import goblin.net.NativeBuffer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RegistryAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUND = 5_000;

    /** Runs rounds until one allocates nothing: before that, code is still being compiled. */
    private static void shouldSettleWithoutAllocating(final Runnable step) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(1))
                .pollInSameThread()
                .until(() -> {
                    final long before = THREADS.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < ROUND; i++) {
                        step.run();
                    }
                    return THREADS.getCurrentThreadAllocatedBytes() == before;
                });
    }

    @Test
    void shouldFindMatchAndEncodeWithoutAllocating() {
        final Fanout fanout = new Fanout();
        try (TestRegistry registry = new TestRegistry();
                NativeBytes channel = NativeBytes.of("news.sport.today")) {
            for (int i = 0; i < 8; i++) {
                final Client client = new Client("c" + i);
                registry.set(Kind.CHANNEL, "news.sport.today", client, 1);
                registry.set(Kind.CHANNEL, "other" + i, client, 1);
                registry.set(Kind.PATTERN, "news.*", client, 1);
                registry.set(Kind.PATTERN, "n?ws.[r-t]*.*day", client, 1);
                registry.set(Kind.PATTERN, "never" + i + "*", client, 1);
            }
            fanout.channel = channel;
            shouldSettleWithoutAllocating(() -> {
                fanout.out.clear();
                final long receivers =
                        registry.registry.forEachMatch(Kind.CHANNEL, channel.address(), channel.length(), fanout);
                if (receivers != 24) {
                    throw new AssertionError(receivers);
                }
            });
            assertThat(fanout.deliveries).isPositive().isEqualTo(fanout.deliveries / 24 * 24);
        }
        fanout.out.free();
    }

    /** Patterns found by their beginning, their end, their name, and by looking at each of many. */
    @Test
    void shouldMatchManyPatternsWithoutAllocating() {
        final Fanout fanout = new Fanout();
        final Client client = new Client("c");
        try (TestRegistry registry = new TestRegistry();
                NativeBytes channel = NativeBytes.of("news.sport.1234.today")) {
            for (int i = 0; i < 2048; i++) {
                registry.set(Kind.PATTERN, "news.sport." + i + ".*", client, 1);
                registry.set(Kind.PATTERN, "news.*." + i + ".today", client, 1);
                registry.set(Kind.PATTERN, "news.sport." + i + ".today", client, 1);
                registry.set(Kind.PATTERN, "*." + i + ".*", client, 1);
                registry.set(Kind.PATTERN, "*".repeat(1 + i % 50), client, 1);
            }
            fanout.channel = channel;
            shouldSettleWithoutAllocating(() -> {
                fanout.out.clear();
                if (registry.registry.forEachMatch(Kind.CHANNEL, channel.address(), channel.length(), fanout) != 54) {
                    throw new AssertionError();
                }
            });
        }
        fanout.out.free();
    }

    /** Encodes one frame a topic and counts those it would go to. */
    private static final class Fanout implements TopicVisitor<Client> {
        private final NativeBuffer out = new NativeBuffer();
        private NativeBytes channel;
        private long deliveries;

        @Override
        public void visit(final Topic<Client> topic) {
            if (topic.kind() == Kind.PATTERN) {
                MessageFrames.patternMessage(
                        out,
                        3,
                        topic.name(),
                        topic.nameLength(),
                        channel.address(),
                        channel.length(),
                        channel.address(),
                        channel.length());
            } else {
                MessageFrames.message(
                        out, 2, topic.kind(), topic.name(), topic.nameLength(), channel.address(), channel.length());
            }
            for (int i = 0; i < topic.size(); i++) {
                deliveries += topic.weight(i);
            }
        }
    }
}
