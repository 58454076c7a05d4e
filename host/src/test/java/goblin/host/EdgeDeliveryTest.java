// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.pubsub.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EdgeDeliveryTest {
    @TempDir
    private Path directory;

    private EdgeHarness host;

    @BeforeEach
    void openHost() {
        host = new EdgeHarness(directory, 64 << 20);
    }

    @AfterEach
    void closeHost() throws IOException {
        host.close();
    }

    @Test
    void shouldDeliverOnlyBetweenTheAcknowledgementsOfAnInterestAndOfItsEnd() throws IOException {
        final RawEdge edge = host.aggregate(7, 70);
        assertThat(host.publish("c", "early", null)).isZero();
        edge.setInterest(1, Kind.CHANNEL, "c", 2);
        host.until(() -> edge.has("acknowledged 1"));
        assertThat(host.publish("c", "m1", null)).isEqualTo(2);
        edge.setInterest(2, Kind.CHANNEL, "c", 3);
        host.until(() -> edge.has("acknowledged 2"));
        assertThat(host.publish("c", "m2", null)).isEqualTo(3);
        edge.setInterest(3, Kind.CHANNEL, "c", 0);
        host.until(() -> edge.has("acknowledged 3"));
        assertThat(host.publish("c", "late", null)).isZero();
        host.settle();

        assertThat(edge.lines.subList(1, edge.lines.size()))
                .containsExactly(
                        "acknowledged 1",
                        "delivery CHANNEL c m1",
                        "acknowledged 2",
                        "delivery CHANNEL c m2",
                        "acknowledged 3");
    }

    @Test
    void shouldDeliverOnceForAnEdgeAndCountEveryMatchOfItsClients() throws IOException {
        final RawEdge edge = host.aggregate(7, 70);
        edge.setInterest(1, Kind.CHANNEL, "news", 4);
        edge.setInterest(2, Kind.PATTERN, "n*", 3);
        edge.setInterest(3, Kind.PATTERN, "*", 2);
        edge.setInterest(4, Kind.PATTERN, "x*", 100);
        edge.setInterest(5, Kind.SHARD, "news", 1_000);
        host.until(() -> edge.has("acknowledged 5"));
        host.subscribe(Kind.CHANNEL, "news", new ArrayList<>());

        assertThat(host.publish("news", "m", null)).isEqualTo(10);
        assertThat(host.publish(Kind.SHARD, "news", "s", null)).isEqualTo(1_000);
        host.until(() -> edge.count("delivery") == 2);
        host.settle();

        assertThat(edge.count("delivery CHANNEL news m")).isOne();
        assertThat(edge.count("delivery SHARD news s")).isOne();
    }

    @Test
    void shouldLeaveOutThePublishingEdgeAndCountEverybodyElse() throws IOException {
        final RawEdge publishing = host.aggregate(1, 10);
        final RawEdge publisher = host.publisher(1, 10);
        final RawEdge other = host.aggregate(2, 20);
        publishing.setInterest(1, Kind.CHANNEL, "c", 100);
        publishing.setInterest(2, Kind.PATTERN, "*", 1_000);
        other.setInterest(1, Kind.CHANNEL, "c", 5);
        other.setInterest(2, Kind.PATTERN, "?", 6);
        host.until(() -> publishing.has("acknowledged 2") && other.has("acknowledged 2"));
        final List<String> seen = new ArrayList<>();
        host.subscribe(Kind.CHANNEL, "c", seen);
        host.subscribe(Kind.PATTERN, "c*", seen);

        publisher.publish(41, Kind.CHANNEL, "c", "m");
        host.until(() -> publisher.count("published") == 1);
        host.settle();

        assertThat(publisher.lines).last().isEqualTo("published 41 13");
        assertThat(other.count("delivery CHANNEL c m")).isOne();
        assertThat(publishing.count("delivery")).isZero();
        assertThat(seen).containsExactly("c", "c*");
    }

    @Test
    void shouldAnswerPublicationsInTheirOrder() throws IOException {
        host.aggregate(1, 10);
        final RawEdge publisher = host.publisher(1, 10);
        final RawEdge other = host.aggregate(2, 20);
        other.setInterest(1, Kind.CHANNEL, "c", 1);
        host.until(() -> other.has("acknowledged 1"));
        final List<String> published = new ArrayList<>();
        final List<String> delivered = new ArrayList<>();
        for (int i = 1; i <= 2_000; i++) {
            publisher.publish(i, Kind.CHANNEL, "c", "m" + i);
            published.add("published " + i + " 1");
            delivered.add("delivery CHANNEL c m" + i);
        }
        host.until(() -> publisher.count("published") == 2_000 && other.count("delivery") == 2_000);

        assertThat(publisher.lines.subList(1, publisher.lines.size())).isEqualTo(published);
        assertThat(other.lines.subList(2, other.lines.size())).isEqualTo(delivered);
    }

    @Test
    void shouldAnswerAFenceBehindEveryDeliveryAppendedBefore() throws IOException {
        final RawEdge edge = host.aggregate(7, 70);
        edge.setInterest(1, Kind.CHANNEL, "c", 1);
        host.until(() -> edge.has("acknowledged 1"));
        for (int i = 0; i < 100; i++) {
            host.publish("c", "m" + i, null);
        }
        edge.fence(9);
        host.until(() -> edge.has("fenced 9"));

        assertThat(edge.lines).last().isEqualTo("fenced 9");
        assertThat(edge.count("delivery")).isEqualTo(100);
    }

    @Test
    void shouldCarryAPublicationOfSeveralMegabytes() throws IOException {
        host.aggregate(1, 10);
        final RawEdge publisher = host.publisher(1, 10);
        final RawEdge other = host.aggregate(2, 20);
        other.setInterest(1, Kind.CHANNEL, "c", 1);
        host.until(() -> other.has("acknowledged 1"));

        publisher.publish(1, Kind.CHANNEL, "c", "x".repeat(5_000_000));
        host.until(() -> publisher.has("published 1 1") && other.has("delivery CHANNEL c 5000000 bytes"));
    }

    @Test
    void shouldRefuseAPublicationToAPattern() throws IOException {
        host.aggregate(1, 10);
        final RawEdge publisher = host.publisher(1, 10);
        publisher.publish(1, Kind.PATTERN, "c", "m");
        host.until(publisher::ended);

        assertThat(publisher.lines).last().asString().startsWith("error MALFORMED");
    }

    @Test
    void shouldShowWeightsAndTrafficInInfo() throws IOException {
        final RawEdge edge = host.aggregate(7, 70);
        final RawEdge publisher = host.publisher(7, 70);
        edge.setInterest(1, Kind.CHANNEL, "a", 4);
        edge.setInterest(2, Kind.PATTERN, "b", 3);
        edge.setInterest(3, Kind.CHANNEL, "a", 2);
        edge.setInterest(4, Kind.SHARD, "z", 9);
        edge.setInterest(5, Kind.SHARD, "z", 0);
        publisher.publish(1, Kind.CHANNEL, "a", "m");
        host.until(() -> edge.has("acknowledged 5") && publisher.has("published 1 0"));
        host.publish("a", "m", null);
        host.settle();
        final StringBuilder info = new StringBuilder();
        host.peers.appendInfo(info);

        assertThat(info.toString())
                .contains("names=2,", "weight=5,", "publications=1,", "deliveries=1", "buffer_used=0,")
                .endsWith("\r\n");
    }

    @Test
    void shouldNotReadPublicationsOfAnEdgeThatDoesNotReadItsAnswers() throws IOException {
        host.aggregate(7, 70);
        final RawEdge publisher = host.publisher(7, 70);
        publisher.reading(false);
        final int count = 200_000;
        for (int i = 1; i <= count; i++) {
            publisher.publish(i, Kind.CHANNEL, "c", "");
        }
        final long before = host.pubSub.publications();
        host.settle();
        host.until(() -> host.pubSub.publications() > before);
        long seen;
        do {
            seen = host.pubSub.publications();
            host.settle();
        } while (host.pubSub.publications() > seen);
        assertThat(seen).isLessThan(count);

        publisher.reading(true);
        host.until(() -> publisher.count("published ") == count);
    }
}
