// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.testkit.RespClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Four loops, publishers on all of them, observers on all of them, and clients that come and go. */
final class LoopStormTest {
    private static final int LOOPS = 4;
    private static final int CHANNELS = 3;
    private static final int MESSAGES = Integer.getInteger("goblin.storm.messages", 1_000);
    private static final int BATCH = 10;
    private static final int VISITORS = 6;
    private static final int VISITS = 60;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private PromptHost host;
    private EdgeUnderTest edge;

    @BeforeEach
    void startEdge() {
        host = new PromptHost();
        edge = EdgeUnderTest.linkedTo(
                host,
                UnaryOperator.identity(),
                "--loops",
                Integer.toString(LOOPS),
                "--unsolicited-output-buffer-bytes",
                "4194304");
    }

    @AfterEach
    void stopEdge() throws IOException {
        threads.close();
        edge.close();
        host.close();
    }

    @Test
    void shouldShowAllObserversOneOrderAndCountWhatClientsGotWhileOthersComeAndGo() throws Exception {
        final List<Future<List<String>>> observers = observers(LOOPS * MESSAGES);
        final List<Future<Long>> visitors = visitors(false);
        final List<Future<Long>> publishers = publishers();

        final long counted = sum(publishers);
        final List<String> seen = observers.getFirst().get();
        for (final Future<List<String>> each : observers) {
            assertThat(each.get()).isEqualTo(seen);
        }
        for (int publisher = 0; publisher < LOOPS; publisher++) {
            final String own = "p" + publisher + ":";
            assertThat(seen.stream().filter(each -> each.startsWith(own)).toList())
                    .hasSize(MESSAGES)
                    .isEqualTo(expected(own));
        }
        final long delivered = sum(visitors) + (long) LOOPS * LOOPS * MESSAGES;
        assertThat(counted).isEqualTo(delivered);
        assertThat(edge.sum(e -> e.counters().get(EdgeCounter.DELIVERIES))).isEqualTo(delivered);
    }

    @Test
    void shouldAnswerEachPublicationWithItsOwnCount() throws Exception {
        final List<Future<List<String>>> observers = observers(LOOPS * MESSAGES);
        final List<RespClient> publishers = new ArrayList<>();
        for (int loop = 0; loop < LOOPS; loop++) {
            publishers.add(edge.clientOn(loop));
        }
        final List<Future<Long>> answers = new ArrayList<>();
        for (final RespClient publisher : publishers) {
            answers.add(threads.submit(() -> {
                for (int i = 0; i < MESSAGES; i += 100) {
                    for (int j = i; j < i + 100; j++) {
                        publisher.send("PUBLISH", "c" + j % CHANNELS, "m" + j);
                    }
                    assertThat(publisher.read(100)).containsOnly(":" + LOOPS);
                }
                return 0L;
            }));
        }

        sum(answers);
        for (final Future<List<String>> each : observers) {
            assertThat(each.get()).hasSize(LOOPS * MESSAGES);
        }
    }

    @Test
    void shouldCountEveryDeliveryAttemptedWhileClientsVanish() throws Exception {
        final List<Future<Long>> visitors = visitors(true);
        final List<Future<Long>> publishers = publishers();

        final long counted = sum(publishers);
        sum(visitors);
        assertThat(edge.sum(e -> e.counters().get(EdgeCounter.DELIVERIES))).isEqualTo(counted);
        org.awaitility.Awaitility.await()
                .until(() -> edge.sum(e -> e.interests().size()) == 0);
        org.awaitility.Awaitility.await().until(() -> edge.sum(e -> e.shared().liveBytes()) == 0);
    }

