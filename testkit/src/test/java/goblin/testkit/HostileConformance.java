// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.Transport;
import java.net.InetAddress;
import org.junit.jupiter.api.Nested;

/** What misbehaves within the contract still keeps it, on any backend. */
abstract class HostileConformance {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final long LARGE = 8 << 20;

    /** Makes a transport with segments of the usual size. */
    abstract Transport transport(long receiveBytes, FaultReporter reporter);

    /** Makes a transport. */
    abstract Transport transport(long receiveBytes, int segmentBytes, int windowBytes, FaultReporter reporter);

    /** Whether expected payloads are placed. */
    abstract boolean places();

    private Transport cutting(final long seed, final long receiveBytes, final FaultReporter reporter) {
        return new HostileTransport(transport(receiveBytes, reporter), seed, Mischief.CUTS, reporter);
    }

    @Nested
    class Stream extends StreamConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return cutting(1, receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(LOOPBACK, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return KernelConformance.dead(LOOPBACK);
        }

        @Override
        protected long largeTransferBytes() {
            return LARGE;
        }
    }

    @Nested
    class StreamWithAnotherSeed extends StreamConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return cutting(2, receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(LOOPBACK, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return KernelConformance.dead(LOOPBACK);
        }

        @Override
        protected long largeTransferBytes() {
            return LARGE;
        }
    }

    @Nested
    class Segments extends SegmentConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return cutting(3, receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(LOOPBACK, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return KernelConformance.dead(LOOPBACK);
        }
    }

    @Nested
    class Windows extends WindowConformance {
        @Override
        protected boolean placesPayload() {
            return places();
        }

        @Override
        protected Transport newTransport(
                final long receiveBytes, final int segmentBytes, final int windowBytes, final FaultReporter reporter) {
            return new HostileTransport(
                    transport(receiveBytes, segmentBytes, windowBytes, reporter), 6, Mischief.CUTS, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(LOOPBACK, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return KernelConformance.dead(LOOPBACK);
        }

        @Override
        protected long largeTransferBytes() {
            return LARGE;
        }
    }

    @Nested
    class Lifecycle extends LifecycleConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return cutting(4, receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(LOOPBACK, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return KernelConformance.dead(LOOPBACK);
        }
    }
}
