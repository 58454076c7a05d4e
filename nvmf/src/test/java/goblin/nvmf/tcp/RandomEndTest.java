// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawConnection;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import goblin.testkit.Mischief;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Connections that end anywhere leave nothing behind, and harm nobody. {@code -Dgoblin.nvmf.ends=10000} runs as many as
 * the whole proof wants.
 */
class RandomEndTest {
    private static final int ENDS = Integer.getInteger("goblin.nvmf.ends", 1000);

    @Test
    @DisplayName("N04, N11, N57: connections that end at random points of set-up or transfer")
    void n57_shouldLeaveNothingOfConnectionsThatEndAnywhere() {
        final ScriptedPair.Medium medium = new ScriptedPair.Medium(8 << 20, 1_000_000);
        final Random random = new Random(57);
        try (TargetRig rig = new TargetRig(
                TargetRig.options(1 << 20, 1 << 20, 8192, 0, 2 << 20, 2 << 20),
                Mischief.NONE,
                transport -> new ScriptedPair(transport, medium))) {
            final AtomicBoolean over = new AtomicBoolean();
            final CompletableFuture<Integer> good = CompletableFuture.supplyAsync(() -> beGood(rig, over));
            try {
                for (int i = 0; i < ENDS; i++) {
                    endSomewhere(rig, random);
                }
            } finally {
                over.set(true);
            }
            assertThat(good.join()).as("rounds of the good host").isPositive();
            rig.awaitNothingInUse();
            assertThat(rig.counter(TcpCounter.ACCEPTED)).isEqualTo(ENDS + 1L);
            assertThat(medium.closed()).isEqualTo(ENDS + 1);
            assertThat(medium.atStorage()).isZero();
        }
    }

    private static int beGood(final TargetRig rig, final AtomicBoolean over) {
        int rounds = 0;
        try (RawQueue queue = TcpQueueTest.ioQueue(rig, RawOptions.DIGESTS)) {
            while (!over.get()) {
                final byte[] data = TcpQueueTest.bytes(512 << (rounds % 12));
                TcpQueueTest.write(queue, 8192, data);
                assertThat(TcpQueueTest.read(queue, 8192, data.length)).isEqualTo(data);
                rounds++;
            }
        }
        return rounds;
    }

    /** Sends a prefix of a conversation and ends by FIN, reset, or both sides' silence. */
    private static void endSomewhere(final TargetRig rig, final Random random) {
        final byte[] all = conversation(random);
        final int sent = random.nextInt(8) == 0 ? all.length : random.nextInt(all.length + 1);
        try (RawConnection connection = RawConnection.open(rig.address(), 0)) {
            final int first = random.nextInt(sent + 1);
            if (connection.trySendBytes(Arrays.copyOf(all, first))) {
                connection.trySendBytes(Arrays.copyOfRange(all, first, sent));
            }
            // Or else, by leaving, with what was received unread or not.
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

    private static byte[] conversation(final Random random) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(PduBuilder.icReq(false, false).bytes());
        all.writeBytes(PduBuilder.capsule(SqeBuilder.connect(1, 31, 4, 0).cid(1).sgl(SqeBuilder.IN_CAPSULE, 1024))
                .data(new ConnectData("nqn.2014-08.org.example:a").bytes())
                .bytes());
        final int commands = random.nextInt(6);
        for (int i = 0; i < commands; i++) {
            final int blocks = 1 + random.nextInt(16);
            final SqeBuilder io = SqeBuilder.io(random.nextBoolean() ? Opcode.WRITE : Opcode.READ, 1, 0, blocks)
                    .cid(10 + i);
            final boolean write = io.bytes()[0] == Opcode.WRITE;
            if (write && random.nextBoolean()) {
                all.writeBytes(PduBuilder.capsule(io.sgl(SqeBuilder.IN_CAPSULE, blocks * 512L))
                        .data(new byte[blocks * 512])
                        .bytes());
            } else {
                all.writeBytes(PduBuilder.capsule(io.sgl(SqeBuilder.TRANSPORT, blocks * 512L))
                        .bytes());
            }
        }
        // A guess at a transfer tag: it may be asked for, or be a reason to end.
        final byte[] data = new byte[512 * (1 + random.nextInt(16))];
        all.writeBytes(PduBuilder.h2cData(10, 1 + random.nextInt(3), 0, data).bytes());
        return all.toByteArray();
    }
}