    /** Whoever sees a message answers it from another loop on the same channel. */
    @Test
    void shouldShowNobodyAnAnswerBeforeWhatItAnswers() throws Exception {
        final int rounds = MESSAGES / 4;
        final List<Future<List<String>>> observers = observers(rounds * (1 + LOOPS));
        final List<Future<Long>> answering = new ArrayList<>();
        for (int loop = 0; loop < LOOPS; loop++) {
            final RespClient listening = subscriber(loop, "c0");
            final RespClient speaking = edge.clientOn((loop + 1) % LOOPS);
            final String name = "a" + loop + ":";
            answering.add(threads.submit(() -> answer(listening, speaking, name, rounds)));
        }
        final RespClient asking = edge.clientOn(1);
        for (int i = 0; i < rounds; i++) {
            asking.command("PUBLISH", "c0", "q:" + i);
        }
        sum(answering);

        final List<String> seen = observers.getFirst().get();
        for (final Future<List<String>> each : observers) {
            assertThat(each.get()).isEqualTo(seen);
        }
        final Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < seen.size(); i++) {
            places.put(seen.get(i), i);
        }
        for (int i = 0; i < rounds; i++) {
            for (int loop = 0; loop < LOOPS; loop++) {
                assertThat(places.get("a" + loop + ":" + i)).isGreaterThan(places.get("q:" + i));
            }
        }
    }

    private static long answer(
            final RespClient listening, final RespClient speaking, final String name, final int rounds) {
        int answered = 0;
        while (answered < rounds) {
            final String payload = payloadOf(listening.read());
            if (payload.startsWith("q:")) {
                speaking.send("PUBLISH", "c0", name + payload.substring(2));
                answered++;
            }
        }
        speaking.read(rounds);
        return answered;
    }

    /** One on each loop that reads so many messages of all channels. */
    private List<Future<List<String>>> observers(final int messages) {
        final List<Future<List<String>>> all = new ArrayList<>();
        for (int loop = 0; loop < LOOPS; loop++) {
            final RespClient client = subscriber(loop, "c0", "c1", "c2");
            all.add(threads.submit(() -> {
                final List<String> seen = new ArrayList<>();
                for (int i = 0; i < messages; i++) {
                    seen.add(payloadOf(client.read()));
                }
                return seen;
            }));
        }
        return all;
    }

    /** One on each loop that publishes, and returns the sum of the counts. */
    private List<Future<Long>> publishers() {
        final List<RespClient> clients = new ArrayList<>();
        for (int loop = 0; loop < LOOPS; loop++) {
            clients.add(edge.clientOn(loop));
        }
        final List<Future<Long>> all = new ArrayList<>();
        for (int loop = 0; loop < LOOPS; loop++) {
            final RespClient client = clients.get(loop);
            final String own = "p" + loop + ":";
            all.add(threads.submit(() -> publish(client, own)));
        }
        return all;
    }

    private static long publish(final RespClient client, final String own) {
        long counted = 0;
        for (int i = 0; i < MESSAGES; i += BATCH) {
            for (int j = i; j < i + BATCH; j++) {
                client.send("PUBLISH", "c" + j % CHANNELS, own + j);
            }
            for (final String reply : client.read(BATCH)) {
                counted += Long.parseLong(reply, 1, reply.length(), 10);
            }
        }
        return counted;
    }

    private static List<String> expected(final String own) {
        final List<String> all = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            all.add(own + i);
        }
        return all;
    }

    /** Clients that subscribe for a moment, by name or by pattern; they return how many messages they got. */
    private List<Future<Long>> visitors(final boolean vanishing) {
        final List<Future<Long>> all = new ArrayList<>();
        for (int i = 0; i < VISITORS; i++) {
            final int seed = i;
            final Callable<Long> visits = () -> {
                final Random random = new Random(seed);
                long got = 0;
                for (int visit = 0; visit < VISITS; visit++) {
                    got += visit(random, vanishing);
                }
                return got;
            };
            all.add(threads.submit(visits));
        }
        return all;
    }

    private long visit(final Random random, final boolean vanishing) {
        final String pattern = random.nextBoolean() ? "P" : "";
        final String name = pattern.isEmpty() ? "c" + random.nextInt(CHANNELS) : "c*";
        long got = 0;
        try (RespClient client = RespClient.connect(edge.port())) {
            client.send(pattern + "SUBSCRIBE", name);
            client.read();
            final int messages = random.nextInt(3);
            if (vanishing && random.nextBoolean()) {
                client.reset();
                return got;
            }
            client.send(pattern + "UNSUBSCRIBE", name);
            if (messages == 0) {
                // Both while the other is under way.
                client.send(pattern + "SUBSCRIBE", name).send(pattern + "UNSUBSCRIBE", name);
            }
            int ends = messages == 0 ? 2 : 1;
            while (ends > 0) {
                final String frame = client.read();
                if (frame.contains("unsubscribe\"")) {
                    ends--;
                } else if (frame.contains("message\"")) {
                    got++;
                }
            }
        }
        return got;
    }

    private RespClient subscriber(final int loop, final String... channels) {
        final RespClient client = edge.clientOn(loop);
        for (final String channel : channels) {
            client.command("SUBSCRIBE", channel);
        }
        return client;
    }

    /** The payload of a message frame as text. */
    private static String payloadOf(final String frame) {
        return frame.substring(frame.lastIndexOf(", \"") + 3, frame.length() - 2);
    }

    private static long sum(final List<Future<Long>> all) throws InterruptedException, ExecutionException {
        long sum = 0;
        for (final Future<Long> each : all) {
            sum += each.get();
        }
        return sum;
    }
}
