// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawConnection;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who gets memory when, and who loses it: time is turned by hand. */
class HandTurnedLoopTest {
    private static final int MIB = 1 << 20;
    private static final String NQN = "nqn.2014-08.org.example:a";

    private final TcpOptions options = TargetRig.options(MIB, MIB, 8192, 0, MIB, MIB);
    private final Transport transport = TestedSockets.open(
            new SegmentArena(options.receiveBytes(), true, FaultReporter.STANDARD_ERROR), FaultReporter.STANDARD_ERROR);
    private final EventLoop loop = new EventLoop("by hand", transport, IdlePolicy.SPIN);
    private final List<String> lines = new ArrayList<>();
    private final ScriptedPair.Medium medium = new ScriptedPair.Medium(4 * MIB, 0);
    private final TcpLoop tcp = new TcpLoop(
            loop,
            options,
            new ConnectionLimit(10),
            side -> new ScriptedPair(side, medium),
            VectorMemory.HEAP,
            lines::add);
    private final Listener listener = transport.listen(options.listen().getFirst(), ListenOptions.DEFAULT, tcp);
    private long skippedNs;

    @AfterEach
    void everythingShouldComeBack() {
        tcp.endAll(null);
        turnUntil(() -> tcp.queues().size() == 0);
        assertThat(tcp.usedBytes()).isZero();
        assertThat(transport.lentBytes()).isZero();
        loop.close();
        tcp.destroy();
    }

    @Test
    void shouldCloseAHostThatTakesNothingWhileOthersWait() {
        try (RawQueue stalled = turning(() -> open(RawOptions.PLAIN.receiveBuffer(4096)));
                RawQueue other = turning(() -> open(RawOptions.PLAIN))) {
            for (int i = 0; i < 8; i++) {
                stalled.submit(SqeBuilder.io(Opcode.READ, 1, 0, MIB / 512).sgl(SqeBuilder.TRANSPORT, MIB), null);
            }
            turnUntil(() -> tcp.usedBytes() == MIB && tcp.credit().waiting() > 0);
            final int cid =
                    other.submit(SqeBuilder.io(Opcode.READ, 1, 0, MIB / 512).sgl(SqeBuilder.TRANSPORT, MIB), null);
            final int waiting = tcp.credit().waiting();
            turnUntil(() -> tcp.credit().waiting() > waiting);

            skip(Duration.ofSeconds(29));
            assertThat(tcp.counters().get(TcpCounter.STALLED)).isZero();
            skip(Duration.ofSeconds(3));
            assertThat(tcp.counters().get(TcpCounter.STALLED)).isEqualTo(1);
            assertThat(lines).anyMatch(line -> line.contains("took or sent too little data"));
            assertThat(turning(() -> other.await(cid)).data()).hasSize(MIB);
        }
    }

