// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.net.FaultReporter;
import goblin.nvmf.namespace.Namespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.namespace.NamespaceSpec;
import goblin.nvmf.namespace.Namespaces;
import goblin.nvmf.namespace.StorageWorkers;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawConnection;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.Subsystem;
import goblin.nvmf.target.SubsystemOptions;
import goblin.nvmf.target.Target;
import goblin.nvmf.target.TargetOptions;
import goblin.testkit.Mischief;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@link RandomEndTest} with a whole target: controllers and queues come back, too. */
class TargetRandomEndTest {
    private static final int ENDS = Integer.getInteger("goblin.nvmf.ends", 1000);
    private static final String NQN = "nqn.2026-01.io.example:ends";

    @Test
    @DisplayName("N04, N11, N57: whole hosts that end at random points")
    void n57_shouldLeaveNothingOfHostsThatEndAnywhere() throws NamespaceException {
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        final Subsystem subsystem =
                target.addSubsystem(SubsystemOptions.named(NQN).withAnyHost());
        final Random random = new Random(5);
        try (StorageWorkers workers = new StorageWorkers(1, FaultReporter.STANDARD_ERROR);
                Namespace namespace = Namespaces.open(NamespaceSpec.parse("mem:16M"), 512, NQN, 1, workers)) {
            subsystem.addNamespace(1, namespace, 1);
            try (TargetRig rig = new TargetRig(TargetRig.options(), Mischief.NONE, target::open)) {
                final AtomicBoolean over = new AtomicBoolean();
                final CompletableFuture<Integer> good = CompletableFuture.supplyAsync(() -> beGood(rig, over));
                try {
                    await().until(() -> !subsystem.controllers().isEmpty());
                    final int id = subsystem.controllers().getFirst().id();
                    for (int i = 0; i < ENDS; i++) {
                        endSomewhere(rig, random.nextBoolean() ? admin(random) : io(random, id, 2 + i % 100), random);
                    }
                } finally {
                    over.set(true);
                }
                assertThat(good.join()).as("rounds of the good host").isPositive();
                rig.awaitNothingInUse();
                await().untilAsserted(() ->
                        assertThat(subsystem.controllers()).as("controllers").isEmpty());
            }
        }
    }

    private static int beGood(final TargetRig rig, final AtomicBoolean over) {
        int rounds = 0;
        try (RawInitiator host = RawInitiator.open(rig.address(), NQN, RawOptions.DIGESTS);
                RawQueue queue = host.queue(1, 32)) {
            while (!over.get()) {
                final byte[] data = TcpQueueTest.bytes(512 << (rounds % 12));
                TcpQueueTest.write(queue, 16_384, data);
                assertThat(TcpQueueTest.read(queue, 16_384, data.length)).isEqualTo(data);
                rounds++;
            }
        }
        return rounds;
    }

    private static void endSomewhere(final TargetRig rig, final byte[] all, final Random random) {
        final int sent = random.nextInt(4) == 0 ? all.length : random.nextInt(all.length + 1);
        try (RawConnection connection = RawConnection.open(rig.address(), 0)) {
            final int first = random.nextInt(sent + 1);
            if (connection.trySendBytes(Arrays.copyOf(all, first))) {
                connection.trySendBytes(Arrays.copyOfRange(all, first, sent));
            }
            switch (random.nextInt(3)) {
                case 0 -> connection.reset();
                case 1 -> {
                    connection.shutdownSend();
                    connection.expectClosed();
                }
                default -> {}
            }
        }
    }

    private static byte[] admin(final Random random) {
        final ByteArrayOutputStream all = opened(SqeBuilder.connect(0, 31, 4, 1000), new ConnectData(NQN));
        all.writeBytes(PduBuilder.capsule(
                        SqeBuilder.propertySet(0x14, RawInitiator.ENABLE).cid(2))
                .bytes());
        all.writeBytes(PduBuilder.capsule(SqeBuilder.identify(1, 0).cid(3)).bytes());
        for (int i = 0; i < random.nextInt(5); i++) {
            all.writeBytes(PduBuilder.capsule(
                            SqeBuilder.opcode(Opcode.ASYNC_EVENT_REQUEST).cid(10 + i))
                    .bytes());
        }
        all.writeBytes(PduBuilder.capsule(SqeBuilder.logPage(2, 512, 0).cid(4)).bytes());
        all.writeBytes(
                PduBuilder.capsule(SqeBuilder.opcode(Opcode.KEEP_ALIVE).cid(5)).bytes());
        return all.toByteArray();
    }

    private static byte[] io(final Random random, final int controller, final int qid) {
        final ByteArrayOutputStream all =
                opened(SqeBuilder.connect(qid, 31, 4, 0), new ConnectData(NQN).controllerId(controller));
        for (int i = 0; i < random.nextInt(8); i++) {
            final int blocks = 1 + random.nextInt(64);
            final boolean write = random.nextBoolean();
            final SqeBuilder io = SqeBuilder.io(write ? Opcode.WRITE : Opcode.READ, 1, 0, blocks)
                    .cid(10 + i);
            if (write && blocks <= 16) {
                all.writeBytes(PduBuilder.capsule(io.sgl(SqeBuilder.IN_CAPSULE, blocks * 512L))
                        .data(new byte[blocks * 512])
                        .bytes());
            } else {
                all.writeBytes(PduBuilder.capsule(io.sgl(SqeBuilder.TRANSPORT, blocks * 512L))
                        .bytes());
            }
        }
        return all.toByteArray();
    }

    private static ByteArrayOutputStream opened(final SqeBuilder connect, final ConnectData data) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(PduBuilder.icReq(false, false).bytes());
        all.writeBytes(PduBuilder.capsule(connect.cid(1).sgl(SqeBuilder.IN_CAPSULE, 1024))
                .data(data.bytes())
                .bytes());
        return all;
    }
}
