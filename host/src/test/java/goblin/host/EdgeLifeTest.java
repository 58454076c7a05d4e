// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.host.command.Publisher;
import goblin.pubsub.Kind;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heartbeats, silence, and an edge that does not read. */
final class EdgeLifeTest {
    private static final long SECOND = EdgeHarness.SECOND;
    private static final int BUFFER = 1 << 20;
    private static final String KILOBYTE = "x".repeat(1_000);

    @TempDir
    private Path directory;

    private EdgeHarness host;

    @BeforeEach
    void openHost() {
        host = new EdgeHarness(directory, BUFFER);
    }

    @AfterEach
    void closeHost() throws IOException {
        host.close();
    }

    @Test
    void shouldSendAHeartbeatEachSecondOnBothLinks() throws IOException {
        final RawEdge aggregate = host.aggregate(7, 70);
        final RawEdge publisher = host.publisher(7, 70);
        host.advance(10 * SECOND);
        host.settle();

        assertThat(aggregate.count("heartbeat")).isBetween(8L, 11L);
        assertThat(publisher.count("heartbeat")).isBetween(8L, 11L);
    }

    @Test
    void shouldEndAnEdgeThatWasSilentForTheTimeout() throws IOException {
        final RawEdge aggregate = host.aggregate(7, 70);
        final RawEdge publisher = host.publisher(7, 70);
        host.advance(29 * SECOND);
        assertThat(aggregate.ended()).isFalse();
        publisher.heartbeat();
        host.settle();
        host.advance(2 * SECOND);

        host.until(() -> aggregate.ended() && publisher.ended());
        assertThat(host.log).last().asString().contains("edge 7", "silent");
    }

    @Test
    void shouldKeepAnEdgeThatSendsHeartbeats() throws IOException {
        final RawEdge aggregate = host.aggregate(7, 70);
        final RawEdge publisher = host.publisher(7, 70);
        for (int i = 0; i < 10; i++) {
            host.advance(10 * SECOND);
            aggregate.heartbeat();
            publisher.heartbeat();
            host.settle();
        }

        assertThat(aggregate.ended()).isFalse();
        assertThat(publisher.ended()).isFalse();
    }

    @Test
    void shouldSendHeartbeatsWhileAScriptKeepsTheLoopFromTurning() throws IOException {
        final RawEdge aggregate = host.aggregate(7, 70);
        for (int second = 1; second <= 5; second++) {
            host.peers.duringScript(host.nowNs() + second * SECOND);
            host.peers.flush();
        }
        host.settle();

        assertThat(aggregate.count("heartbeat")).isEqualTo(5);
    }

    @Test
    void shouldHoldOnlyWhoPublishesToTheEdgeThatDoesNotReadAndLetGoAtAQuarter() throws IOException {
        final RawEdge slow = slowEdge();
        final RawEdge busy = edgePublisher(2);
        final RawEdge other = edgePublisher(3);
        final Counted client = new Counted();

        for (int i = 1; i <= 3_000; i++) {
            busy.publish(i, Kind.CHANNEL, "c", KILOBYTE);
        }
        host.until(() -> used() >= BUFFER / 2);
        host.settle();

        assertThat(used()).isBetween(BUFFER / 2L, BUFFER / 2L + 2_000);
        final long answered = busy.count("published");
        assertThat(answered).isLessThan(3_000);
        assertThat(host.publish("c", "m", client)).isOne();
        assertThat(client.holds).isOne();
        assertThat(host.publish("elsewhere", "m", client)).isZero();
        other.publish(1, Kind.CHANNEL, "elsewhere", "m");
        host.until(() -> other.has("published 1 0"));
        assertThat(busy.count("published")).isEqualTo(answered);

        slow.reading(true);
        host.until(() -> client.holds == 0);
        assertThat(used()).isLessThanOrEqualTo(BUFFER / 4);
        host.until(() -> busy.count("published") == 3_000 && slow.count("delivery CHANNEL c 1000 bytes") == 3_000);
        assertThat(slow.ended()).isFalse();
    }

    @Test
    void shouldHoldAPublisherOnceHoweverOftenItPublishes() throws IOException {
        slowEdge();
        final Counted client = new Counted();
        for (int i = 0; i < 3_000; i++) {
            host.publish("c", KILOBYTE, client);
        }

        assertThat(client.most).isOne();
    }

