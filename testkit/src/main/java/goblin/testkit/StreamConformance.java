// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Connection;
import goblin.net.Iovec;
import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes, their order, back-pressure, held memory and the end of the stream. */
public abstract class StreamConformance extends TransportConformance {
    private final RecordingHandler client = new RecordingHandler();
    private final RecordingHandler server = new RecordingHandler();

    /** For backends. */
    protected StreamConformance() {}

    @Test
    void shouldCarryBytesInOrderBothWays() {
        final Connection toServer = connect(client, server);
        final StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            final String message = "message " + i + ";";
            expected.append(message);
            pair.send(toServer, message);
            pair.send(pair.accepted.getLast(), message);
        }
        pair.until("all bytes", () -> client.receivedBytes == expected.length());
        pair.until("all bytes", () -> server.receivedBytes == expected.length());
        assertThat(client.text()).isEqualTo(expected.toString());
        assertThat(server.text()).isEqualTo(expected.toString());
    }

    @Test
    void shouldCarryASingleByte() {
        pair.send(connect(client, server), "x");
        pair.until("the byte", () -> server.receivedBytes == 1);
        assertThat(server.text()).isEqualTo("x");
    }

    @Test
    void shouldCarryALargeTransferAndEndAfterItsLastByte() {
        final RecordingHandler comparing = new RecordingHandler(ruler);
        final RulerSender sender = new RulerSender(ruler, largeTransferBytes(), true);
        client.writable = sender::go;
        sender.go(connect(client, comparing));
        pair.until("the end", () -> comparing.saw("end"));
        assertThat(comparing.receivedBytes).isEqualTo(largeTransferBytes());
        assertThat(comparing.events).containsExactly("end");
    }

    @Test
    void shouldCarryLargeTransfersBothWaysAtOnce() {
        final long bytes = largeTransferBytes() / 4;
        final RecordingHandler atClient = new RecordingHandler(ruler);
        final RecordingHandler atServer = new RecordingHandler(ruler);
        final RulerSender fromClient = new RulerSender(ruler, bytes, true);
        final RulerSender fromServer = new RulerSender(ruler, bytes, true);
        atClient.writable = fromClient::go;
        atServer.writable = fromServer::go;
        fromClient.go(connect(atClient, atServer));
        fromServer.go(pair.accepted.getLast());
        pair.until("both ends", () -> atClient.saw("end") && atServer.saw("end"));
        assertThat(atClient.receivedBytes).isEqualTo(bytes);
        assertThat(atServer.receivedBytes).isEqualTo(bytes);
    }

    @Test
    void shouldStallASenderWhoseReceiverPausesAndLoseNothing() {
        final RecordingHandler comparing = new RecordingHandler(ruler);
        final RulerSender sender = new RulerSender(ruler, 64L << 20, true);
        final Connection toServer = connect(client, comparing);
        final Connection atServer = pair.accepted.getLast();
        atServer.pauseReceive();
        client.writable = sender::go;
        sender.go(toServer);
        // Stalled for good: quiet, and not everything was taken.
        pair.untilQuiet(1000);
        assertThat(sender.isDone()).isFalse();
        assertThat(sender.shortSends()).isPositive();
        assertThat(comparing.receivedBytes).isZero();

        final long takenWhileStalled = sender.sent();
        // From here on the transfer is cut short: what was taken must arrive, and room must be told of.
        final long writables = count(client, "writable");
        client.writable = connection -> connection.shutdownSend();
        atServer.resumeReceive();
        pair.until("the end", () -> comparing.saw("end"));
        assertThat(count(client, "writable")).isEqualTo(writables + 1);
        assertThat(comparing.receivedBytes).isEqualTo(takenWhileStalled);
        assertThat(comparing.events).containsExactly("end");
    }

    @Test
    void shouldTakeGatheredRunsOfAllSizes() {
        final RecordingHandler comparing = new RecordingHandler(ruler);
        final Connection toServer = connect(client, comparing);
        final int runs = 300;
        final long iovecs = Memory.allocate((long) runs * Iovec.BYTES);
        long total = 0;
        for (int i = 0; i < runs; i++) {
            Iovec.put(iovecs, i, ruler.address(total), 1 + i);
            total += 1 + i;
        }
        long sent = toServer.sendGathered(iovecs, runs);
        Memory.free(iovecs);
        while (sent < total) {
            pair.turn();
            final long taken = toServer.send(ruler.address(sent), Math.min(ByteRuler.MAX_RUN, total - sent));
            assertThat(taken).isNotNegative();
            sent += taken;
        }
        final long all = total;
        pair.until("all runs", () -> comparing.receivedBytes == all);
        assertThat(comparing.events).isEmpty();
    }

    @Test
    void shouldGiveTokensBackInOrderAfterTheCallAndOnlyForWhatWasTaken() {
        final RecordingHandler comparing = new RecordingHandler(ruler);
        final Connection toServer = connect(client, comparing);
        pair.accepted.getLast().pauseReceive();
        final long iovecs = Memory.allocate(2 * Iovec.BYTES);
        final List<String> expected = new ArrayList<>();
        long sent = 0;
        long taken = 1;
        for (long token = 1; taken > 0; token++) {
            Iovec.put(iovecs, 0, ruler.address(sent), 100_000);
            Iovec.put(iovecs, 1, ruler.address(sent + 100_000), 100_000);
            final int before = client.events.size();
            taken = toServer.sendHeld(iovecs, 2, token);
            assertThat(client.events).hasSize(before);
            if (taken > 0) {
                sent += taken;
                expected.add("sent " + token);
            }
            pair.turn();
        }
        Memory.free(iovecs);
        pair.accepted.getLast().resumeReceive();
        pair.until("the tokens", () -> tokens(client).size() == expected.size());
        assertThat(tokens(client)).isEqualTo(expected);
        final long all = sent;
        pair.until("all bytes", () -> comparing.receivedBytes == all);
        assertThat(comparing.events).isEmpty();
    }

    @Test
    void shouldGiveATokenBackEvenAfterClose() {
        final Connection toServer = connect(client, server);
        final long iovec = Memory.allocate(Iovec.BYTES);
        Iovec.put(iovec, 0, ruler.address(0), 10);
        long taken = toServer.sendHeld(iovec, 1, 42);
        while (taken == 0) {
            pair.turn();
            taken = toServer.sendHeld(iovec, 1, 42);
        }
        toServer.close();
        Memory.free(iovec);
        pair.until("the token", () -> client.saw("sent 42"));
        pair.until("the end", () -> server.saw("end"));
        assertThat(client.outcomes()).containsExactly("connected", "sent 42");
        assertThat(server.receivedBytes).isEqualTo(taken);
    }

    @Test
    void shouldEndEachSideOnItsOwn() {
        final Connection toServer = connect(client, server);
        final Connection toClient = pair.accepted.getLast();
        pair.send(toServer, "question");
        toServer.shutdownSend();
        toServer.shutdownSend();
        pair.until("the client's end", () -> server.saw("end"));
        assertThat(server.text()).isEqualTo("question");
        assertThat(toServer.send(ruler.address(0), 1)).isEqualTo(Connection.CLOSED);
        assertThat(toServer.isOpen()).isTrue();

        pair.send(toClient, "answer");
        toClient.shutdownSend();
        pair.until("the server's end", () -> client.saw("end"));
        assertThat(client.text()).isEqualTo("answer");
        assertThat(server.outcomes()).containsExactly("end");
        assertThat(client.outcomes()).containsExactly("connected", "end");
    }

    @Test
    void shouldNotDeliverWhilePausedAndGoOnWhereItStopped() {
        final Connection toServer = connect(client, server);
        final Connection atServer = pair.accepted.getLast();
        atServer.pauseReceive();
        atServer.pauseReceive();
        assertThat(atServer.receivePaused()).isTrue();
        pair.send(toServer, "while paused");
        pair.untilQuiet(100);
        assertThat(server.text()).isEmpty();
        atServer.resumeReceive();
        assertThat(atServer.receivePaused()).isFalse();
        assertThat(server.text()).isEmpty();
        pair.until("the bytes", () -> server.receivedBytes == 12);
        pair.send(toServer, ", and after");
        pair.until("the bytes", () -> server.text().equals("while paused, and after"));
    }

    @Test
    void shouldStopAtOnceWhenPausedInsideACallback() {
        final RecordingHandler comparing = new RecordingHandler(ruler);
        comparing.receiving = (connection, segment) -> connection.pauseReceive();
        final RulerSender sender = new RulerSender(ruler, 1 << 20, false);
        client.writable = sender::go;
        sender.go(connect(client, comparing));
        pair.until("one segment", () -> comparing.segments == 1);
        pair.untilQuiet(100);
        assertThat(comparing.segments).isEqualTo(1);
        final Connection atServer = pair.accepted.getLast();
        while (comparing.receivedBytes < 1 << 20) {
            final long before = comparing.segments;
            atServer.resumeReceive();
            pair.until("the next segment", () -> comparing.segments > before);
            assertThat(comparing.segments).isEqualTo(before + 1);
        }
        assertThat(comparing.events).isEmpty();
    }

    @Test
    void shouldTellThatThePeerEndedWhilePausedOnceAndStillDeliverEverything() {
        final Connection toServer = connect(client, server);
        final Connection atServer = pair.accepted.getLast();
        atServer.pauseReceive();
        pair.send(toServer, "last words");
        toServer.shutdownSend();
        pair.until("the news", () -> server.saw("paused end"));
        pair.untilQuiet(100);
        assertThat(server.text()).isEmpty();
        atServer.resumeReceive();
        atServer.pauseReceive();
        pair.untilQuiet(100);
        assertThat(server.outcomes()).containsExactly("paused end");
        atServer.resumeReceive();
        pair.until("the end", () -> server.saw("end"));
        assertThat(server.text()).isEqualTo("last words");
        assertThat(server.outcomes()).containsExactly("paused end", "end");
    }

    @Test
    void shouldTellThatThePeerEndedWhenPausedAfterwards() {
        server.receiving = (connection, segment) -> connection.pauseReceive();
        final Connection toServer = connect(client, server);
        pair.send(toServer, "x");
        toServer.shutdownSend();
        pair.until("the news", () -> server.saw("paused end"));
        assertThat(server.text()).isEqualTo("x");
    }

    @Test
    void shouldSendNothingBeforeItIsConnectedAndTellWhenItCan() {
        pair.onAccept = connection -> server;
        final RulerSender sender = new RulerSender(ruler, 10, true);
        final Connection early = pair.client.connect(pair.listener.endpoint(), client);
        client.writable = sender::go;
        assertThat(early.send(ruler.address(0), 10)).isZero();
        sender.go(early);
        pair.until("the end", () -> server.saw("end"));
        assertThat(server.receivedBytes).isEqualTo(10);
        assertThat(client.events.subList(0, 2)).containsExactly("connected", "writable");
    }

    private static long count(final RecordingHandler handler, final String event) {
        return handler.events.stream().filter(event::equals).count();
    }

    private static List<String> tokens(final RecordingHandler handler) {
        return handler.events.stream().filter(event -> event.startsWith("sent")).toList();
    }
}
