// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Connection;
import goblin.net.Endpoint;
import goblin.net.SegmentArena;
import goblin.net.linux.Errno;
import goblin.net.linux.Limits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections that begin, fail, are refused, closed and finished. */
public abstract class LifecycleConformance extends TransportConformance {
    private static final long ACCEPT_PAUSE_NS = 100_000_000;
    private static final long LINGER_NS = 5_000_000_000L;

    private final RecordingHandler client = new RecordingHandler();
    private final RecordingHandler server = new RecordingHandler();

    /** For backends. */
    protected LifecycleConformance() {}

    @Test
    void shouldNameBothEndsAndKnowThatTheyAreLocal() {
        final Connection toServer = connect(client, server);
        final Connection toClient = pair.accepted.getLast();
        assertThat(toServer.peerName()).isEqualTo(pair.listener.endpoint().toString());
        assertThat(toClient.localName()).isEqualTo(pair.listener.endpoint().toString());
        assertThat(toClient.peerName()).isEqualTo(toServer.localName());
        assertThat(toServer.isLocalPeer()).isTrue();
        assertThat(toClient.isLocalPeer()).isTrue();
        assertThat(toServer.descriptor()).isNotEqualTo(toClient.descriptor());
    }

    @Test
    void shouldReportARefusedConnectionOnceAndLater() {
        final Connection refused = pair.client.connect(deadEndpoint(), client);
        assertThat(client.events).isEmpty();
        pair.until("the refusal", client::sawClosed);
        pair.untilQuiet(10);
        assertThat(client.outcomes()).hasSize(1);
        assertThat(client.events.getFirst()).isIn("closed ECONNREFUSED", "closed ENOENT");
        assertThat(refused.isOpen()).isFalse();
        assertThat(refused.send(ruler.address(0), 1)).isEqualTo(Connection.CLOSED);
    }

    @Test
    void shouldReportAResetOnceAndForgetTheConnection() {
        final Connection toServer = connect(client, server);
        final Connection toClient = pair.accepted.getLast();
        toClient.pauseReceive();
        pair.send(toServer, "never read");
        pair.untilQuiet(10);
        // Unread input makes this a reset.
        toClient.close();
        pair.until("the reset", () -> client.sawClosed() || client.saw("end"));
        pair.untilQuiet(10);
        assertThat(client.outcomes()).containsExactly("connected", "closed ECONNRESET");
        assertThat(toServer.isOpen()).isFalse();
        assertThat(toServer.send(ruler.address(0), 1)).isEqualTo(Connection.CLOSED);
        assertThat(server.outcomes()).isEmpty();
    }

    @Test
    void shouldReportAResetWhilePausedAndAfterTheEnd() {
        final Connection toServer = connect(client, server);
        final Connection toClient = pair.accepted.getLast();
        toClient.pauseReceive();
        toServer.pauseReceive();
        pair.send(toServer, "never read");
        pair.untilQuiet(10);
        toClient.close();
        pair.until("the reset while paused", client::sawClosed);

        final RecordingHandler secondClient = new RecordingHandler();
        final RecordingHandler secondServer = new RecordingHandler();
        final Connection second = connect(secondClient, secondServer);
        final Connection secondToClient = pair.accepted.getLast();
        secondToClient.shutdownSend();
        pair.until("the end", () -> secondClient.saw("end"));
        secondToClient.pauseReceive();
        pair.send(second, "never read");
        pair.untilQuiet(10);
        secondToClient.close();
        pair.until("the reset after the end", secondClient::sawClosed);
        // TCP says EPIPE here: it had heard the peer's end before the reset.
        assertThat(secondClient.outcomes())
                .hasSize(3)
                .containsAnyOf("closed ECONNRESET", "closed EPIPE")
                .startsWith("connected", "end");
    }

    @Test
    void shouldFailASendToAPeerThatIsGone() {
        final Connection toServer = connect(client, server);
        final Connection toClient = pair.accepted.getLast();
        toClient.close();
        pair.until("the end", () -> client.saw("end"));
        pair.until("the failure", () -> {
            toServer.send(ruler.address(0), 1);
            return client.sawClosed();
        });
        assertThat(client.outcomes()).hasSize(3);
        assertThat(client.outcomes().getLast()).isIn("closed EPIPE", "closed ECONNRESET");
    }

    @Test
    void shouldCallNothingAfterClose() {
        final Connection toServer = connect(client, server);
        final Connection toClient = pair.accepted.getLast();
        pair.send(toClient, "late");
        final String before = client.text();
        toServer.close();
        toServer.close();
        pair.untilQuiet(10);
        assertThat(client.outcomes()).containsExactly("connected");
        assertThat(client.text()).isEqualTo(before);
        assertThat(toServer.isOpen()).isFalse();
        toServer.resumeReceive();
        toServer.shutdownSend();
        toServer.finish(0);
        assertThat(toServer.send(ruler.address(0), 1)).isEqualTo(Connection.CLOSED);
    }

