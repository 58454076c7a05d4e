// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.ServerProcess;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What README tells a newcomer to type into redis-cli. */
final class FirstUseTest {
    private static EdgeAndHost programs;

    @BeforeAll
    static void start() {
        programs = EdgeAndHost.start();
    }

    @AfterAll
    static void stop() {
        programs.close();
    }

    @Test
    void shouldDeliverEachPublicationOnceAndCountEveryReceiver() {
        final String edge = Integer.toString(programs.edgePort());
        final String socket = programs.hostSocket().toString();
        try (ServerProcess atEdge = subscribe("-p", edge)) {
            assertThat(redisCli("-p", edge, "publish", "prices", "edge")).containsExactly("1");
            assertThat(redisCli("-s", socket, "publish", "prices", "host")).containsExactly("1");
            try (ServerProcess atHost = subscribe("-s", socket);
                    ServerProcess second = subscribe("-p", edge)) {
                assertThat(redisCli("-p", edge, "publish", "prices", "edge2")).containsExactly("3");
                assertThat(redisCli("-s", socket, "publish", "prices", "host2")).containsExactly("3");
                assertThat(redisCli("-s", socket, "pubsub", "numsub", "prices")).containsExactly("prices", "3");
                for (final ServerProcess subscriber : List.of(atHost, second)) {
                    awaitLines(subscriber, "edge2", "host2");
                }
            }
            awaitLines(atEdge, "edge", "host", "edge2", "host2");
        }
    }

    @Test
    void shouldServeDataThroughTheEdge() {
        final String edge = Integer.toString(programs.edgePort());
        final String socket = programs.hostSocket().toString();

        assertThat(redisCli("-p", edge, "set", "greeting", "hello")).containsExactly("OK");
        assertThat(redisCli("-p", edge, "get", "greeting")).containsExactly("hello");
        assertThat(redisCli("-s", socket, "get", "greeting")).containsExactly("hello");
        assertThat(redisCli("-3", "-p", edge, "get", "greeting")).containsExactly("hello");
    }

    private static ServerProcess subscribe(final String... where) {
        final ServerProcess subscriber =
                ServerProcess.start(List.of("redis-cli", where[0], where[1], "subscribe", "prices"));
        Awaitility.await("subscribed").until(() -> subscriber.stdout().size() >= 3);
        assertThat(subscriber.stdout()).containsExactly("subscribe", "prices", "1");
        return subscriber;
    }

    /** Each message is three lines: message, channel, payload. */
    private static void awaitLines(final ServerProcess subscriber, final String... payloads) {
        final int confirmation = 3;
        final int lines = confirmation + 3 * payloads.length;
        Awaitility.await(String.join(", ", payloads))
                .until(() -> subscriber.stdout().size() >= lines);
        assertThat(subscriber.stdout()).hasSize(lines);
        for (int i = 0; i < payloads.length; i++) {
            assertThat(subscriber.stdout().subList(confirmation + 3 * i, confirmation + 3 * i + 3))
                    .containsExactly("message", "prices", payloads[i]);
        }
    }

    private static List<String> redisCli(final String... words) {
        final String[] command = new String[words.length + 1];
        command[0] = "redis-cli";
        System.arraycopy(words, 0, command, 1, words.length);
        final ServerProcess cli = ServerProcess.run(command);
        assertThat(cli.stderr()).isEmpty();
        return cli.stdout();
    }
}