    @Test
    void shouldEndTheEdgeThatTakesNothingForFiveSecondsAndLetItsPublishersGo() throws IOException {
        final RawEdge slow = slowEdge();
        final RawEdge busy = edgePublisher(2);
        final Counted client = new Counted();
        for (int i = 1; i <= 3_000; i++) {
            busy.publish(i, Kind.CHANNEL, "c", KILOBYTE);
        }
        host.until(() -> used() >= BUFFER / 2);
        host.publish("c", "m", client);
        host.advance(4_800_000_000L);
        assertThat(client.holds).isOne();

        host.advance(400_000_000L);

        assertThat(client.holds).isZero();
        assertThat(host.log).last().asString().contains("edge 1 ", "took none of the");
        host.until(() -> busy.count("published") == 3_000);
        assertThat(busy.lines).last().isEqualTo("published 3000 0");
        slow.reading(true);
        host.until(slow::ended);
        // What was delivered is a prefix: no gap, then the end.
        assertThat(slow.count("delivery")).isPositive();
    }

    @Test
    void shouldNeverCutAnEdgeThatReadsSlowly() throws IOException {
        final RawEdge slow = slowEdge();
        final RawEdge busysAggregate = host.aggregate(2, 20);
        final RawEdge busy = host.publisher(2, 20);
        for (int i = 1; i <= 5_000; i++) {
            busy.publish(i, Kind.CHANNEL, "c", KILOBYTE);
        }
        host.until(() -> used() >= BUFFER / 2);
        for (int i = 0; i < 20; i++) {
            slow.heartbeat();
            busysAggregate.heartbeat();
            slow.reading(true);
            for (int j = 0; j < 8; j++) {
                slow.poll();
            }
            slow.reading(false);
            host.advance(4 * SECOND);
        }
        assertThat(slow.ended()).isFalse();

        slow.reading(true);
        host.until(() -> busy.count("published") == 5_000 && slow.count("delivery") == 5_000);
    }

    @Test
    void shouldReadAHeldPublisherLinkToItsEnd() throws IOException {
        final RawEdge slow = slowEdge();
        final RawEdge busy = edgePublisher(2);
        for (int i = 1; i <= 800; i++) {
            busy.publish(i, Kind.CHANNEL, "c", KILOBYTE);
        }
        host.until(() -> used() >= BUFFER / 2);
        host.until(() -> busy.unsent() == 0);
        busy.close();
        host.settle();

        slow.reading(true);
        host.until(() -> slow.count("delivery") == 800);
    }

    @Test
    void shouldCutAnEdgeForWhichMoreIsQueuedThanAnyPublisherThatWaitsCouldQueue() throws IOException {
        final RawEdge slow = slowEdge();
        for (int i = 0; i < 12_000; i++) {
            host.publish("c", KILOBYTE, null);
        }
        assertThat(used()).isLessThan(9L * BUFFER);
        host.settle();

        assertThat(host.log).last().asString().contains("edge 1 ", "bytes were queued");
        slow.reading(true);
        host.until(slow::ended);
    }

    private RawEdge slowEdge() throws IOException {
        final RawEdge edge = host.aggregate(1, 10);
        edge.setInterest(1, Kind.CHANNEL, "c", 1);
        host.until(() -> edge.has("acknowledged 1"));
        edge.reading(false);
        return edge;
    }

    private RawEdge edgePublisher(final long id) throws IOException {
        host.aggregate(id, id * 10);
        return host.publisher(id, id * 10);
    }

    private long used() {
        final StringBuilder info = new StringBuilder();
        host.peers.appendInfo(info);
        final String text = info.toString();
        final int at = text.indexOf("buffer_used=", text.indexOf("id=1,")) + "buffer_used=".length();
        return text.contains("id=1,") ? Long.parseLong(text.substring(at, text.indexOf(',', at))) : 0;
    }

    private static final class Counted implements Publisher {
        private int holds;
        private int most;

        @Override
        public void hold() {
            holds++;
            most = Math.max(most, holds);
        }

        @Override
        public void release() {
            holds--;
        }
    }
}