    @Test
    void shouldBearBeingClosedInsideEachCallback() {
        server.receiving = (connection, segment) -> connection.close();
        final Connection first = connect(client, server);
        pair.send(first, "close there");
        pair.until("the end or the reset", () -> client.saw("end") || client.sawClosed());

        final RecordingHandler endsItself = new RecordingHandler();
        endsItself.ended = Connection::close;
        connect(endsItself, new RecordingHandler());
        pair.accepted.getLast().shutdownSend();
        pair.until("the end", () -> endsItself.saw("end"));

        final RecordingHandler closesEarly = new RecordingHandler();
        closesEarly.connected = Connection::close;
        final RecordingHandler peer = new RecordingHandler();
        pair.connect(closesEarly, peer);
        pair.until("the end", () -> peer.saw("end"));

        final RecordingHandler closesWhenWritable = new RecordingHandler();
        closesWhenWritable.writable = Connection::close;
        final Connection full = connect(closesWhenWritable, new RecordingHandler(ruler));
        pair.accepted.getLast().pauseReceive();
        final RulerSender sender = new RulerSender(ruler, 64 << 20, false);
        sender.go(full);
        pair.untilQuiet(10);
        pair.accepted.getLast().resumeReceive();
        pair.until("room", () -> closesWhenWritable.saw("writable"));
        pair.untilQuiet(10);
        assertThat(closesWhenWritable.events).containsExactly("connected", "writable");
    }

    @Test
    void shouldCloseAConnectionThatNobodyWants() {
        pair.onAccept = connection -> null;
        pair.client.connect(pair.listener.endpoint(), client);
        pair.until("the end", () -> client.saw("end") || client.sawClosed());
    }

    @Test
    void shouldBearOneHandlersFaultWithoutHarmToOthers() {
        expectFaults();
        server.receiving = (connection, segment) -> {
            throw new IllegalStateException("on purpose");
        };
        final Connection faulty = connect(client, server);
        final RecordingHandler healthyServer = new RecordingHandler();
        final Connection healthy = connect(new RecordingHandler(), healthyServer);
        pair.send(faulty, "x");
        pair.send(healthy, "y");
        pair.until("the end of one", () -> client.saw("end") || client.sawClosed());
        pair.until("the other's byte", () -> healthyServer.receivedBytes == 1);
        assertThat(server.outcomes()).containsExactly("closed ECONNABORTED");
        assertThat(faults)
                .hasSize(1)
                .first()
                .satisfies(fault -> assertThat(fault).hasMessage("on purpose"));
        assertThat(pair.server.lentBytes()).isZero();
    }

    @Test
    void shouldDeliverTheLastReplyToAPeerWhoseInputIsUnread() {
        final RecordingHandler asking = new RecordingHandler();
        final Connection toServer = connect(asking, server);
        final Connection toClient = pair.accepted.getLast();
        toClient.pauseReceive();
        final RulerSender sender = new RulerSender(ruler, 200_000, false);
        asking.writable = sender::go;
        sender.go(toServer);
        pair.send(toClient, "-ERR Protocol error\r\n");
        toClient.finish(LINGER_NS);
        toClient.finish(LINGER_NS);
        assertThat(toClient.isOpen()).isFalse();
        assertThat(toClient.send(ruler.address(0), 1)).isEqualTo(Connection.CLOSED);
        pair.until("the end", () -> asking.saw("end") && sender.isDone());
        assertThat(asking.text()).isEqualTo("-ERR Protocol error\r\n");
        toServer.close();
        pair.untilQuiet(10);
        assertThat(asking.sawClosed()).isFalse();
        assertThat(server.outcomes()).isEmpty();
    }

    @Test
    void shouldNotLingerForEver() {
        final Connection toServer = connect(client, server);
        final Connection toClient = pair.accepted.getLast();
        toClient.finish(LINGER_NS);
        pair.until("the end", () -> client.saw("end"));
        pair.untilQuiet(10);
        pair.skip(LINGER_NS);
        // Closed now: what the client sends meets nobody.
        pair.until("the failure", () -> {
            toServer.send(ruler.address(0), 1);
            return client.sawClosed();
        });
    }

