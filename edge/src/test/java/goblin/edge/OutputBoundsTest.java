// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.testkit.RespClient;
import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** "Output" of the edge's specification: bounds and what happens at them. */
final class OutputBoundsTest {
    private EdgeUnderTest edge;

    @AfterEach
    void stopEdge() throws IOException {
        edge.close();
    }

    @Test
    void shouldPassAMessageFarLongerThanTheRingToAHealthySubscriber() throws Exception {
        edge = new EdgeUnderTest();
        final RespClient subscriber = edge.subscriber("c");
        final String payload = "p".repeat(4 << 20);

        edge.host().deliver("c", payload);
        edge.host().deliver("c", "small");

        assertThat(subscriber.read()).isEqualTo("[\"message\", \"c\", \"" + payload + "\"]");
        assertThat(subscriber.read()).isEqualTo("[\"message\", \"c\", \"small\"]");
        Awaitility.await().until(() -> edge.sum(e -> e.shared().liveBytes()) == 0);
    }

    @Test
    void shouldCutASubscriberThatDoesNotReadAndDeliverAPrefixOnly() throws Exception {
        edge = new EdgeUnderTest();
        final RespClient stuck = edge.subscriber("c");
        final RespClient healthy = edge.subscriber("c");
        final String payload = "x".repeat(4096);
        int sent = 0;
        while (!edge.log().contains("cut:")) {
            edge.host().deliver("c", payload + sent);
            assertThat(healthy.read()).isEqualTo("[\"message\", \"c\", \"" + payload + sent + "\"]");
            sent++;
        }

        final String got = stuck.readUntilClosed();

        final String head = "message\r\n$1\r\nc\r\n$";
        int delivered = 0;
        for (int at = got.indexOf(head); at >= 0; at = got.indexOf(head, at + head.length())) {
            final int from = got.indexOf("\r\n", at + head.length()) + 2 + payload.length();
            final String number = Integer.toString(delivered);
            if (from + number.length() <= got.length()) {
                assertThat(got.substring(from, from + number.length())).isEqualTo(number);
            }
            delivered++;
        }
        assertThat(delivered).isBetween(1, sent);
        assertThat(edge.log()).contains("its output is full");
        Awaitility.await().until(() -> edge.sum(e -> e.clients().count()) == 1);
        assertThat(edge.sum(e -> e.rings().inUse())).isZero();
    }

    @Test
    void shouldPauseAClientWhoseRepliesPileUpAndGoOnWhenItReads() throws Exception {
        edge = new EdgeUnderTest("--max-output-buffer-bytes", "65536");
        final RespClient client = edge.client();
        final byte[] echo = ("*2\r\n$4\r\nECHO\r\n$10000\r\n" + "e".repeat(10_000) + "\r\n")
                .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        int whole = 0;
        int offset = 0;
        // Fills every buffer on the way until nothing moves: the edge has stopped reading.
        long quietSince = System.nanoTime();
        while (System.nanoTime() - quietSince < 300_000_000L) {
            final int taken = client.tryRaw(java.util.Arrays.copyOfRange(echo, offset, echo.length));
            if (taken > 0) {
                quietSince = System.nanoTime();
                offset += taken;
                if (offset == echo.length) {
                    offset = 0;
                    whole++;
                }
            }
        }
        assertThat(edge.sumOfClients(each -> each.output().bytes())).isLessThan(4 << 20);

        for (int i = 0; i < whole; i++) {
            assertThat(client.read()).hasSize(10_002);
        }
    }

    @Test
    void shouldCutAClientThatReadsNothingWhileItsBacklogIsFull() throws Exception {
        edge = new EdgeUnderTest("--max-output-buffer-bytes", "65536", "--client-stall-seconds", "1");
        final RespClient client = edge.client();
        final byte[] echo = ("*2\r\n$4\r\nECHO\r\n$60000\r\n" + "e".repeat(60_000) + "\r\n")
                .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);

        Awaitility.await().until(() -> {
            if (edge.log().contains("cut:")) {
                return true;
            }
            try {
                client.tryRaw(echo);
            } catch (final RuntimeException | AssertionError closed) {
                // Cut: the log tells next time.
            }
            return false;
        });

        assertThat(edge.log()).contains("read nothing for the stall time");
    }

    @Test
    void shouldHoldARingOnlyWhileMessagesWait() throws Exception {
        edge = new EdgeUnderTest("--unsolicited-output-buffer-bytes", "4194304");
        final RespClient slow = edge.subscriber("c");
        assertThat(edge.sum(e -> e.rings().inUse())).isZero();
        final String payload = "x".repeat(1_000_000);
        int sent = 0;
        while (edge.sum(e -> e.rings().inUse()) == 0) {
            edge.host().deliver("c", payload + sent++);
        }

        for (int i = 0; i < sent; i++) {
            assertThat(slow.read()).isEqualTo("[\"message\", \"c\", \"" + payload + i + "\"]");
        }

        Awaitility.await().until(() -> edge.sum(e -> e.rings().inUse()) == 0);
        assertThat(edge.log()).doesNotContain("cut:");
    }

    @Test
    void shouldGiveTheRingOfASubscriberBackThatLeavesWhileMessagesWait() throws Exception {
        edge = new EdgeUnderTest("--unsolicited-output-buffer-bytes", "4194304");
        final RespClient stuck = edge.subscriber("c");
        final String payload = "x".repeat(1_000_000);
        while (edge.sum(e -> e.rings().inUse()) == 0) {
            edge.host().deliver("c", payload);
        }

        stuck.reset();

        Awaitility.await().until(() -> edge.sum(e -> e.rings().inUse()) == 0);
    }
}
