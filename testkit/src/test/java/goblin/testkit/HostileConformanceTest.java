// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Connection;
import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.Transport;
import java.net.InetAddress;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What misbehaves within the contract still keeps it; and what it is told to do, it does. */
class HostileConformanceTest extends HostileConformance {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    @Override
    boolean places() {
        return true;
    }

    @Override
    Transport transport(final long receiveBytes, final FaultReporter reporter) {
        return EpollConformanceTest.open(receiveBytes, reporter);
    }

    @Override
    Transport transport(
            final long receiveBytes, final int segmentBytes, final int windowBytes, final FaultReporter reporter) {
        return EpollConformanceTest.open(receiveBytes, segmentBytes, windowBytes, reporter);
    }

    /** What tests do to single connections. */
    @Nested
    class OnCommand extends TransportConformance {
        private final RecordingHandler client = new RecordingHandler();
        private final RecordingHandler server = new RecordingHandler();

        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return new HostileTransport(
                    EpollConformanceTest.open(receiveBytes, reporter), 5, Mischief.ONE_BYTE, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(LOOPBACK, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return KernelConformance.dead(LOOPBACK);
        }

        @Test
        void shouldPassOneByteAtATime() {
            final Connection toServer = connect(client, server);
            pair.send(toServer, "byte by byte");
            pair.until("the bytes", () -> server.text().equals("byte by byte"));
            assertThat(server.segments).isEqualTo(12);
            assertThat(client.events).contains("writable");
        }

        @Test
        void shouldHoldWhatIsReceived() {
            final Connection toServer = connect(client, server);
            final HostileConnection atServer = (HostileConnection) pair.accepted.getLast();
            atServer.holdReceive();
            pair.send(toServer, "held");
            toServer.shutdownSend();
            pair.untilQuiet(100);
            assertThat(server.text()).isEmpty();
            atServer.releaseReceive();
            pair.until("the end", () -> server.saw("end"));
            assertThat(server.text()).isEqualTo("held");
        }

        @Test
        void shouldHoldWhatIsSent() {
            final HostileConnection toServer = (HostileConnection) connect(client, server);
            toServer.holdSend();
            pair.send(toServer, "held");
            toServer.shutdownSend();
            pair.untilQuiet(100);
            assertThat(server.events).isEmpty();
            assertThat(server.text()).isEmpty();
            toServer.releaseSend();
            pair.until("the end", () -> server.saw("end"));
            assertThat(server.text()).isEqualTo("held");
        }

        @Test
        void shouldFailAtAnExactByteOfEitherDirection() {
            final HostileConnection toServer = (HostileConnection) connect(client, server);
            final HostileConnection atServer = (HostileConnection) pair.accepted.getLast();
            atServer.failAfterReceived(3);
            final RulerSender six = new RulerSender(ruler, 6, false);
            client.writable = six::go;
            six.go(toServer);
            pair.until("the failure", server::sawClosed);
            assertThat(server.receivedBytes).isEqualTo(3);
            assertThat(server.events).containsExactly("closed ECONNRESET");
            pair.until("the peer's failure", () -> client.saw("end") || client.sawClosed());

            final RecordingHandler second = new RecordingHandler();
            final RecordingHandler secondServer = new RecordingHandler();
            final HostileConnection sending = (HostileConnection) connect(second, secondServer);
            sending.failAfterSent(2);
            final RulerSender sender = new RulerSender(ruler, 10, false);
            second.writable = sender::go;
            sender.go(sending);
            pair.until("the failure", second::sawClosed);
            pair.untilQuiet(10);
            assertThat(secondServer.receivedBytes).isEqualTo(2);
        }
    }
}
