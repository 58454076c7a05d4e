// SPDX-License-Identifier: Apache-2.0
package goblin.system;

import static goblin.system.rig.WireClient.command;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.system.rig.EdgeAndHost;
import goblin.system.rig.ServerProcess;
import goblin.system.rig.Waits;
import goblin.system.rig.WireClient;
import goblin.testkit.ProxiedLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The host stopped, killed or busy, and links that die: what the edge's clients see. */
final class HostTroubleTest {
    @Test
    void shouldServeOthersWhileTheHostIsStopped_W5() {
        try (EdgeAndHost programs = EdgeAndHost.start()) {
            final WireClient subscriber = programs.atEdge();
            subscriber.call("SUBSCRIBE", "c");
            final WireClient publisher = programs.atEdge();
            final WireClient reader = programs.atEdge();
            reader.call("SET", "k", "v");
            final WireClient newcomer = programs.atEdge();
            newcomer.call("PING");

            programs.host().stop();
            newcomer.send("SUBSCRIBE", "other");
            reader.send("GET", "k");
            publisher.send("PUBLISH", "c", "local");
            assertThat(subscriber.reply()).endsWith("¶local¶");
            for (int i = 0; i < 100; i++) {
                assertThat(programs.atEdge().call("PING")).isEqualTo("+PONG¶");
            }
            subscriber.expectSilence();
            assertThat(newcomer.hasInput()).isFalse();
            assertThat(reader.hasInput()).isFalse();

            programs.host().resume();
            assertThat(newcomer.reply()).isEqualTo("*3¶$9¶subscribe¶$5¶other¶:1¶");
            assertThat(reader.reply()).isEqualTo("$1¶v¶");
            assertThat(publisher.reply()).isEqualTo(":1¶");
        }
    }

    @Test
    void shouldLetAClientWithThousandsOfChannelsLeaveWhileTheHostIsStopped_W5() {
        try (EdgeAndHost programs = EdgeAndHost.start()) {
            final int channels = 5000;
            final WireClient leaving = programs.atEdge();
            final WireClient witness = programs.atEdge();
            final StringBuilder subscriptions = new StringBuilder();
            for (int i = 0; i < channels; i++) {
                subscriptions.append(command("SUBSCRIBE", "ch" + i));
            }
            leaving.raw(subscriptions.toString());
            assertThat(leaving.replies(channels).getLast()).endsWith(":" + channels + "¶");
            final WireClient host = programs.atHost();

            programs.host().stop();
            leaving.close();
            Awaitility.await().until(() -> witness.call("PUBSUB", "CHANNELS").equals("*0¶"));
            assertThat(witness.call("PING")).isEqualTo("+PONG¶");

            programs.host().resume();
            Awaitility.await().until(() -> host.call("PUBSUB", "CHANNELS").equals("*0¶"));
        }
    }

    @Test
    void shouldExitWithOneLineWhenTheHostIsKilled() {
        try (EdgeAndHost programs = EdgeAndHost.start()) {
            final WireClient subscriber = programs.atEdge();
            subscriber.call("SUBSCRIBE", "c");
            final int linesBefore = programs.edge().stderr().size();

            programs.host().kill();

            assertThat(programs.edge().exitCode()).isEqualTo(1);
            assertThat(programs.edge().stderr()).hasSize(linesBefore + 1);
            assertThat(subscriber.rest()).isEmpty();
        }
    }

    @Test
    void shouldSayThatAPublicationWhoseHostIsLostWasDeliveredHere_P34() {
        try (EdgeAndHost programs = EdgeAndHost.setup().proxied().start()) {
            final WireClient subscriber = programs.atEdge();
            subscriber.call("SUBSCRIBE", "c");
            final WireClient atHost = programs.atHost();
            atHost.call("SUBSCRIBE", "c");
            final WireClient publisher = programs.atEdge();
            final ProxiedLink link = programs.proxy().awaitLink(ProxiedLink.Kind.PUBLISHER);
            link.toClient().hold();

            publisher.send("PUBLISH", "c", "m");
            assertThat(subscriber.reply()).endsWith("¶m¶");
            assertThat(atHost.reply()).endsWith("¶m¶");
            link.reset();

            assertThat(publisher.rest()).matches("-ERR [^¶]*deliver[^¶]*¶");
            assertThat(programs.edge().exitCode()).isEqualTo(1);
            atHost.expectSilence();
            assertThat(subscriber.rest()).isEmpty();
        }
    }

    @Test
    void shouldAnswerEachCommandOfALostSessionAndSpareOthers() {
        try (EdgeAndHost programs = EdgeAndHost.setup().proxied().start()) {
            final WireClient unlucky = programs.atEdge();
            unlucky.call("GET", "k");
            final ProxiedLink session = programs.proxy().awaitLink(ProxiedLink.Kind.RESP);
            final WireClient other = programs.atEdge();
            other.call("GET", "k");
            session.toClient().hold();
            unlucky.raw(command("GET", "k") + command("INCR", "n") + command("GET", "k"));
            Waits.awaitHeld(session.toClient());

            session.reset();

            assertThat(unlucky.replies(3)).allMatch(reply -> reply.startsWith("-ERR "));
            assertThat(unlucky.rest()).isEmpty();
            assertThat(other.call("GET", "n")).isEqualTo("$1¶1¶");
            assertThat(programs.edge().isAlive()).isTrue();
        }
    }

