// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.Transport;
import goblin.net.TransportCounter;
import java.net.InetAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** What a backend of kernel sockets must do on IPv4, IPv6 and Unix sockets. */
abstract class KernelConformance {
    private static final InetAddress IPV4 = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress IPV6 = InetAddress.ofLiteral("::1");

    /** Makes a transport with segments of the usual size. */
    abstract Transport transport(long receiveBytes, FaultReporter reporter);

    /** Makes a transport. */
    abstract Transport transport(long receiveBytes, int segmentBytes, int windowBytes, FaultReporter reporter);

    /** Whether expected payloads are placed. */
    abstract boolean places();

    static Endpoint dead(final InetAddress address) {
        // Nobody listens on the port of discard, and it is not in the range the kernel gives out.
        return new Endpoint.Tcp(address, 9);
    }

    @Nested
    class StreamOverIpv4 extends StreamConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(IPV4, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return dead(IPV4);
        }
    }

    @Nested
    class StreamOverIpv6 extends StreamConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(IPV6, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return dead(IPV6);
        }
    }

    @Nested
    class StreamOverUnix extends StreamConformance {
        @TempDir
        private Path directory;

        private int sockets;

        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Unix(directory.resolve("socket" + sockets++));
        }

        @Override
        protected Endpoint deadEndpoint() {
            return new Endpoint.Unix(directory.resolve("nobody"));
        }
    }

    @Nested
    class SegmentOverIpv4 extends SegmentConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(IPV4, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return dead(IPV4);
        }
    }

    @Nested
    class SegmentOverIpv6 extends SegmentConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(IPV6, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return dead(IPV6);
        }
    }

    @Nested
    class SegmentOverUnix extends SegmentConformance {
        @TempDir
        private Path directory;

        private int sockets;

        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Unix(directory.resolve("socket" + sockets++));
        }

        @Override
        protected Endpoint deadEndpoint() {
            return new Endpoint.Unix(directory.resolve("nobody"));
        }
    }

    @Nested
    class WindowOverIpv4 extends WindowConformance {
        @Override
        protected boolean placesPayload() {
            return places();
        }

        @Override
        protected Transport newTransport(
                final long receiveBytes, final int segmentBytes, final int windowBytes, final FaultReporter reporter) {
            return transport(receiveBytes, segmentBytes, windowBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(IPV4, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return dead(IPV4);
        }
    }

    @Nested
    class WindowOverUnix extends WindowConformance {
        @TempDir
        private Path directory;

        private int sockets;

        @Override
        protected boolean placesPayload() {
            return places();
        }

        @Override
        protected Transport newTransport(
                final long receiveBytes, final int segmentBytes, final int windowBytes, final FaultReporter reporter) {
            return transport(receiveBytes, segmentBytes, windowBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Unix(directory.resolve("socket" + sockets++));
        }

        @Override
        protected Endpoint deadEndpoint() {
            return new Endpoint.Unix(directory.resolve("nobody"));
        }
    }

    @Nested
    class LifecycleOverIpv4 extends LifecycleConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(IPV4, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return dead(IPV4);
        }
    }

    @Nested
    class LifecycleOverIpv6 extends LifecycleConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(IPV6, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return dead(IPV6);
        }
    }

    @Nested
    class LifecycleOverUnix extends LifecycleConformance {
        @TempDir
        private Path directory;

        private int sockets;

        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Unix(directory.resolve("socket" + sockets++));
        }

        @Override
        protected Endpoint deadEndpoint() {
            return new Endpoint.Unix(directory.resolve("nobody"));
        }
    }

    @Nested
    class ScaleOverIpv4 extends ScaleConformance {
        @Override
        protected Transport newTransport(final long receiveBytes, final FaultReporter reporter) {
            return transport(receiveBytes, reporter);
        }

        @Override
        protected Endpoint listenEndpoint() {
            return new Endpoint.Tcp(IPV4, 0);
        }

        @Override
        protected Endpoint deadEndpoint() {
            return dead(IPV4);
        }

        @Override
        protected long receiveCalls(final Transport transport) {
            return transport.counter(TransportCounter.RECEIVES);
        }
    }
}