    @Test
    void shouldLetAHostTakeItsTimeWhileNobodyWaits() {
        try (RawQueue slow = turning(() -> open(RawOptions.PLAIN.receiveBuffer(4096)))) {
            // It waits for nobody but itself.
            final List<Integer> cids = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                cids.add(slow.submit(SqeBuilder.io(Opcode.READ, 1, 0, MIB / 512).sgl(SqeBuilder.TRANSPORT, MIB), null));
            }
            turnUntil(() -> tcp.usedBytes() == MIB && tcp.credit().waiting() > 0);
            skip(Duration.ofSeconds(100));
            assertThat(tcp.counters().get(TcpCounter.STALLED)).isZero();
            cids.forEach(
                    cid -> assertThat(turning(() -> slow.await(cid)).data()).hasSize(MIB));
        }
    }

    @Test
    void shouldCloseAHostThatSendsNothingItWasAskedForWhileOthersWait() {
        try (RawQueue silent = turning(() -> open(RawOptions.PLAIN));
                RawQueue other = turning(() -> open(RawOptions.PLAIN))) {
            silent.wire()
                    .send(PduBuilder.capsule(
                            SqeBuilder.io(Opcode.WRITE, 1, 0, MIB / 512).cid(1).sgl(SqeBuilder.TRANSPORT, MIB)));
            turning(() -> silent.expectR2t(1));
            final int cid =
                    other.submit(SqeBuilder.io(Opcode.READ, 1, 0, MIB / 512).sgl(SqeBuilder.TRANSPORT, MIB), null);
            turnUntil(() -> tcp.credit().waiting() == 1);
            skip(Duration.ofSeconds(29));
            assertThat(tcp.counters().get(TcpCounter.STALLED)).isZero();
            skip(Duration.ofSeconds(3));
            assertThat(tcp.counters().get(TcpCounter.STALLED)).isEqualTo(1);
            assertThat(turning(() -> other.await(cid)).data()).hasSize(MIB);
        }
    }

    @Test
    void shouldServeConnectionsInTurns() {
        try (RawQueue greedy = turning(() -> open(RawOptions.PLAIN));
                RawQueue modest = turning(() -> open(RawOptions.PLAIN))) {
            medium.delay(Duration.ofSeconds(20).toNanos());
            final SqeBuilder read = SqeBuilder.io(Opcode.READ, 1, 0, MIB / 512).sgl(SqeBuilder.TRANSPORT, MIB);
            final List<Integer> many = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                many.add(greedy.submit(read, null));
            }
            turnUntil(() -> tcp.credit().waiting() == 7);
            final int one = modest.submit(read, null);
            turnUntil(() -> tcp.credit().waiting() == 8);

            // The one that has memory, then the connection that has none, and one of the seven.
            for (int done = 0; done < 3; done++) {
                skip(Duration.ofSeconds(21));
                final int cid = done == 1 ? one : many.get(done / 2);
                final RawQueue whose = done == 1 ? modest : greedy;
                assertThat(turning(() -> whose.await(cid)).data()).hasSize(MIB);
            }
            medium.delay(0);
            skip(Duration.ofSeconds(21));
            many.subList(2, 8)
                    .forEach(cid ->
                            assertThat(turning(() -> greedy.await(cid)).data()).hasSize(MIB));
        }
    }

    @Test
    void shouldCloseAHostThatNeverOpens() {
        try (RawConnection silent = RawConnection.open(address(), 0)) {
            turnUntil(() -> tcp.queues().size() == 1);
            skip(Duration.ofSeconds(29));
            assertThat(tcp.queues().size()).isEqualTo(1);
            skip(Duration.ofSeconds(3));
            assertThat(tcp.queues().size()).isZero();
            assertThat(silent.receive()).isNull();
        }
    }

    private RawQueue open(final RawOptions how) {
        final RawQueue queue = RawQueue.open(address(), how, 8192);
        assertThat(queue.connect(1, 31, new ConnectData(NQN)).status()).isZero();
        return queue;
    }

    private InetSocketAddress address() {
        final Endpoint.Tcp endpoint = (Endpoint.Tcp) listener.endpoint();
        return new InetSocketAddress(endpoint.address(), endpoint.port());
    }

    /** Does something that blocks elsewhere while the loop turns here. */
    private <T> T turning(final Supplier<T> blocking) {
        final CompletableFuture<T> result = CompletableFuture.supplyAsync(blocking);
        turnUntil(result::isDone);
        return result.join();
    }

    private void turnUntil(final BooleanSupplier condition) {
        final long deadlineNs = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            loop.runOnce(System.nanoTime() + skippedNs);
            assertThat(deadlineNs - System.nanoTime()).as("time left").isPositive();
        }
    }

    private void skip(final Duration time) {
        skippedNs += time.toNanos();
        // The sweep, and what it leads to.
        for (int i = 0; i < 5; i++) {
            loop.runOnce(System.nanoTime() + skippedNs);
        }
    }
}
