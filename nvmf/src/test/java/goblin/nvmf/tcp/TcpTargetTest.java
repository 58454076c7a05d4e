// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.NetException;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.RawConnection;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.target.ScriptedPair;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TcpTargetTest {
    private final ScriptedPair.Medium medium = new ScriptedPair.Medium(1 << 20, 0);
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();

    @Test
    void shouldServeFromSeveralLoopsAtOnePort() {
        try (TcpTarget target = target(2, 100)) {
            final List<RawQueue> queues = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                queues.add(open(target));
            }
            assertThat(target.connections())
                    .hasSize(32)
                    .allMatch(one -> one.queue().equals("scripted queue"));
            assertThat(target.connections().stream()
                            .collect(Collectors.groupingBy(TcpTarget.ConnectionInfo::loop, Collectors.counting())))
                    .as("each loop has half of the host's")
                    .isEqualTo(Map.of("nvmf-0", 16L, "nvmf-1", 16L));
            for (final RawQueue queue : queues) {
                TcpQueueTest.write(queue, 0, TcpQueueTest.bytes(4096));
                queue.close();
            }
            await().until(() -> target.counter(TcpCounter.CONNECTIONS) == 0);
            assertThat(target.connections()).isEmpty();
            assertThat(target.counter(TcpCounter.ACCEPTED)).isEqualTo(32);
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void shouldRefuseMoreConnectionsThanAllowed() {
        try (TcpTarget target = target(1, 2);
                RawQueue first = open(target);
                RawQueue second = open(target)) {
            try (RawConnection third = RawConnection.open(address(target), 0)) {
                assertThat(third.receive()).isNull();
            }
            assertThat(target.counter(TcpCounter.REFUSED)).isEqualTo(1);
            assertThat(lines).anyMatch(line -> line.contains("refused"));
            first.wire().reset();
            await().until(() -> target.counter(TcpCounter.CONNECTIONS) == 1);
            try (RawQueue again = open(target)) {
                TcpQueueTest.write(again, 0, TcpQueueTest.bytes(4096));
            }
            TcpQueueTest.write(second, 0, TcpQueueTest.bytes(4096));
        }
    }

    @Test
    void shouldEndConnectionsWhenItStops() {
        final TcpTarget target = target(2, 100);
        try (RawQueue one = open(target);
                RawQueue two = open(target)) {
            target.stop();
            assertThat(one.wire().receive()).isNull();
            assertThat(two.wire().receive()).isNull();
            assertThat(medium.closed()).isEqualTo(2);
            assertThatThrownBy(() -> RawConnection.open(address(target), 0)).isInstanceOf(Exception.class);
        }
        target.stop();
        assertThat(faults).isEmpty();
    }

    @Test
    void shouldEndTheOthersWhenALoopHasFailed() {
        final TcpTarget target = target(2, 100);
        final List<RawQueue> queues = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                queues.add(open(target));
            }
            target.loops().getLast().execute(() -> {
                throw new OutOfMemoryError("of a test");
            });
            await().until(() -> target.loops().getLast().failure() != null);

            target.stop();

            for (final RawQueue queue : queues) {
                assertThat(endsSomehow(queue)).isTrue();
            }
            assertThatThrownBy(() -> RawConnection.open(address(target), 0)).isInstanceOf(Exception.class);
        } finally {
            target.stop();
            queues.forEach(RawQueue::close);
        }
    }

    @Test
    void shouldHandConnectionsToNoLoopThatHasFailed() {
        final TcpTarget target = target(2, 100);
        final List<RawQueue> queues = new ArrayList<>();
        try {
            target.loops().getLast().execute(() -> {
                throw new OutOfMemoryError("of a test");
            });
            await().until(() -> target.loops().getLast().failure() != null);
            for (int i = 0; i < 4; i++) {
                queues.add(open(target));
            }
            assertThat(target.connections())
                    .hasSize(4)
                    .allMatch(one -> one.loop().equals("nvmf-0"));
        } finally {
            target.stop();
            queues.forEach(RawQueue::close);
        }
    }

    @Test
    void shouldLoseNothingWhenConnectionsEndWhileTheyAreHandedOver() {
        try (TcpTarget target = target(4, 100)) {
            final Random random = new Random(1);
            final List<RawConnection> some = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                some.add(RawConnection.open(address(target), 0));
                if (some.size() > 8 || random.nextInt(3) == 0) {
                    final RawConnection gone = some.remove(random.nextInt(some.size()));
                    if (random.nextBoolean()) {
                        gone.reset();
                    }
                    gone.close();
                }
            }
            some.forEach(RawConnection::close);
            await().until(() -> target.counter(TcpCounter.ACCEPTED) == 500);
            await().until(() -> target.counter(TcpCounter.CONNECTIONS) == 0);
            for (int i = 0; i < 4; i++) {
                final RawQueue queue = open(target);
                TcpQueueTest.write(queue, 0, TcpQueueTest.bytes(4096));
            }
            assertThat(target.connections().stream().map(TcpTarget.ConnectionInfo::loop))
                    .as("the counts are right")
                    .containsExactlyInAnyOrder("nvmf-0", "nvmf-1", "nvmf-2", "nvmf-3");
        }
        assertThat(faults).isEmpty();
    }

    private static boolean endsSomehow(final RawQueue queue) {
        try {
            return queue.wire().receive() == null;
        } catch (final UncheckedIOException reset) {
            return true;
        }
    }

    @Test
    void shouldNotStartWithoutOneOfItsCpus() {
        final TcpOptions options =
                options(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0), List.of(EventLoop.ANY_CPU, 8191), 100);
        try (TcpTarget target = new TcpTarget(
                options, side -> new ScriptedPair(side, medium), lines::add, (where, fault) -> faults.add(fault))) {
            assertThatThrownBy(target::start).isInstanceOf(NetException.class).hasMessageContaining("CPU 8191");
        }
    }

    @Test
    void shouldSayWhereItCannotListen() {
        try (TcpTarget target = target(1, 100)) {
            final TcpOptions same = options(target.endpoints().getFirst(), 1, 100);
            assertThatThrownBy(() -> new TcpTarget(
                            same, side -> new ScriptedPair(side, medium), lines::add, (where, fault) -> {}))
                    .isInstanceOf(NetException.class)
                    .hasMessageContaining(target.endpoints().getFirst().toString());
        }
    }

    private RawQueue open(final TcpTarget target) {
        final RawQueue queue = RawQueue.open(address(target), RawOptions.PLAIN, 8192);
        assertThat(queue.connect(1, 31, new ConnectData("nqn.2014-08.org.example:a"))
                        .status())
                .isZero();
        return queue;
    }

    private static InetSocketAddress address(final TcpTarget target) {
        final Endpoint.Tcp endpoint = target.endpoints().getFirst();
        return new InetSocketAddress(endpoint.address(), endpoint.port());
    }

    private TcpTarget target(final int loops, final int connections) {
        final TcpTarget target = new TcpTarget(
                options(new Endpoint.Tcp(InetAddress.getLoopbackAddress(), 0), loops, connections),
                side -> new ScriptedPair(side, medium),
                lines::add,
                (where, fault) -> faults.add(fault));
        target.start();
        return target;
    }

    private static TcpOptions options(final Endpoint.Tcp listen, final int loops, final int connections) {
        return options(listen, Collections.nCopies(loops, EventLoop.ANY_CPU), connections);
    }

    private static TcpOptions options(final Endpoint.Tcp listen, final List<Integer> cpus, final int connections) {
        final TcpOptions base = TcpOptions.defaults(listen);
        return new TcpOptions(
                base.listen(),
                cpus,
                IdlePolicy.BACKOFF,
                base.maxIoBytes(),
                base.maxDataBytes(),
                base.inCapsuleBytes(),
                base.dataAlignment(),
                base.headerDigest(),
                base.dataDigest(),
                4 << 20,
                4 << 20,
                base.receive(),
                TestedSockets.BACKEND,
                base.files(),
                connections,
                true);
    }
}
