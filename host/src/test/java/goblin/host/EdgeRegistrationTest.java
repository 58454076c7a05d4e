// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.pubsub.Kind;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EdgeRegistrationTest {
    private static final long SECOND = EdgeHarness.SECOND;

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
    void shouldAcceptAnAggregateAndThenAPublisherLinkOfOneInstance() throws IOException {
        final RawEdge aggregate = host.aggregate(7, 70);
        final RawEdge publisher = host.publisher(7, 70);

        assertThat(aggregate.lines).containsExactly("registered 7 70 " + EdgeHarness.RELEASE);
        assertThat(publisher.lines).containsExactly("registered 7 70 " + EdgeHarness.RELEASE);
        assertThat(info()).contains("edges:1", "edge0:id=7,");
    }

    @Test
    void shouldRefuseAnotherReleaseAndNameBoth() throws IOException {
        final RawEdge edge = host.connect();
        edge.registerAggregate(7, 70, "1.2.2+other");
        host.until(edge::ended);

        assertThat(edge.lines)
                .containsExactly(
                        "error RELEASE_MISMATCH the host is release 1.2.3+test, the edge is release 1.2.2+other");
        assertThat(info()).contains("edges:0");
        assertThat(host.log).singleElement().asString().contains("1.2.3+test", "1.2.2+other");
    }

    @Test
    void shouldRefuseEdgeIdZero() throws IOException {
        final RawEdge edge = host.connect();
        edge.registerAggregate(0, 70, EdgeHarness.RELEASE);
        host.until(edge::ended);

        assertThat(edge.lines).containsExactly("error MALFORMED edge id 0 is not legal");
    }

    @Test
    void shouldRefuseAPublisherLinkWithoutALiveAggregateLinkOfItsInstance() throws IOException {
        host.aggregate(7, 70);
        for (final long[] idAndInstance : new long[][] {{8, 70}, {7, 71}}) {
            final RawEdge edge = host.connect();
            edge.registerPublisher(idAndInstance[0], idAndInstance[1], EdgeHarness.RELEASE);
            host.until(edge::ended);

            assertThat(edge.lines).singleElement().asString().startsWith("error NO_AGGREGATE ");
        }
        assertThat(info()).contains("edges:1");
    }

    @Test
    void shouldRefuseASecondPublisherLinkAndKeepTheFirst() throws IOException {
        host.aggregate(7, 70);
        final RawEdge first = host.publisher(7, 70);
        final RawEdge second = host.connect();
        second.registerPublisher(7, 70, EdgeHarness.RELEASE);
        host.until(second::ended);

        assertThat(second.lines).singleElement().asString().startsWith("error EDGE_ID_IN_USE ");
        first.publish(1, Kind.CHANNEL, "c", "m");
        host.until(() -> first.has("published 1 0"));
    }

    @Test
    void shouldPingTheHolderOfAnIdAndRefuseTheNewcomerWhenItAnswers() throws IOException {
        final RawEdge holder = host.aggregate(7, 70);
        final RawEdge newcomer = host.connect();
        newcomer.registerAggregate(7, 71, EdgeHarness.RELEASE);
        host.until(() -> holder.has("heartbeat"));
        assertThat(newcomer.lines).isEmpty();
        host.advance(SECOND / 2);

        holder.heartbeat();
        host.until(newcomer::ended);

        assertThat(newcomer.lines).singleElement().asString().startsWith("error EDGE_ID_IN_USE ");
        host.advance(2 * SECOND);
        assertThat(holder.ended()).isFalse();
        assertThat(info()).contains("edges:1");
    }

    @Test
    void shouldReplaceTheHolderThatDoesNotAnswerWithinASecondAndDropItsWeights() throws IOException {
        final RawEdge holder = host.aggregate(7, 70);
        final RawEdge holdersPublisher = host.publisher(7, 70);
        holder.setInterest(1, Kind.CHANNEL, "c", 5);
        host.until(() -> holder.has("acknowledged 1"));
        final RawEdge newcomer = host.connect();
        newcomer.registerAggregate(7, 71, EdgeHarness.RELEASE);
        // What it sends before it is accepted is kept for then.
        newcomer.setInterest(1, Kind.CHANNEL, "c", 2);
        host.until(() -> holder.has("heartbeat"));

        host.advance(9 * SECOND / 10);
        assertThat(newcomer.lines).isEmpty();
        assertThat(host.publish("c", "m", null)).isEqualTo(5);
        host.advance(2 * SECOND / 10);
        host.until(() -> newcomer.has("acknowledged 1"));

        assertThat(newcomer.lines).first().isEqualTo("registered 7 71 " + EdgeHarness.RELEASE);
        host.until(() -> holder.ended() && holdersPublisher.ended());
        assertThat(host.publish("c", "m", null)).isEqualTo(2);
        assertThat(info()).contains("edges:1");
    }

    @Test
    void shouldRefuseAThirdWhileTwoAreBeingDecidedUpon() throws IOException {
        final RawEdge holder = host.aggregate(7, 70);
        final RawEdge second = host.connect();
        second.registerAggregate(7, 71, EdgeHarness.RELEASE);
        host.until(() -> holder.has("heartbeat"));
        final RawEdge third = host.connect();
        third.registerAggregate(7, 72, EdgeHarness.RELEASE);
        host.until(third::ended);

        assertThat(third.lines).singleElement().asString().startsWith("error EDGE_ID_IN_USE ");
        host.advance(2 * SECOND);
        host.until(() -> second.has("registered 7 71 " + EdgeHarness.RELEASE));
    }

    @Test
    void shouldAcceptTheNewcomerAtOnceWhenTheHolderEnds() throws IOException {
        final RawEdge holder = host.aggregate(7, 70);
        final RawEdge newcomer = host.connect();
        newcomer.registerAggregate(7, 71, EdgeHarness.RELEASE);
        host.until(() -> holder.has("heartbeat"));

        holder.close();

        host.until(() -> newcomer.has("registered 7 71 " + EdgeHarness.RELEASE));
    }

    @Test
    void shouldKeepTheHolderWhenTheNewcomerLeaves() throws IOException {
        final RawEdge holder = host.aggregate(7, 70);
        final RawEdge newcomer = host.connect();
        newcomer.registerAggregate(7, 71, EdgeHarness.RELEASE);
        host.until(() -> holder.has("heartbeat"));
        newcomer.close();
        host.until(() -> !host.log.isEmpty() && host.log.getLast().contains("was closed by the edge"));

        host.advance(3 * SECOND);

        assertThat(holder.ended()).isFalse();
        assertThat(info()).contains("edges:1");
    }

    @Test
    void shouldCloseBothLinksAndDropTheWeightsAtOnceWhenEitherEnds() throws IOException {
        for (final boolean aggregateEnds : new boolean[] {true, false}) {
            final RawEdge aggregate = host.aggregate(7, 70);
            final RawEdge publisher = host.publisher(7, 70);
            aggregate.setInterest(1, Kind.CHANNEL, "c", 3);
            host.until(() -> aggregate.has("acknowledged 1"));
            final RawEdge leaving = aggregateEnds ? aggregate : publisher;
            final RawEdge staying = aggregateEnds ? publisher : aggregate;

            leaving.close();
            host.until(staying::ended);

            assertThat(staying.lines)
                    .last()
                    .isEqualTo("error NO_AGGREGATE the " + (aggregateEnds ? "aggregate" : "publisher")
                            + " link of this edge was closed by the edge");
            assertThat(host.publish("c", "m", null)).isZero();
            assertThat(info()).contains("edges:0");
        }
    }

    @Test
    void shouldRefuseAnyOtherMessageBeforeRegistration() throws IOException {
        final RawEdge edge = host.connect();
        edge.fence(1);
        host.until(edge::ended);

        assertThat(edge.lines).containsExactly("error MALFORMED message fence is not expected before registration");
    }

    @Test
    void shouldEndTheEdgeThatSendsAMessageOnTheWrongLink() throws IOException {
        final RawEdge aggregate = host.aggregate(7, 70);
        final RawEdge publisher = host.publisher(7, 70);
        publisher.setInterest(1, Kind.CHANNEL, "c", 1);
        host.until(() -> publisher.ended() && aggregate.ended());

        assertThat(publisher.lines).last().asString().startsWith("error MALFORMED message setInterest");
        assertThat(info()).contains("edges:0");
    }

    @Test
    void shouldEndTheLinkThatRegistersTwice() throws IOException {
        final RawEdge aggregate = host.aggregate(7, 70);
        aggregate.registerAggregate(7, 70, EdgeHarness.RELEASE);
        host.until(aggregate::ended);

        assertThat(aggregate.lines).last().asString().startsWith("error MALFORMED message registerEdge");
    }

    @Test
    void shouldEndTheLinkThatSendsGarbageAndSayWhy() throws IOException {
        final RawEdge aggregate = host.aggregate(7, 70);
        aggregate.raw(new byte[] {8, 0, 0, 0, 0, 0, 99, 0, (byte) 0xEB, 0x18, 1, 0});
        host.until(aggregate::ended);

        assertThat(aggregate.lines).last().asString().isEqualTo("error MALFORMED message type 99 is unknown");
        assertThat(host.log).last().asString().contains("edge 7", "message type 99 is unknown");
    }

    @Test
    void shouldGiveUpALinkThatNeverRegisters() throws IOException {
        final RawEdge silent = host.connect();
        host.settle();
        host.advance(29 * SECOND);
        assertThat(silent.ended()).isFalse();
        host.advance(2 * SECOND);

        host.until(silent::ended);
    }

    @Test
    void shouldSayGoodbyeAtItsEnd() throws IOException {
        final RawEdge aggregate = host.aggregate(7, 70);
        host.peers.close();
        host.until(aggregate::ended);

        assertThat(aggregate.lines).last().asString().startsWith("error SHUTTING_DOWN");
    }

    @Test
    void shouldTellWhoMayNotConnectHere() throws IOException {
        host.forbid();
        final RawEdge edge = host.connect();
        edge.registerAggregate(7, 70, EdgeHarness.RELEASE);
        host.until(edge::ended);

        assertThat(edge.lines).containsExactly("error NOT_ALLOWED not here");
    }

    private String info() {
        final StringBuilder text = new StringBuilder();
        host.peers.appendInfo(text);
        return text.toString();
    }

    @Test
    void shouldNotReplaceAHolderForTimeInWhichTheHostStoodStill() throws IOException {
        final RawEdge holder = host.aggregate(7, 70);
        final RawEdge newcomer = host.connect();
        newcomer.registerAggregate(7, 71, EdgeHarness.RELEASE);
        host.until(() -> holder.has("heartbeat"));

        host.standStill(3 * SECOND);
        host.until(() -> holder.count("heartbeat") == 2);
        assertThat(newcomer.lines).isEmpty();
        host.advance(SECOND / 2);
        holder.heartbeat();
        host.until(newcomer::ended);

        assertThat(newcomer.lines).singleElement().asString().startsWith("error EDGE_ID_IN_USE ");
        assertThat(holder.ended()).isFalse();
    }
}
