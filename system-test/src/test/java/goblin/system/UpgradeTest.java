// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.Ports;
import goblin.system.rig.ServerProcess;
import goblin.system.rig.WireClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An edge that leaves while another one takes its place on the same address. */
final class UpgradeTest {
    private static final int SOME = 300;

    private final EdgeAndHost programs = EdgeAndHost.setup().withoutEdge().start();
    private final int port = Ports.free();
    private final AtomicInteger served = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        programs.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void shouldServeEveryConnectionWhileOneEdgeFollowsAnother(final String loops) {
        try (ServerProcess old = edge("1", "60", loops)) {
            final WireClient staying = programs.at(port);
            staying.call("SUBSCRIBE", "c");
            final AtomicBoolean over = new AtomicBoolean();
            final CompletableFuture<Void> connecting = CompletableFuture.runAsync(() -> connectUntil(over));
            try (ServerProcess next = edge("2", "60", loops)) {
                awaitMore();
                old.askToEnd();
                old.awaitStderr("draining: ");
                awaitMore();

                assertThat(programs.atHost().call("PUBLISH", "c", "m")).isEqualTo(":1¶");
                assertThat(staying.reply()).endsWith("¶m¶");
                staying.close();
                assertThat(old.exitCode()).isZero();
                awaitMore();
                over.set(true);
                connecting.join();

                assertThat(failures).isEmpty();
                assertThat(next.isAlive()).isTrue();
            } finally {
                over.set(true);
            }
        }
    }

    @Test
    void shouldKeepItsPromiseToASubscriberThatMovesToTheNextEdge() {
        final int count = 2000;
        try (ServerProcess old = edge("1", "60", "1")) {
            final WireClient before = programs.at(port);
            before.call("SUBSCRIBE", "c");
            try (ServerProcess next = edge("2", "60", "1")) {
                old.askToEnd();
                old.awaitStderr("draining: ");
                final WireClient publisher = programs.atHost();
                final CompletableFuture<Void> publishing = CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < count; i++) {
                        publisher.call("PUBLISH", "c", "m" + i);
                    }
                });
                final String first = before.reply();
                assertThat(first).endsWith("¶m0¶");
                final WireClient after = programs.at(port);
                after.call("SUBSCRIBE", "c");
                final int from = number(after.reply());
                // The old connection has had what was published until the new one holds.
                for (int i = 1; i < from; i++) {
                    assertThat(before.reply()).endsWith("¶m" + i + "¶");
                }
                before.close();
                for (int i = from + 1; i < count; i++) {
                    assertThat(after.reply()).endsWith("¶m" + i + "¶");
                }
                publishing.join();
                assertThat(old.exitCode()).isZero();
                assertThat(next.isAlive()).isTrue();
            }
        }
    }

    @Test
    void shouldEndWhenTheTimeIsOverAndFlushWhatIsQueued() {
        try (ServerProcess old = edge("1", "1", "1")) {
            final WireClient staying = programs.at(port);
            staying.call("SUBSCRIBE", "c");
            old.askToEnd();
            old.awaitStderr("draining: 1 clients");
            assertThat(programs.atHost().call("PUBLISH", "c", "last")).isEqualTo(":1¶");

            assertThat(old.exitCode()).isZero();
            assertThat(staying.rest()).endsWith("¶last¶");
        }
    }

    @Test
    void shouldRefuseASecondEdgeOnTheSameAddressUnlessBothDrain() {
        try (ServerProcess old = edge("1", "0", "1")) {
            final ServerProcess other = EdgeAndHost.startEdge(port, programs.hostPort(), "--drain-seconds", "9");
            assertThat(other.exitCode()).isEqualTo(1);
            assertThat(other.stderr()).anyMatch(line -> line.contains("EADDRINUSE"));
            assertThat(old.isAlive()).isTrue();
        }
    }

    private ServerProcess edge(final String id, final String drainSeconds, final String loops) {
        return EdgeAndHost.startEdge(
                        port, programs.hostPort(), "--edge-id", id, "--drain-seconds", drainSeconds, "--loops", loops)
                .awaitStderr("ready");
    }

    private void connectUntil(final AtomicBoolean over) {
        while (!over.get() && failures.isEmpty()) {
            try (WireClient client = WireClient.connect(port)) {
                final String reply = client.call("PING");
                if (!"+PONG¶".equals(reply)) {
                    failures.add(reply);
                }
                served.incrementAndGet();
            } catch (final RuntimeException | AssertionError failure) {
                failures.add("after " + served.get() + ": " + failure);
            }
        }
    }

    private void awaitMore() {
        final int wanted = served.get() + SOME;
        Awaitility.await().until(() -> served.get() >= wanted || !failures.isEmpty());
    }

    private static int number(final String message) {
        return Integer.parseInt(message.substring(message.lastIndexOf("¶m") + 2, message.length() - 1));
    }
}
