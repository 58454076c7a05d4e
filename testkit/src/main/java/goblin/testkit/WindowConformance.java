// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Connection;
import goblin.net.FaultReporter;
import goblin.net.ReceiveSegment;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Receives that fill several segments: segments of any size, windows of any number of them, arenas of few, and what happens
 * when a handler pauses, closes or throws between two segments of one receive.
 */
public abstract class WindowConformance extends TransportConformance {
    private static final int PAGE = 4096;
    private static final int HEADER = 24;

    private final RecordingHandler client = new RecordingHandler();

    /** For backends. */
    protected WindowConformance() {}

    /**
     * Makes a transport.
     *
     * @param receiveBytes how much receive memory it may lend
     * @param segmentBytes bytes of a segment
     * @param windowBytes  how much one receive may bring, where the backend can choose
     * @param reporter     told what handlers throw
     * @return the transport
     */
    protected abstract Transport newTransport(
            long receiveBytes, int segmentBytes, int windowBytes, FaultReporter reporter);

    /**
     * Whether {@link Connection#expect} is followed.
     *
     * @return false where it is ignored
     */
    protected boolean placesPayload() {
        return true;
    }

    @Override
    protected final Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
        return newTransport(
                receiveBytes, SegmentArena.DEFAULT_SEGMENT_BYTES, 4 * SegmentArena.DEFAULT_SEGMENT_BYTES, reporter);
    }

    private void use(final long receiveBytes, final int segmentBytes, final int pieces) {
        pair = newPair(reporter -> newTransport(receiveBytes, segmentBytes, pieces * segmentBytes, reporter));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "1, 2",
        "1, 700",
        "7, 3",
        "64, 64",
        "1448, 1",
        "1448, 2",
        "1448, 90",
        "1448, 1023",
        "4096, 1",
        "4096, 8",
        "8192, 64",
        "16384, 2",
        "20000, 7",
        "65536, 1",
        "65536, 2",
        "65536, 8",
        "1048576, 1",
        "1048576, 4"
    })
    void shouldCarryAStreamThroughSegmentsOfAnySize(final int segmentBytes, final int pieces) {
        use(8 << 20, segmentBytes, pieces);
        final long bytes = Math.min(largeTransferBytes() / 4, 3000L * segmentBytes + 1);
        final RecordingHandler server = new RecordingHandler(ruler);
        server.receiving = (connection, segment) ->
                assertThat(segment.length()).isPositive().isLessThanOrEqualTo(segmentBytes);
        sending(server, bytes);
        pair.until("the end", () -> server.saw("end"));
        assertThat(server.receivedBytes).isEqualTo(bytes);
        assertThat(server.events).containsExactly("end");
        assertThat(pair.server.lentBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 50", "1448, 90", "4096, 3", "65536, 3"})
    void shouldLeaveEachRetainedSegmentAsItWas(final int segmentBytes, final int pieces) {
        use(8 << 20, segmentBytes, pieces);
        final List<ReceiveSegment> held = new ArrayList<>();
        final RecordingHandler server = new RecordingHandler(ruler);
        server.receiving = (connection, segment) -> {
            segment.retain();
            held.add(segment);
        };
        final long bytes = Math.min(1 << 20, 500L * segmentBytes);
        sending(server, bytes);
        pair.until("the end", () -> server.saw("end"));
        long at = 0;
        for (final ReceiveSegment segment : held) {
            assertThat(ruler.matches(at, segment.address(), segment.length())).isTrue();
            at += segment.length();
            segment.release();
        }
        assertThat(at).isEqualTo(bytes);
        pair.turn();
        assertThat(pair.server.lentBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 50", "64, 100", "1448, 90", "4096, 3", "65536, 3"})
    void shouldKeepTheRestWhenPausedBetweenSegments(final int segmentBytes, final int pieces) {
        use(8 << 20, segmentBytes, pieces);
        final RecordingHandler server = new RecordingHandler(ruler);
        server.receiving = (connection, segment) -> connection.pauseReceive();
        final long bytes = Math.min(1 << 20, 40L * segmentBytes + 5);
        sending(server, bytes);
        pair.until("a segment", () -> server.segments == 1);
        pair.untilQuiet(100);
        final Connection atServer = pair.accepted.getLast();
        while (server.receivedBytes < bytes) {
            final long before = server.segments;
            atServer.resumeReceive();
            assertThat(server.segments).isEqualTo(before);
            pair.until("the next segment", () -> server.segments > before);
            assertThat(server.segments).isEqualTo(before + 1);
            assertThat(server.saw("end")).isFalse();
        }
        atServer.resumeReceive();
        pair.until("the end", () -> server.saw("end"));
        assertThat(pair.server.lentBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1448, 4096, 16384})
    void shouldTellOfTheEndWhilePausedAndDeliverItAfterWhatWasKept(final int segmentBytes) {
        use(8 << 20, segmentBytes, 8);
        final RecordingHandler server = new RecordingHandler(ruler);
        server.receiving = (connection, segment) -> {
            if (server.segments == 2) {
                connection.pauseReceive();
            }
        };
        // So little that all of it fits into the sockets while nobody reads.
        final long bytes = 6L * segmentBytes;
        sending(server, bytes);
        pair.until("the news", () -> server.saw("paused end"));
        assertThat(server.segments).isEqualTo(2);
        pair.accepted.getLast().resumeReceive();
        pair.until("the end", () -> server.saw("end"));
        assertThat(server.receivedBytes).isEqualTo(bytes);
        assertThat(server.events).containsExactly("paused end", "end");
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 1448, 65536})
    void shouldGoOnInTheNextTurnWhenResumedInsideTheCallback(final int segmentBytes) {
        use(8 << 20, segmentBytes, 16);
        final RecordingHandler server = new RecordingHandler(ruler);
        final long[] turns = new long[1];
        final List<Long> deliveredIn = new ArrayList<>();
        server.receiving = (connection, segment) -> {
            deliveredIn.add(turns[0]);
            connection.pauseReceive();
            connection.resumeReceive();
        };
        sending(server, 10L * segmentBytes);
        pair.until("the end", () -> {
            turns[0]++;
            return server.saw("end");
        });
        assertThat(server.receivedBytes).isEqualTo(10L * segmentBytes);
        assertThat(deliveredIn).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"1, 20", "1448, 90", "4096, 16", "65536, 4"})
    void shouldGiveEverythingBackWhenClosedBetweenSegments(final int segmentBytes, final int pieces) {
        use(64L * pieces * segmentBytes, segmentBytes, pieces);
        for (int how = 0; how < 4; how++) {
            endBetweenSegments(how, 8L * segmentBytes);
        }
    }

    private void endBetweenSegments(final int how, final long bytes) {
        final RecordingHandler ending = new RecordingHandler(ruler);
        ending.receiving = (connection, segment) -> {
            if (ending.segments == 3) {
                end(how, connection);
            }
        };
        final RecordingHandler other = new RecordingHandler(ruler);
        final RecordingHandler atClient = new RecordingHandler();
        send(atClient, connect(atClient, ending), bytes);
        sending(other, bytes);
        pair.until("the other's end", () -> other.saw("end"));
        pair.until("three segments", () -> ending.segments == 3);
        pair.until("the end", () -> atClient.saw("end") || atClient.sawClosed() || ending.sawClosed());
        pair.untilQuiet(50);
        assertThat(ending.segments).isEqualTo(3);
        assertThat(other.receivedBytes).isEqualTo(bytes);
        assertThat(other.events).containsExactly("end");
        assertThat(pair.server.lentBytes()).isZero();
    }

    private void end(final int how, final Connection connection) {
        switch (how) {
            case 0 -> connection.close();
            case 1 -> connection.finish(1_000_000_000L);
            case 2 -> {
                connection.pauseReceive();
                connection.close();
            }
            default -> {
                expectFaults();
                throw new IllegalStateException("a broken handler");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"4096", "65536"})
    void shouldGiveBackWhatWasKeptWhenClosedWhilePaused(final int segmentBytes) {
        use(8 << 20, segmentBytes, 8);
        final RecordingHandler server = new RecordingHandler(ruler);
        server.receiving = (connection, segment) -> connection.pauseReceive();
        sending(server, 8L * segmentBytes);
        pair.until("a segment", () -> server.segments == 1);
        pair.untilQuiet(50);
        pair.accepted.getLast().close();
        pair.turn();
        assertThat(server.segments).isEqualTo(1);
        assertThat(pair.server.lentBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1448, 1", "1448, 2", "1448, 3", "65536, 1", "65536, 2", "65536, 3", "4096, 1"})
    void shouldServeSeveralConnectionsFromAnArenaOfFewSegments(final int segmentBytes, final int segments) {
        use((long) segments * segmentBytes, segmentBytes, 4);
        final int connections = 5;
        final long bytes = 50L * segmentBytes;
        final List<RecordingHandler> servers = new ArrayList<>();
        final List<ReceiveSegment> held = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            final RecordingHandler server = new RecordingHandler(ruler);
            if (i % 2 == 0) {
                server.receiving = (connection, segment) -> {
                    segment.retain();
                    held.add(segment);
                };
            }
            servers.add(server);
            sending(server, bytes);
        }
        pair.untilQuiet(200);
        assertThat(held).isNotEmpty();
        pair.until("everything", () -> {
            held.forEach(ReceiveSegment::release);
            held.clear();
            return servers.stream().allMatch(server -> server.saw("end"));
        });
        assertThat(servers).allSatisfy(server -> {
            assertThat(server.receivedBytes).isEqualTo(bytes);
            assertThat(server.events).containsExactly("end");
        });
        pair.turn();
        assertThat(pair.server.lentBytes()).isZero();
    }

    // ---- expect

    @ParameterizedTest
    @CsvSource({"4096, 1", "4096, 40", "8192, 8", "65536, 1", "65536, 8", "1048576, 1"})
    void shouldPlaceAnExpectedPayloadByteForByteWithinItsPages(final int segmentBytes, final int pieces) {
        if (!placesPayload()) {
            return;
        }
        use(16 << 20, segmentBytes, pieces);
        final int payload = 3 * 65536 + 512;
        final RecordingHandler server = new RecordingHandler(ruler);
        final List<ReceiveSegment> held = new ArrayList<>();
        server.receiving = (connection, segment) -> {
            final long begin = (server.receivedBytes - segment.length()) % (HEADER + payload);
            if (begin >= HEADER) {
                assertThat(segment.address() & PAGE - 1).isEqualTo((begin - HEADER) % PAGE);
            } else {
                assertThat(segment.address() & PAGE - 1).isEqualTo(PAGE - HEADER + begin);
            }
            assertThat(begin + segment.length()).isLessThanOrEqualTo(HEADER + payload);
            segment.retain();
            held.add(segment);
            if (begin + segment.length() == HEADER + payload) {
                held.forEach(ReceiveSegment::release);
                held.clear();
                connection.expect(HEADER, payload);
            }
        };
        final Connection toServer = connect(client, server);
        pair.accepted.getLast().expect(HEADER, payload);
        final long bytes = 20L * (HEADER + payload);
        send(client, toServer, bytes);
        pair.until("the end", () -> server.saw("end"));
        assertThat(server.receivedBytes).isEqualTo(bytes);
        assertThat(server.events).containsExactly("end");
        assertThat(held).isEmpty();
        assertThat(pair.server.lentBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1448, 90, 1", "4096, 1, 2", "4096, 40, 3", "8192, 8, 4", "65536, 1, 5", "65536, 8, 6", "20000, 3, 7"})
    void shouldLoseNothingHoweverWrongTheGuess(final int segmentBytes, final int pieces, final long seed) {
        use(4 << 20, segmentBytes, pieces);
        final Random random = new Random(seed);
        final List<ReceiveSegment> held = new ArrayList<>();
        final RecordingHandler server = new RecordingHandler(ruler);
        server.receiving = (connection, segment) -> {
            assertThat(segment.length()).isPositive().isLessThanOrEqualTo(segmentBytes);
            if (random.nextInt(3) == 0) {
                connection.expect(
                        random.nextInt(random.nextBoolean() ? 128 : 3 * PAGE),
                        random.nextInt(random.nextBoolean() ? 100 : 200_000));
            }
            if (random.nextInt(4) == 0) {
                segment.retain();
                held.add(segment);
            }
            while (held.size() > random.nextInt(20)) {
                held.remove(random.nextInt(held.size())).release();
            }
            if (random.nextInt(10) == 0) {
                connection.pauseReceive();
            }
        };
        final long bytes = Math.min(largeTransferBytes() / 8, 2000L * segmentBytes);
        sending(server, bytes);
        final Connection atServer = pair.accepted.getLast();
        pair.until("the end", () -> {
            if (atServer.receivePaused() && random.nextInt(3) == 0) {
                atServer.expect(0, random.nextInt(2) * PAGE);
                atServer.resumeReceive();
            }
            return server.saw("end");
        });
        assertThat(server.receivedBytes).isEqualTo(bytes);
        assertThat(server.outcomes()).doesNotContain("closed ECONNABORTED").endsWith("end");
        held.forEach(ReceiveSegment::release);
        pair.turn();
        assertThat(pair.server.lentBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldNotStarveOthersWithASegmentThatWaitsForMoreOfItsPayload(final int segments) {
        use((long) segments * 65536, 65536, 1);
        final List<RecordingHandler> servers = new ArrayList<>();
        final List<Connection> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            final RecordingHandler server = new RecordingHandler();
            servers.add(server);
            clients.add(connect(new RecordingHandler(), server));
            pair.accepted.getLast().expect(HEADER, 30_000);
        }
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < 4; i++) {
                pair.send(clients.get(i), "x".repeat(5000));
                final RecordingHandler server = servers.get(i);
                final long expected = 5000L * round;
                pair.until("its part", () -> server.receivedBytes == expected);
            }
        }
        pair.accepted.forEach(Connection::close);
        pair.turn();
        assertThat(pair.server.lentBytes()).isZero();
    }

    /** Connects to a server and sends it that many bytes, and the end. */
    private Connection sending(final RecordingHandler server, final long bytes) {
        final RecordingHandler atClient = new RecordingHandler();
        final Connection toServer = connect(atClient, server);
        send(atClient, toServer, bytes);
        return toServer;
    }

    private void send(final RecordingHandler atClient, final Connection toServer, final long bytes) {
        final RulerSender sender = new RulerSender(ruler, bytes, true);
        atClient.writable = sender::go;
        sender.go(toServer);
    }
}
