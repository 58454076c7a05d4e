// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.edge.exchange.LoopExchange;
import goblin.testkit.RespClient;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop that is stuck holds back who publishes to it, here or at the host, and nothing grows. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LoopBackPressureTest {
    private static final int LOOPS = 3;
    private static final int STUCK = 2;
    private static final long SHARE = (16L << 20) / LOOPS;
    private static final String[] OPTIONS = {
        "--loops", Integer.toString(LOOPS), "--unsolicited-output-buffer-bytes", "67108864"
    };

    @Test
    void shouldLetAPublisherWaitForAStuckLoopAndServeOthers() throws Exception {
        // A client has 1,024 replies outstanding at most: it is the bytes that reach the bound.
        final int messages = 1_500;
        final String payload = "x".repeat(16_384);
        try (PromptHost host = new PromptHost();
                EdgeUnderTest edge = EdgeUnderTest.linkedTo(host, TurnsOnly::over, OPTIONS);
                Stuck stuck = new Stuck()) {
            edge.servedClient();
            final Socket publisher = new Socket(InetAddress.getLoopbackAddress(), edge.port());
            final RespClient subscriber = edge.client();
            subscriber.command("SUBSCRIBE", "c");
            edge.servedClient();
            final RespClient other = edge.servedClient();
            stuck.stop(edge);

            final byte[] command = ("*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$" + payload.length() + "\r\n" + payload
                            + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
            final Future<String> counts = start(() -> {
                final byte[] replies = publisher.getInputStream().readNBytes(messages * ":1\r\n".length());
                return new String(replies, StandardCharsets.ISO_8859_1);
            });
            final Future<String> published = start(() -> {
                for (int i = 0; i < messages; i++) {
                    publisher.getOutputStream().write(command);
                }
                return "";
            });

            Awaitility.await().until(() -> edge.onLoop(1, e -> !e.role().takes(payload.length() + 1)));
            assertThat((long) edge.onLoop(1, e -> exchange(e).unansweredBytes()))
                    .isLessThanOrEqualTo(SHARE);
            assertThat(other.command("PING")).isEqualTo("+PONG");
            assertThat(counts.isDone()).isFalse();

            stuck.free();
            for (int i = 0; i < messages; i++) {
                assertThat(subscriber.read()).hasSizeGreaterThan(payload.length());
            }
            published.get();
            assertThat(counts.get()).isEqualTo(":1\r\n".repeat(messages));
            publisher.close();
        }
    }

    @Test
    void shouldLetTheHostWaitForAStuckLoop() throws Exception {
        final int messages = 8_000;
        final String payload = "x".repeat(4_096);
        try (EdgeUnderTest edge = new EdgeUnderTest(TurnsOnly::over, OPTIONS);
                Stuck stuck = new Stuck()) {
            final ScriptedHost host = edge.host();
            edge.servedClient();
            edge.servedClient();
            final RespClient subscriber = edge.subscriber("c");
            stuck.stop(edge);

            final Future<String> delivering = start(() -> {
                for (int i = 0; i < messages; i++) {
                    host.deliver("c", payload);
                }
                return "";
            });

            Awaitility.await().until(() -> edge.onLoop(e -> exchange(e).isPressed()));
            assertThat((long) edge.onLoop(e -> exchange(e).unansweredBytes())).isLessThanOrEqualTo(SHARE);
            assertThat(delivering.isDone()).isFalse();

            stuck.free();
            for (int i = 0; i < messages; i++) {
                assertThat(subscriber.read()).hasSizeGreaterThan(payload.length());
            }
            delivering.get();
            Awaitility.await().until(() -> edge.onLoop(e -> exchange(e).unanswered()) == 0);
        }
    }

    private static LoopExchange<ClientSession, ReplySlot> exchange(final Edge edge) {
        return ((ExchangingLoop) edge.role()).exchange();
    }

    private static Future<String> start(final Callable<String> task) {
        final FutureTask<String> future = new FutureTask<>(task);
        Thread.ofVirtual().start(future);
        return future;
    }

    /** Stops a loop in the midst of a turn, until it is closed. */
    private static final class Stuck implements AutoCloseable {
        private final CountDownLatch over = new CountDownLatch(1);

        void stop(final EdgeUnderTest edge) {
            edge.program().loops().get(STUCK).loop().execute(() -> {
                try {
                    over.await();
                } catch (final InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        void free() {
            over.countDown();
        }

        @Override
        public void close() {
            over.countDown();
        }
    }
}
