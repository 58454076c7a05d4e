// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import goblin.testkit.RespClient;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SessionAllocationTest {
    private static final int PIPELINE = 100;
    private static final int ROUNDS = 100;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource({
        "GET k, '$5\r\nvalue\r\n'",
        "GET none, '$-1\r\n'",
        "GET number, '$6\r\n123456\r\n'",
        "SET k value, '+OK\r\n'",
        "EXISTS k none, ':1\r\n'",
        "TTL k, ':-1\r\n'",
        "PING, '+PONG\r\n'",
        "PUBLISH nobody message, ':0\r\n'"
    })
    void shouldAllocateNothingOnceCompiled(final String command, final String reply) {
        try (HostUnderTest host = HostUnderTest.start()) {
            final RespClient client = host.client();
            client.command("SET", "k", "value");
            client.command("SET", "number", "123456");
            untilNothingIsAllocated(host, () -> {
                client.raw((command + "\r\n").repeat(PIPELINE));
                final byte[] replies = client.readBytes(reply.length() * PIPELINE);
                assertThat(new String(replies, StandardCharsets.ISO_8859_1)).isEqualTo(reply.repeat(PIPELINE));
            });
        }
    }

    @Test
    void shouldAllocateNothingForPublicationsToManySubscribersOnceCompiled() {
        try (HostUnderTest host = HostUnderTest.start()) {
            final RespClient[] subscribers = new RespClient[8];
            for (int i = 0; i < subscribers.length; i++) {
                subscribers[i] = host.client();
                if (i % 2 == 0) {
                    subscribers[i].command("HELLO", "3");
                }
                subscribers[i].command("SUBSCRIBE", "prices");
            }
            subscribers[0].command("PSUBSCRIBE", "p*");
            final RespClient publisher = host.client();
            final String frame = "*3\r\n$7\r\nmessage\r\n$6\r\nprices\r\n$3\r\n101\r\n";
            final int patternFrame = ">4\r\n$8\r\npmessage\r\n$2\r\np*\r\n$6\r\nprices\r\n$3\r\n101\r\n".length();
            untilNothingIsAllocated(host, () -> {
                publisher.raw("PUBLISH prices 101\r\n".repeat(PIPELINE));
                assertThat(new String(publisher.readBytes(4 * PIPELINE), StandardCharsets.ISO_8859_1))
                        .isEqualTo(":9\r\n".repeat(PIPELINE));
                for (int i = 0; i < subscribers.length; i++) {
                    subscribers[i].readBytes((frame.length() + (i == 0 ? patternFrame : 0)) * PIPELINE);
                }
            });
        }
    }

    private void untilNothingIsAllocated(final HostUnderTest host, final Runnable round) {
        final long loop = loopThread();
        await().atMost(Duration.ofMinutes(2))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .pollInSameThread()
                .until(() -> {
                    final long before = threads.getThreadAllocatedBytes(loop);
                    for (int i = 0; i < ROUNDS; i++) {
                        round.run();
                    }
                    return threads.getThreadAllocatedBytes(loop) == before;
                });
        assertThat(host.port()).isPositive();
    }

    private long loopThread() {
        for (final long id : threads.getAllThreadIds()) {
            final java.lang.management.ThreadInfo info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().equals("goblin-core")) {
                return id;
            }
        }
        throw new AssertionError("the loop does not run");
    }
}
