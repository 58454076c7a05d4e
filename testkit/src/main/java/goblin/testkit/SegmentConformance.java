// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.Connection;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lent receive memory: who holds it, how it comes back, and what happens when there is none. */
public abstract class SegmentConformance extends TransportConformance {
    private final RecordingHandler client = new RecordingHandler();

    /** For backends. */
    protected SegmentConformance() {}

    @Test
    void shouldHoldNoReceiveMemoryForIdleConnections() {
        final RecordingHandler server = new RecordingHandler();
        final Connection toServer = connect(client, server);
        assertThat(pair.server.lentBytes()).isZero();
        pair.send(toServer, "a few bytes");
        pair.until("the bytes", () -> server.receivedBytes == 11);
        pair.untilQuiet(10);
        assertThat(pair.server.lentBytes()).isZero();
    }

    @Test
    void shouldKeepRetainedBytesUntilTheyAreReleasedInAnyOrder() {
        final List<ReceiveSegment> held = new ArrayList<>();
        final RecordingHandler server = retaining(held);
        final Connection toServer = connect(client, server);
        for (int i = 0; i < 50; i++) {
            pair.send(toServer, "piece " + i + (i % 2 == 0 ? "," : "x".repeat(5000)));
            final int before = held.size();
            pair.until("the piece", () -> held.size() > before);
        }
        pair.untilQuiet(10);
        assertThat(pair.server.lentBytes()).isPositive();
        assertThat(text(held)).isEqualTo(server.text());

        Collections.shuffle(held, new Random(7));
        for (final ReceiveSegment segment : held) {
            assertThat(pair.server.lentBytes()).isPositive();
            segment.release();
        }
        pair.turn();
        assertThat(pair.server.lentBytes()).isZero();
    }

    @Test
    void shouldCountRetains() {
        final List<ReceiveSegment> held = new ArrayList<>();
        final RecordingHandler server = retaining(held);
        final Connection toServer = connect(client, server);
        pair.send(toServer, "x");
        pair.until("the byte", () -> held.size() == 1);
        held.getFirst().retain();
        held.getFirst().release();
        pair.turn();
        assertThat(pair.server.lentBytes()).isPositive();
        held.getFirst().release();
        pair.turn();
        assertThat(pair.server.lentBytes()).isZero();
    }

    @Test
    void shouldReportWhoReleasesTooOften() {
        final List<ReceiveSegment> held = new ArrayList<>();
        final Connection toServer = connect(client, retaining(held));
        pair.send(toServer, "x");
        pair.until("the byte", () -> held.size() == 1);
        held.getFirst().release();
        pair.turn();
        assertThatThrownBy(() -> held.getFirst().release()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> held.getFirst().retain()).isInstanceOf(IllegalStateException.class);
        assertThat(pair.server.lentBytes()).isZero();
    }

    @Test
    void shouldTakeReleasesFromOtherThreads() throws InterruptedException {
        final List<ReceiveSegment> held = new ArrayList<>();
        final Connection toServer = connect(client, retaining(held));
        for (int i = 0; i < 200; i++) {
            pair.send(toServer, "piece " + i);
            final int before = held.size();
            pair.until("the piece", () -> held.size() > before);
        }
        held.forEach(ReceiveSegment::retain);
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            // Both release every segment, so that some are released by two threads at once.
            threads.add(Thread.ofPlatform().start(() -> List.copyOf(held).forEach(ReceiveSegment::release)));
        }
        pair.until("all memory back", () -> pair.server.lentBytes() == 0);
        for (final Thread thread : threads) {
            thread.join();
        }
        pair.send(toServer, "still alive");
        final int before = held.size();
        pair.until("more", () -> held.size() > before);
        held.subList(before, held.size()).forEach(ReceiveSegment::release);
    }

    @Test
    void shouldPauseReadingWhenNoMemoryIsLeftAndGoOnWhenSomeComesBack() {
        pair = newPair(128 * 1024);
        final int connections = 4;
        final long bytes = 1 << 20;
        final List<ReceiveSegment> held = new ArrayList<>();
        final List<RecordingHandler> servers = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            final RecordingHandler server = new RecordingHandler(ruler);
            server.receiving = (connection, segment) -> {
                segment.retain();
                held.add(segment);
            };
            servers.add(server);
            final RecordingHandler sending = new RecordingHandler();
            final RulerSender sender = new RulerSender(ruler, bytes, true);
            sending.writable = sender::go;
            sender.go(connect(sending, server));
        }
        // Nothing is released: it must run dry and then cost nothing more.
        pair.untilQuiet(1000);
        assertThat(held).isNotEmpty();
        assertThat(servers).noneMatch(server -> server.saw("end"));

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

    @Test
    void shouldKeepSendingWhileReadingIsStarved() {
        pair = newPair(128 * 1024);
        final List<ReceiveSegment> held = new ArrayList<>();
        final RecordingHandler server = new RecordingHandler(ruler);
        server.receiving = (connection, segment) -> {
            segment.retain();
            held.add(segment);
        };
        final RecordingHandler comparing = new RecordingHandler(ruler);
        final RulerSender up = new RulerSender(ruler, 4 << 20, false);
        comparing.writable = up::go;
        up.go(connect(comparing, server));
        pair.untilQuiet(100);
        final RulerSender down = new RulerSender(ruler, 4 << 20, true);
        server.writable = down::go;
        down.go(pair.accepted.getLast());
        pair.until("the answer", () -> comparing.saw("end"));
        assertThat(comparing.receivedBytes).isEqualTo(4 << 20);
        held.forEach(ReceiveSegment::release);
    }

    private static RecordingHandler retaining(final List<ReceiveSegment> held) {
        final RecordingHandler server = new RecordingHandler();
        server.receiving = (connection, segment) -> {
            segment.retain();
            held.add(segment);
        };
        return server;
    }

    private static String text(final List<ReceiveSegment> segments) {
        final StringBuilder text = new StringBuilder();
        for (final ReceiveSegment segment : segments) {
            text.append(new String(Memory.toBytes(segment.address(), segment.length()), ISO_8859_1));
        }
        return text.toString();
    }
}