    @Test
    void shouldSayOnceThatItCannotAcceptAndGoOnLater() {
        final long limit = Limits.openFiles();
        final int waiting = 3;
        pair.onAccept = connection -> server;
        final List<Connection> clients = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            clients.add(pair.client.connect(pair.listener.endpoint(), client));
        }
        try {
            assertThat(Limits.setOpenFiles(3)).isTrue();
            pair.until("the error", () -> !pair.acceptErrors.isEmpty());
            for (int pause = 0; pause < 5; pause++) {
                pair.skip(ACCEPT_PAUSE_NS);
                pair.turn();
                pair.turn();
            }
        } finally {
            Limits.setOpenFiles(limit);
        }
        assertThat(pair.acceptErrors).containsExactly(Errno.EMFILE);
        assertThat(pair.accepted).isEmpty();
        pair.skip(ACCEPT_PAUSE_NS);
        pair.until("all of them", () -> pair.accepted.size() == waiting);
        assertThat(clients).allMatch(Connection::isOpen);
    }

    @Test
    void shouldStopListening() {
        final Endpoint endpoint = pair.listener.endpoint();
        final Connection established = connect(client, server);
        pair.listener.close();
        pair.listener.close();
        final RecordingHandler late = new RecordingHandler();
        pair.client.connect(endpoint, late);
        pair.until("the refusal", late::sawClosed);
        pair.send(established, "lives on");
        pair.until("the bytes", () -> server.text().equals("lives on"));
    }

    @Test
    void shouldWakeASleepingTransportAndNeverLoseAWake() throws InterruptedException {
        final long longNs = 60_000_000_000L;
        pair.untilQuiet(10);
        pair.client.wake();
        pair.client.await(longNs);
        for (int i = 0; i < 2_000; i++) {
            final Thread waker = Thread.ofPlatform().start(pair.client::wake);
            pair.client.await(longNs);
            pair.client.poll(System.nanoTime());
            waker.join();
            // A wake that came after the sleep had ended by itself would end the next one early: take it away.
            pair.client.wake();
            pair.client.await(longNs);
        }
    }

    @Test
    void shouldEndASleepWhenSomethingIsReadyWithoutHandlingIt() {
        final Connection toServer = connect(client, server);
        pair.untilQuiet(10);
        pair.send(toServer, "x");
        pair.server.await(60_000_000_000L);
        assertThat(server.receivedBytes).isZero();
        pair.until("the byte", () -> server.receivedBytes == 1);
        pair.untilQuiet(10);
        pair.server.await(1_000_000);
        pair.server.await(0);
    }

    @Test
    void shouldServeASocketThatAnotherTransportAccepted() {
        // The client's transport stands for another loop's.
        pair.adopter = (descriptor, remote, local, handler) -> assertThat(
                        pair.client.adopt(descriptor, remote, local, handler))
                .isZero();
        final Connection toServer = connect(client, server);
        final Connection toClient = pair.accepted.getLast();
        assertThat(toClient.localName()).isEqualTo(pair.listener.endpoint().toString());
        assertThat(toClient.peerName()).isEqualTo(toServer.localName());
        pair.send(toServer, "there");
        pair.send(toClient, "back");
        pair.until(
                "both texts",
                () -> server.text().equals("there") && client.text().equals("back"));
        toServer.shutdownSend();
        pair.until("the end", () -> server.saw("end"));
        toClient.close();
        pair.until("the other end", () -> client.saw("end"));
    }

    @Test
    void shouldDeliverWhatCameBeforeItWasAdopted() {
        final List<Runnable> later = new ArrayList<>();
        pair.adopter = (descriptor, remote, local, handler) ->
                later.add(() -> assertThat(pair.client.adopt(descriptor, remote, local, handler))
                        .isZero());
        pair.onAccept = connection -> server;
        final Connection toServer = pair.client.connect(pair.listener.endpoint(), client);
        pair.until("an accepted socket", () -> !later.isEmpty() && client.saw("connected"));
        pair.send(toServer, "early");
        toServer.shutdownSend();
        pair.untilQuiet(10);
        later.forEach(Runnable::run);
        pair.until("the end", () -> server.saw("end"));
        assertThat(server.text()).isEqualTo("early");
    }

    @Test
    void shouldCloseWhatItIsGivenWhenItIsClosed() {
        final TransportPair gone = newPair(SegmentArena.DEFAULT_BYTES);
        gone.server.close();
        final List<Integer> outcomes = new ArrayList<>();
        pair.adopter = (descriptor, remote, local, handler) ->
                outcomes.add(gone.server.adopt(descriptor, remote, local, handler));
        pair.client.connect(pair.listener.endpoint(), client);
        pair.until("the end", () -> client.saw("end") || client.sawClosed());
        assertThat(outcomes).containsExactly(-Errno.ESHUTDOWN);
        assertThat(pair.accepted).isEmpty();
    }
}
