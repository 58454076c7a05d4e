// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import goblin.testkit.Mischief;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Data arrives whole, and memory comes back, whatever the stack does to the stream. */
class HostileTransportTest {
    private static final int MEDIUM = 2 << 20;
    private static final int COMMANDS = 16;

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void shouldCarryDataWholeOverAnyCuts(
            @ForAll final long seed,
            @ForAll("mischief") final Mischief mischief,
            @ForAll final boolean headerDigest,
            @ForAll final boolean dataDigest,
            @ForAll("receiving") final ReceiveOptions receiving,
            @ForAll @IntRange(min = 1, max = 8) final int together) {
        final Random random = new Random(seed);
        // One byte at a time makes every byte a turn.
        final int longest = mischief.maxReceive() == 1 ? 32 : 256;
        final ScriptedPair.Medium medium = new ScriptedPair.Medium(MEDIUM, random.nextInt(3) * 100_000L);
        try (TargetRig rig = new TargetRig(
                        TargetRig.receiving(TargetRig.options(), receiving),
                        mischief,
                        seed,
                        VectorMemory.HEAP,
                        transport -> new ScriptedPair(transport, medium));
                RawQueue queue = TcpQueueTest.ioQueue(rig, RawOptions.PLAIN.digests(headerDigest, dataDigest))) {
            final byte[] expected = new byte[MEDIUM];
            for (int done = 0; done < COMMANDS; done += together) {
                writeTogether(queue, random, expected, together, longest);
            }
            assertThat(medium.bytes()).isEqualTo(expected);
            for (int done = 0; done < COMMANDS; done += together) {
                readTogether(queue, random, expected, together, longest);
            }
        }
    }

    @Provide
    Arbitrary<Mischief> mischief() {
        return Arbitraries.of(
                Mischief.CUTS, Mischief.ONE_BYTE, new Mischief(1448, 1448, 20, 2), new Mischief(97, 211, 50, 1));
    }

    @Provide
    Arbitrary<ReceiveOptions> receiving() {
        return Combinators.combine(
                        Arbitraries.of(1024, 1448, 4096, 65_536),
                        Arbitraries.of(ReceivePath.class),
                        Arbitraries.of(VectorMode.class),
                        Arbitraries.of(VectorRetention.class))
                .as((segment, path, mode, retention) -> ReceiveOptions.DEFAULT
                        .withSizes(segment, 65_536)
                        .withPath(path)
                        .withVectors(mode, retention));
    }

    private static void writeTogether(
            final RawQueue queue, final Random random, final byte[] expected, final int together, final int longest) {
        final List<Integer> cids = new ArrayList<>();
        for (int i = 0; i < together; i++) {
            // No two at a time overlap: which of them comes last is the medium's choice.
            final int blocks = 1 + random.nextInt(longest);
            final int first = i * (MEDIUM / 512 / together) + random.nextInt(MEDIUM / 512 / together - blocks + 1);
            final byte[] data = new byte[blocks * 512];
            random.nextBytes(data);
            System.arraycopy(data, 0, expected, first * 512, data.length);
            cids.add(queue.submit(SqeBuilder.io(Opcode.WRITE, 1, first, blocks), data));
        }
        cids.forEach(cid -> assertThat(queue.await(cid).status()).isZero());
    }

    private static void readTogether(
            final RawQueue queue, final Random random, final byte[] expected, final int together, final int longest) {
        final List<Integer> cids = new ArrayList<>();
        final List<Integer> firsts = new ArrayList<>();
        for (int i = 0; i < together; i++) {
            final int blocks = 1 + random.nextInt(longest);
            final int first = random.nextInt(MEDIUM / 512 - blocks + 1);
            firsts.add(first);
            cids.add(queue.submit(
                    SqeBuilder.io(Opcode.READ, 1, first, blocks).sgl(SqeBuilder.TRANSPORT, blocks * 512L), null));
        }
        for (int i = 0; i < together; i++) {
            final byte[] data = queue.await(cids.get(i)).data();
            final int from = firsts.get(i) * 512;
            assertThat(data).isEqualTo(Arrays.copyOfRange(expected, from, from + data.length));
        }
    }
}
