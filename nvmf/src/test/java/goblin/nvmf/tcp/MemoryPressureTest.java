// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import goblin.testkit.Mischief;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens when there is hardly any memory: everybody waits for his turn, and everything is done. */
class MemoryPressureTest {
    private static final int MIB = 1 << 20;
    private static final long SLOW_NS = 20_000_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldProgressWithTheSmallestArena(final boolean digests) {
        final ScriptedPair.Medium medium = new ScriptedPair.Medium(16 * MIB, SLOW_NS);
        final TcpOptions options = TargetRig.options(MIB, MIB, 8192, 0, MIB, MIB);
        final RawOptions host = RawOptions.PLAIN.digests(digests, digests);
        try (TargetRig rig = new TargetRig(options, Mischief.NONE, side -> new ScriptedPair(side, medium));
                RawQueue first = TcpQueueTest.ioQueue(rig, host);
                RawQueue second = TcpQueueTest.ioQueue(rig, host)) {
            final CompletableFuture<Void> other = CompletableFuture.runAsync(() -> writeMany(first, 0, 4));
            writeMany(second, 8, 4);
            other.join();
            assertThat(rig.counter(TcpCounter.WAITS)).isPositive();
            assertMedium(medium, 0, 4);
            assertMedium(medium, 8, 4);
            assertThat(TcpQueueTest.read(first, 8 * MIB / 512, MIB)).isEqualTo(TcpQueueTest.bytes(MIB));
        }
    }

    @Test
    void shouldPauseReadingWhenInCapsuleDataHasNoPlace() {
        final ScriptedPair.Medium medium = new ScriptedPair.Medium(4 * MIB, 0);
        final TcpOptions options = TargetRig.copied(TargetRig.options(MIB, MIB, 8192, 0, MIB, 4 * MIB));
        try (TargetRig rig = new TargetRig(options, Mischief.NONE, side -> new ScriptedPair(side, medium));
                RawQueue hoarder = TcpQueueTest.ioQueue(rig, RawOptions.PLAIN);
                RawQueue queue = TcpQueueTest.ioQueue(rig, RawOptions.DIGESTS)) {
            medium.delay(50 * SLOW_NS);
            final List<Integer> reads = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                reads.add(hoarder.submit(
                        SqeBuilder.io(Opcode.READ, 1, 0, MIB / 512).sgl(SqeBuilder.TRANSPORT, MIB), null));
            }
            await().until(() -> rig.counter(TcpCounter.WAITING) > 0);
            final List<Integer> writes = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                writes.add(queue.submit(
                        SqeBuilder.io(Opcode.WRITE, 1, 2 * MIB / 512 + i * 16L, 16), TcpQueueTest.bytes(8192)));
            }
            await().until(() -> rig.counter(TcpCounter.PAUSES) > 0);
            medium.delay(0);
            writes.forEach(cid -> assertThat(queue.await(cid).status()).isZero());
            reads.forEach(cid -> assertThat(hoarder.await(cid).status()).isZero());
            for (int i = 0; i < 10; i++) {
                final int from = 2 * MIB + i * 8192;
                assertThat(Arrays.copyOfRange(medium.bytes(), from, from + 8192))
                        .isEqualTo(TcpQueueTest.bytes(8192));
            }
        }
    }

    @Test
    void shouldCopyPastTheWatermark() {
        final ScriptedPair.Medium medium = new ScriptedPair.Medium(16 * MIB, 200_000_000);
        final TcpOptions options = TargetRig.options(MIB, MIB, 8192, 0, 8 * MIB, MIB);
        try (TargetRig rig = new TargetRig(options, Mischief.NONE, side -> new ScriptedPair(side, medium));
                RawQueue queue = TcpQueueTest.ioQueue(rig, RawOptions.PLAIN)) {
            final List<Integer> cids = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                cids.add(queue.submit(
                        SqeBuilder.io(Opcode.WRITE, 1, (long) i * MIB / 512, MIB / 512), TcpQueueTest.bytes(MIB)));
            }
            cids.forEach(cid -> assertThat(queue.await(cid).status()).isZero());
            assertThat(rig.counter(TcpCounter.COPIED_WATERMARK_BYTES)).isPositive();
            assertThat(rig.counter(TcpCounter.IN_PLACE_BYTES)).isPositive();
            assertMedium(medium, 0, 6);
        }
    }

    private static void writeMany(final RawQueue queue, final int fromMib, final int count) {
        final List<Integer> cids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            cids.add(queue.submit(
                    SqeBuilder.io(Opcode.WRITE, 1, (fromMib + i) * (MIB / 512L), MIB / 512), TcpQueueTest.bytes(MIB)));
        }
        cids.forEach(cid -> assertThat(queue.await(cid).status()).isZero());
    }

    private static void assertMedium(final ScriptedPair.Medium medium, final int fromMib, final int count) {
        for (int i = fromMib; i < fromMib + count; i++) {
            assertThat(Arrays.copyOfRange(medium.bytes(), i * MIB, (i + 1) * MIB))
                    .isEqualTo(TcpQueueTest.bytes(MIB));
        }
    }
}