    @Test
    void shouldLiveThroughAScriptLongerThanTheLinkTimeout() {
        try (EdgeAndHost programs = EdgeAndHost.setup()
                .host("--link-timeout", "2")
                .edge("--link-timeout", "2")
                .start()) {
            final WireClient subscriber = programs.atEdge();
            subscriber.call("SUBSCRIBE", "c");
            final WireClient caller = programs.atEdge();
            caller.send("EVAL", """
                    local start = redis.call('TIME')
                    repeat
                        local now = redis.call('TIME')
                    until (now[1] - start[1]) * 1000000 + now[2] - start[2] > 3000000
                    return 'done'
                    """, "0");
            final WireClient publisher = programs.atEdge();
            publisher.send("PUBLISH", "c", "during");
            assertThat(subscriber.reply()).endsWith("¶during¶");
            assertThat(programs.atEdge().call("PING")).isEqualTo("+PONG¶");

            assertThat(caller.reply()).isEqualTo("$4¶done¶");
            assertThat(publisher.reply()).isEqualTo(":1¶");
            assertThat(programs.edge().isAlive()).isTrue();
            assertThat(programs.atHost().call("PUBLISH", "c", "after")).isEqualTo(":1¶");
            assertThat(subscriber.reply()).endsWith("¶after¶");
        }
    }

    @Test
    void shouldNoticeAPeerThatFallsSilentOnBothSides_P58() {
        try (EdgeAndHost programs = EdgeAndHost.setup()
                .proxied()
                .host("--link-timeout", "2")
                .edge("--link-timeout", "2")
                .start()) {
            programs.atEdge().call("SUBSCRIBE", "c");
            final WireClient host = programs.atHost();
            Waits.awaitSubscribers(host, "c", 1);

            programs.proxy().awaitLink(ProxiedLink.Kind.AGGREGATE).hold();
            programs.proxy().awaitLink(ProxiedLink.Kind.PUBLISHER).hold();

            assertThat(programs.edge().exitCode()).isEqualTo(1);
            Waits.awaitSubscribers(host, "c", 0);
            assertThat(host.call("PUBLISH", "c", "m")).isEqualTo(":0¶");
        }
    }

    @Test
    void shouldWatchClientsByKeepalive_P58() {
        try (EdgeAndHost programs = EdgeAndHost.start();
                WireClient client = WireClient.connect(programs.edgePort())) {
            client.call("PING");
            final ServerProcess sockets =
                    ServerProcess.run("ss", "-Htno", "state", "established", "sport", "=", ":" + programs.edgePort());
            assertThat(sockets.stdout()).singleElement().asString().contains("timer:(keepalive,");
        }
    }

    @Test
    void shouldHoldBackPublishersAndNobodyElseWhenTheHostDoesNotAnswer() throws InterruptedException {
        try (EdgeAndHost programs = EdgeAndHost.setup()
                .proxied()
                .edge("--max-output-buffer-bytes", Integer.toString(64 << 20))
                .start()) {
            final ProxiedLink link = programs.proxy().awaitLink(ProxiedLink.Kind.PUBLISHER);
            final WireClient subscriber = programs.atEdge();
            subscriber.call("SUBSCRIBE", "c");
            final BlockingQueue<String> received = new LinkedBlockingQueue<>();
            final Thread reading = Thread.ofVirtual().start(() -> {
                String frame;
                do {
                    frame = subscriber.reply();
                    received.add(frame.substring(frame.length() - 10));
                } while (!frame.endsWith("¶end¶"));
            });
            link.toServer().hold();
            // More than may be unanswered: 16 MiB.
            final int size = 100_000;
            final int count = 300;
            final String payload = "p".repeat(size);
            final List<WireClient> publishers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                final WireClient publisher = programs.atEdge();
                publishers.add(publisher);
                Thread.ofVirtual().start(() -> {
                    for (int n = 0; n < count / 4; n++) {
                        publisher.send("PUBLISH", "c", payload);
                    }
                });
            }
            final WireClient asker = programs.atEdge();
            // Of several loops each has its share, and the kernel chooses who is on which.
            final long share = (15L << 20) / Integer.getInteger("goblin.loops", 1);
            Awaitility.await().until(() -> Waits.info(asker, "edge_publishes_unanswered") * size >= share);
            Waits.settle(programs.edgePort());
            assertThat(Waits.info(asker, "edge_publishes_unanswered") * size).isLessThan(17L << 20);
            assertThat(asker.call("SET", "k", "v")).isEqualTo("+OK¶");
            assertThat(programs.atHost().call("PUBLISH", "c", "from-host")).isEqualTo(":1¶");

            link.release();
            for (final WireClient publisher : publishers) {
                assertThat(publisher.replies(count / 4)).containsOnly(":1¶");
            }
            assertThat(programs.atEdge().call("PUBLISH", "c", "end")).isEqualTo(":1¶");
            reading.join();
            assertThat(received)
                    .hasSize(count + 2)
                    .filteredOn(end -> end.endsWith("host¶"))
                    .hasSize(1);
        }
    }
}
