// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.FaultReporter;
import goblin.net.ListenOptions;
import goblin.net.ReceiveSegment;
import goblin.net.SegmentArena;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the conformance suites do not see: operations under way when connections and transports end. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class UringTransportTest {
    private final long allocatedBefore = Memory.allocatedBytes();
    private final List<String> faults = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final List<ReceiveSegment> held = new ArrayList<>();
    private final SegmentArena arena = new SegmentArena(4 << 20, true, FaultReporter.STANDARD_ERROR);
    private final UringTransport transport = new UringTransport(arena, (where, fault) -> faults.add(where));

    @AfterEach
    void close() {
        transport.close();
        transport.close();
        assertThat(faults).isEmpty();
        assertThat(Memory.allocatedBytes()).isEqualTo(allocatedBefore);
    }

    @Test
    void shouldGiveLateBytesToNobody() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            final Connection first = transport.connect(endpoint(server), new Recorder("first"));
            try (Socket peer = server.accept()) {
                until(() -> events.contains("first connected"));
                turns(10);
                peer.getOutputStream().write(new byte[5000]);
                // Received by the kernel, and not looked at yet.
                transport.await(TimeUnit.SECONDS.toNanos(10));
                first.close();
                final Connection second = transport.connect(endpoint(server), new Recorder("second"));
                assertThat(second.descriptor()).isEqualTo(first.descriptor());
                try (Socket other = server.accept()) {
                    until(() -> events.contains("second connected"));
                    other.getOutputStream().write('x');
                    until(() -> events.contains("second received 1"));
                    turns(50);
                    assertThat(events).containsExactly("first connected", "second connected", "second received 1");
                    assertThat(transport.lentBytes()).isZero();
                    second.close();
                }
            }
        }
    }

    @Test
    void shouldEndAConnectionForItsPeerAlthoughAReceiveIsUnderWay() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            final Connection connection = transport.connect(endpoint(server), new Recorder("it"));
            try (Socket peer = server.accept()) {
                until(() -> events.contains("it connected"));
                turns(10);
                connection.close();
                turns(10);
                peer.setSoTimeout(10_000);
                assertThat(peer.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void shouldCloseWithEverythingUnderWay() throws IOException {
        transport.listen(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0), ListenOptions.DEFAULT, accepting());
        try (ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            final List<Socket> peers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                transport.connect(endpoint(server), new Recorder("c" + i));
                peers.add(server.accept());
            }
            until(() -> events.size() == 8);
            turns(10);
            for (final Socket peer : peers) {
                peer.getOutputStream().write(new byte[100_000]);
            }
            transport.close();
            for (final Socket peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void shouldLeaveMemoryToItsHoldersWhenClosed() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            transport.connect(endpoint(server), new Recorder("it") {
                @Override
                public void onReceive(final Connection connection, final ReceiveSegment segment) {
                    segment.retain();
                    held.add(segment);
                }
            });
            try (Socket peer = server.accept()) {
                peer.getOutputStream()
                        .write("kept for long".repeat(1000).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                until(() -> !held.isEmpty());
                transport.close();
                assertThat((char) Memory.getByte(held.getFirst().address())).isEqualTo('k');
                held.forEach(ReceiveSegment::release);
                assertThat(arena.lentBytes()).isZero();
            }
        }
    }

    @Test
    void shouldServeOneThreadOnly() throws InterruptedException {
        transport.poll(System.nanoTime());
        final AtomicReference<Throwable> refused = new AtomicReference<>();
        transport.listen(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0), ListenOptions.DEFAULT, accepting());
        Thread.ofPlatform()
                .start(() -> {
                    try {
                        transport.poll(System.nanoTime());
                    } catch (final IllegalStateException thrown) {
                        refused.set(thrown);
                    }
                })
                .join();
        assertThat(refused.get()).hasMessageContaining("thread");
        transport.poll(System.nanoTime());
    }

    @Test
    void shouldMakeNothingWhereTheKernelRefuses() {
        assertThatThrownBy(() -> new Ring(3, 1)).hasMessageContaining(Errno.name(Errno.EINVAL));
    }

    private void until(final BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            transport.poll(System.nanoTime());
        }
    }

    private void turns(final int count) {
        for (int turn = 0; turn < count; turn++) {
            transport.poll(System.nanoTime());
        }
    }

    private static Endpoint endpoint(final ServerSocket server) {
        return new Endpoint.Tcp(InetAddress.getLoopbackAddress(), server.getLocalPort());
    }

    private static AcceptHandler accepting() {
        return new AcceptHandler() {
            @Override
            public ConnectionHandler onAccept(final Connection connection) {
                return null;
            }

            @Override
            public void onAcceptError(final int errno) {}
        };
    }

    private class Recorder implements ConnectionHandler {
        private final String name;

        private Recorder(final String name) {
            this.name = name;
        }

        @Override
        public void onConnected(final Connection connection) {
            events.add(name + " connected");
        }

        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            events.add(name + " received " + segment.length());
        }

        @Override
        public void onEndOfStream(final Connection connection) {
            events.add(name + " ended");
        }

        @Override
        public void onWritable(final Connection connection) {
            events.add(name + " writable");
        }

        @Override
        public void onClosed(final Connection connection, final int errno) {
            events.add(name + " closed " + errno);
        }
    }
}
