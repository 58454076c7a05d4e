// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import goblin.testkit.Mischief;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TcpQueueTest {
    private static final int MEDIUM = 4 << 20;

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void shouldMoveDataBothWays(final boolean headerDigest, final boolean dataDigest) {
        final ScriptedPair.Medium medium = new ScriptedPair.Medium(MEDIUM, 0);
        final RawOptions options = RawOptions.PLAIN.digests(headerDigest, dataDigest);
        try (TargetRig rig = new TargetRig(
                        TargetRig.options(), Mischief.NONE, transport -> new ScriptedPair(transport, medium));
                RawQueue queue = ioQueue(rig, options)) {
            for (final int length : new int[] {512, 4096, 8192, 8704, 131_072, 1 << 20}) {
                final byte[] data = bytes(length);
                write(queue, length / 512, data);
                assertThat(Arrays.copyOfRange(medium.bytes(), length, 2 * length))
                        .isEqualTo(data);
                assertThat(read(queue, length / 512, length)).isEqualTo(data);
            }
        }
    }

    @Test
    void shouldCountSmallPiecesThatTheTransportCopiedAsCopied() {
        final ScriptedPair.Medium medium = new ScriptedPair.Medium(MEDIUM, 0);
        try (TargetRig rig = new TargetRig(
                        TargetRig.options(), Mischief.NONE, transport -> new ScriptedPair(transport, medium));
                RawQueue queue = ioQueue(rig, RawOptions.PLAIN)) {
            final long ofConnect = rig.counter(TcpCounter.COPIED_SMALL_BYTES);
            write(queue, 0, bytes(512));
            assertThat(rig.counter(TcpCounter.COPIED_SMALL_BYTES)).isEqualTo(ofConnect + 512);
            assertThat(rig.counter(TcpCounter.IN_PLACE_BYTES)).isZero();
            write(queue, 0, bytes(1 << 20));
            assertThat(rig.counter(TcpCounter.IN_PLACE_BYTES)).isPositive();
        }
    }

    static RawQueue ioQueue(final TargetRig rig, final RawOptions options) {
        final RawQueue queue = RawQueue.open(rig.address(), options, 8192);
        assertThat(queue.connect(1, 127, new ConnectData("nqn.2014-08.org.example:a"))
                        .status())
                .isZero();
        return queue;
    }

    static void write(final RawQueue queue, final long block, final byte[] data) {
        write(queue, block, data, 512);
    }

    static void write(final RawQueue queue, final long block, final byte[] data, final int blockBytes) {
        assertThat(queue.command(SqeBuilder.io(Opcode.WRITE, 1, block, data.length / blockBytes), data)
                        .status())
                .isZero();
    }

    static byte[] read(final RawQueue queue, final long block, final int length) {
        return read(queue, block, length, 512);
    }

    static byte[] read(final RawQueue queue, final long block, final int length, final int blockBytes) {
        return queue.command(SqeBuilder.io(Opcode.READ, 1, block, length / blockBytes)
                        .sgl(SqeBuilder.TRANSPORT, length))
                .data();
    }

    static byte[] bytes(final int length) {
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
