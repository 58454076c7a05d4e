// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.FaultReporter;
import goblin.testkit.HostileTransport;
import goblin.testkit.Mischief;
import goblin.testkit.RespClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every byte of clients, sessions and links cut anywhere, sends shortened and refused: the answers stay the same. */
final class HostileEdgeTest {
    private static final int ROUNDS = 60;

    static Stream<Arguments> mischief() {
        return Stream.of(
                Arguments.of(Mischief.CUTS, 1L),
                Arguments.of(Mischief.CUTS, 2L),
                Arguments.of(Mischief.CUTS, 3L),
                Arguments.of(Mischief.ONE_BYTE, 4L));
    }

    @ParameterizedTest
    @MethodSource("mischief")
    void shouldAnswerAndDeliverTheSameThroughABadNetwork(final Mischief mischief, final long seed) throws IOException {
        try (PromptHost host = new PromptHost();
                EdgeUnderTest edge = EdgeUnderTest.linkedTo(
                        host, inner -> new HostileTransport(inner, seed, mischief, FaultReporter.STANDARD_ERROR))) {
            final RespClient subscriber = edge.client();
            assertThat(subscriber.command("SUBSCRIBE", "c")).isEqualTo("[\"subscribe\", \"c\", :1]");
            final String large = "L".repeat(mischief.equals(Mischief.ONE_BYTE) ? 5_000 : 200_000);
            final StringBuilder requests = new StringBuilder();
            final List<String> replies = new ArrayList<>();
            final List<String> messages = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                final String payload = i % 20 == 19 ? large + i : "m\r\n" + i;
                requests.append(command("PUBLISH", "c", payload));
                replies.add(":1");
                messages.add("[\"message\", \"c\", \"" + payload.replace("\r\n", "\\x0d\\x0a") + "\"]");
                requests.append(command("GET", "k")).append("ECHO inline").append("\r\n");
                replies.add("\"v\"");
                replies.add("\"inline\"");
                if (i % 20 == 7) {
                    requests.append(command("SET", "k", large));
                    replies.add(":1");
                }
                requests.append("*0\r\n").append(command("PING"));
                replies.add("+PONG");
            }
            final RespClient client = edge.client();
            final Thread sender = Thread.ofVirtual()
                    .start(() -> client.raw(requests.toString().getBytes(StandardCharsets.ISO_8859_1)));

            assertThat(client.read(replies.size())).containsExactlyElementsOf(replies);
            assertThat(subscriber.read(messages.size())).containsExactlyElementsOf(messages);
            join(sender);
            subscriber.reset();
            client.close();
            Awaitility.await().until(() -> edge.sum(e -> e.clients().count()) == 0);
            Awaitility.await().until(() -> edge.sum(e -> e.interests().size()) == 0);
            assertThat(edge.sum(e -> e.rings().inUse())).isZero();
            assertThat((long) edge.onLoop(e -> e.requestMemory().used())).isZero();
            assertThat(edge.sum(e -> e.shared().liveBytes())).isZero();
        }
    }

    private static void join(final Thread thread) {
        try {
            thread.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String command(final String... words) {
        final StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (final String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString();
    }
}
