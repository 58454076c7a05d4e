// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.net.linux.Memory;
import goblin.nvmf.namespace.FileIo;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.QueueTransport;
import goblin.testkit.HostileConnection;
import goblin.testkit.HostileTransport;
import goblin.testkit.Mischief;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/** One loop of a target over loopback, whose transport may be hostile; at its end everything must have come back. */
final class TargetRig implements AutoCloseable {
    private final long allocatedBefore = Memory.allocatedBytes();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Transport transport;
    private final EventLoop loop;
    private final TcpLoop tcp;
    private final Listener listener;

    TargetRig(final TcpOptions options, final Mischief mischief, final Function<QueueTransport, QueuePair> opener) {
        this(options, mischief, 1, VectorMemory.HEAP, opener);
    }

    TargetRig(
            final TcpOptions options,
            final Mischief mischief,
            final long seed,
            final VectorMemory vectors,
            final Function<QueueTransport, QueuePair> opener) {
        final Transport plain = options.sockets()
                .open(
                        new SegmentArena(
                                options.receiveBytes(),
                                options.receive().segmentBytes(),
                                true,
                                (where, fault) -> faults.add(fault)),
                        ReceiveBudget.of(options).windowBytes(),
                        (where, fault) -> faults.add(fault));
        transport = mischief.equals(Mischief.NONE)
                ? plain
                : new HostileTransport(plain, seed, mischief, (where, fault) -> faults.add(fault));
        loop = new EventLoop("rig", transport, options.idle(), EventLoop.ANY_CPU, (where, fault) -> faults.add(fault));
        tcp = new TcpLoop(loop, options, new ConnectionLimit(options.maxConnections()), opener, vectors, lines::add);
        listener = transport.listen(options.listen().getFirst(), ListenOptions.DEFAULT, tcp);
        loop.start();
    }

    static TcpOptions options() {
        return options(1 << 20, 1 << 20, 8192, 0, 8 << 20, 8 << 20);
    }

    static TcpOptions options(
            final int maxIoBytes,
            final int maxDataBytes,
            final int inCapsuleBytes,
            final int alignment,
            final long transferBytes,
            final long segmentBytes) {
        final TcpOptions base = TcpOptions.defaults(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0));
        return new TcpOptions(
                base.listen(),
                base.cpus(),
                base.idle(),
                maxIoBytes,
                maxDataBytes,
                inCapsuleBytes,
                alignment,
                true,
                true,
                transferBytes,
                segmentBytes,
                base.receive(),
                TestedSockets.BACKEND,
                base.files(),
                base.maxConnections(),
                true);
    }

    /** The same with all payload copied. */
    static TcpOptions copied(final TcpOptions base) {
        return with(base, base.idle(), base.receive().withPath(ReceivePath.COPIED));
    }

    /** The same with a loop that never sleeps. */
    static TcpOptions spinning(final TcpOptions base) {
        return with(base, IdlePolicy.SPIN, base.receive());
    }

    /** The same with other receiving. */
    static TcpOptions receiving(final TcpOptions base, final ReceiveOptions how) {
        return with(base, base.idle(), how);
    }

    private static TcpOptions with(final TcpOptions base, final IdlePolicy idle, final ReceiveOptions how) {
        return new TcpOptions(
                base.listen(),
                base.cpus(),
                idle,
                base.maxIoBytes(),
                base.maxDataBytes(),
                base.inCapsuleBytes(),
                base.dataAlignment(),
                base.headerDigest(),
                base.dataDigest(),
                base.transferBytes(),
                base.receiveBytes(),
                how,
                TestedSockets.BACKEND,
                base.files(),
                base.maxConnections(),
                base.checking());
    }

    /** The same with other calls of the kernel for sockets and files. */
    static TcpOptions served(final TcpOptions base, final SocketBackend sockets, final FileIo files) {
        return new TcpOptions(
                base.listen(),
                base.cpus(),
                base.idle(),
                base.maxIoBytes(),
                base.maxDataBytes(),
                base.inCapsuleBytes(),
                base.dataAlignment(),
                base.headerDigest(),
                base.dataDigest(),
                base.transferBytes(),
                base.receiveBytes(),
                base.receive(),
                sockets,
                files,
                base.maxConnections(),
                base.checking());
    }

    InetSocketAddress address() {
        final Endpoint.Tcp endpoint = (Endpoint.Tcp) listener.endpoint();
        return new InetSocketAddress(endpoint.address(), endpoint.port());
    }

    long counter(final TcpCounter counter) {
        return tcp.counters().get(counter);
    }

    /** The loop's thread. */
    long threadId() {
        final CompletableFuture<Long> id = new CompletableFuture<>();
        loop.execute(() -> id.complete(Thread.currentThread().threadId()));
        return id.join();
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Does something to the connections that there are; only on a hostile transport. */
    void onConnections(final Consumer<HostileConnection> action) {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            ((HostileTransport) transport).connections().forEach(action);
            done.complete(null);
        });
        done.join();
    }

    /** Waits until all connections are gone and nothing of the loop's memory is in use. */
    void awaitNothingInUse() {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> {
                    assertThat(counter(TcpCounter.CONNECTIONS))
                            .as("connections")
                            .isZero();
                    final CompletableFuture<List<Long>> inUse = new CompletableFuture<>();
                    loop.execute(() -> inUse.complete(List.of(tcp.usedBytes(), transport.lentBytes())));
                    assertThat(inUse.join()).as("arena, segments").containsExactly(0L, 0L);
                    assertThat(counter(TcpCounter.REQUESTS)).as("requests").isZero();
                });
    }

    void noFaults() {
        assertThat(faults).as("faults").isEmpty();
    }

    @Override
    public void close() {
        try {
            loop.execute(() -> tcp.endAll(null));
            awaitNothingInUse();
            noFaults();
        } finally {
            loop.close();
            tcp.destroy();
        }
        assertThat(Memory.allocatedBytes()).as("native memory").isEqualTo(allocatedBefore);
    }
}
