// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.FaultReporter;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import goblin.testkit.Mischief;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pair runs when both have their data: the second must not wait for what the first holds. */
class FusedMemoryTest {
    private static final int MIB = 1 << 20;
    private static final String NQN = "nqn.2026-01.io.example:fused";
    private static final int PAIRS = 4;

    @ParameterizedTest
    @DisplayName("N53: fused pairs with the smallest arena, all copied")
    @ValueSource(ints = {4096, 8192, 65_536, MIB})
    void n53_shouldRunPairsWithTheSmallestArena(final int bytes) throws NamespaceException {
        final TcpOptions options = TargetRig.copied(TargetRig.options(MIB, MIB, 8192, 0, MIB, 4 * MIB));
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        try (StorageWorkers workers = new StorageWorkers(1, FaultReporter.STANDARD_ERROR);
                Namespace namespace = Namespaces.open(NamespaceSpec.parse("mem:32M"), 512, NQN, 1, workers)) {
            target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost()).addNamespace(1, namespace, 1);
            try (TargetRig rig = new TargetRig(options, Mischief.NONE, target::open);
                    RawInitiator host = RawInitiator.open(rig.address(), NQN, RawOptions.PLAIN)) {
                final List<CompletableFuture<Void>> all = new ArrayList<>();
                for (int qid = 1; qid <= 4; qid++) {
                    final RawQueue queue = host.queue(qid, 32);
                    final long block = (long) qid * PAIRS * MIB / 512;
                    all.add(CompletableFuture.runAsync(() -> runPairs(queue, block, bytes)));
                }
                all.forEach(CompletableFuture::join);
            }
        }
    }

    @Test
    @DisplayName("N53: what a pair and other writes wait for is behind a capsule that has no place")
    void n53_shouldReadWhatAPairWaitsForBehindACapsuleWithoutAPlace() throws NamespaceException {
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        try (StorageWorkers workers = new StorageWorkers(1, FaultReporter.STANDARD_ERROR);
                Namespace namespace = Namespaces.open(NamespaceSpec.parse("mem:4M"), 512, NQN, 1, workers)) {
            target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost()).addNamespace(1, namespace, 1);
            final TcpOptions options = TargetRig.copied(TargetRig.options(MIB, MIB, 8192, 0, MIB, MIB));
            try (MemoryRig rig = new MemoryRig(options, target::open)) {
                final MemoryNetwork.Wire queue = rig.associated(NQN);
                queue.arrive(FairMemoryTest.write(1, MIB));
                queue.arrive(capsule(SqeBuilder.io(Opcode.COMPARE, 1, 4096, 16).u8(1, 0x41), 2));
                queue.arrive(PduBuilder.capsule(SqeBuilder.io(Opcode.WRITE, 1, 4096, 16)
                                .u8(1, 0x42)
                                .cid(3)
                                .sgl(SqeBuilder.TRANSPORT, 8192))
                        .bytes());
                queue.arrive(capsule(SqeBuilder.io(Opcode.WRITE, 1, 5000, 16), 4));
                queue.arrive(PduBuilder.h2cData(1, 1, 0, new byte[MIB]).bytes());
                queue.arrive(PduBuilder.h2cData(3, 3, 0, new byte[8192]).bytes());
                rig.pass(Duration.ofSeconds(3));
                assertThat(MemoryRig.sent(queue)).containsExactly(PduType.R2T, PduType.R2T);
                assertThat(rig.counter(TcpCounter.PAUSES)).isEqualTo(1);
                rig.pass(Duration.ofSeconds(4));
                assertThat(MemoryRig.sent(queue)).containsExactly(nCopies(4, PduType.CAPSULE_RESP));
                assertThat(rig.counter(TcpCounter.CAPSULES_GIVEN_UP)).isEqualTo(1);
            }
        }
    }

    private static Integer[] nCopies(final int count, final int type) {
        return Collections.nCopies(count, type).toArray(Integer[]::new);
    }

    private static byte[] capsule(final SqeBuilder sqe, final int cid) {
        return PduBuilder.capsule(sqe.cid(cid).sgl(SqeBuilder.IN_CAPSULE, 8192))
                .data(new byte[8192])
                .bytes();
    }

    private static void runPairs(final RawQueue queue, final long block, final int bytes) {
        final List<Integer> cids = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            final long at = block + (long) i * bytes / 512;
            cids.add(queue.submit(
                    SqeBuilder.io(Opcode.COMPARE, 1, at, bytes / 512).u8(1, 0x41), new byte[bytes]));
            cids.add(queue.submit(
                    SqeBuilder.io(Opcode.WRITE, 1, at, bytes / 512).u8(1, 0x42), TcpQueueTest.bytes(bytes)));
        }
        cids.forEach(cid -> assertThat(queue.await(cid).status()).isZero());
        assertThat(TcpQueueTest.read(queue, block, bytes)).isEqualTo(TcpQueueTest.bytes(bytes));
    }
}
