// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/** Every operation, in random order and cut at random, must do to a medium what it does to an array. */
class MediumModelTest {
    private static final int BLOCK = 512;
    private static final int BLOCKS = 512;
    private static final int STEPS = 60;

    /** Who reads and writes the file. */
    private enum Way {
        THREADS,
        IO_URING,
        TROUBLED_RING
    }

    private static final Map<Way, MediumRig> RIGS = Map.of(
            Way.THREADS,
            new MediumRig(),
            Way.IO_URING,
            new MediumRig(FileIo.IO_URING),
            Way.TROUBLED_RING,
            new MediumRig(loop -> RingDouble.inbox(loop, 1)));

    @AfterContainer
    static void stop() {
        for (final MediumRig rig : RIGS.values()) {
            rig.close();
            assertThat(rig.faults).isEmpty();
        }
    }

    @Property(tries = 100)
    void shouldBehaveAsAnArrayInMemory(@ForAll final long seed) {
        final MediumRig rig = RIGS.get(Way.THREADS);
        try (Namespace namespace = rig.open("mem:256K", BLOCK)) {
            play(rig, namespace, new Random(seed));
        }
    }

    @Property(tries = 100)
    void shouldBehaveAsAnArrayInAFileThatStopsShort(@ForAll final long seed, @ForAll final Way way) {
        final MediumRig rig = RIGS.get(way);
        final Random random = new Random(seed);
        final ArrayFile file = new ArrayFile(BLOCKS * BLOCK);
        file.longest = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(20_000);
        try (Namespace namespace = ArrayFile.over(file, BLOCK, rig)) {
            play(rig, namespace, random);
        }
    }

    @Property(tries = 20)
    void shouldBehaveAsAnArrayInAFile(@ForAll final long seed, @ForAll final Way way) throws IOException {
        final MediumRig rig = RIGS.get(way);
        final Path path = Files.createTempFile("goblin-model", ".img");
        try (Namespace namespace = rig.open("file:" + path + ",size=256K", BLOCK)) {
            play(rig, namespace, new Random(seed));
        } finally {
            Files.delete(path);
        }
    }

    private static void play(final MediumRig rig, final Namespace namespace, final Random random) {
        final byte[] model = new byte[BLOCKS * BLOCK];
        for (int step = 0; step < STEPS; step++) {
            final int first = random.nextInt(BLOCKS);
            final int count = 1 + random.nextInt(Math.min(BLOCKS - first, 200));
            step(rig, namespace, random, model, first * BLOCK, count * BLOCK);
        }
        assertThat(rig.read(namespace, 0, model.length)).isEqualTo(model);
    }

    private static void step(
            final MediumRig rig,
            final Namespace namespace,
            final Random random,
            final byte[] model,
            final int at,
            final int length) {
        final byte[] data = new byte[length];
        random.nextBytes(data);
        final byte[] now = Arrays.copyOfRange(model, at, at + length);
        final int[] cuts = cuts(random, length);
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                assertThat(rig.run(namespace, TestOperation.write(at, data).cut(cuts)))
                        .isEqualTo(BlockOutcome.DONE);
                System.arraycopy(data, 0, model, at, length);
            }
            case 2 -> {
                try (TestOperation read = TestOperation.read(at, length).cut(cuts)) {
                    assertThat(rig.submit(namespace, read).await()).isEqualTo(BlockOutcome.DONE);
                    assertThat(read.data()).isEqualTo(now);
                }
            }
            case 3 -> {
                final TestOperation zeroes = TestOperation.plain(BlockCommand.WRITE_ZEROES, at, length);
                assertThat(rig.run(namespace, random.nextBoolean() ? zeroes.deallocating() : zeroes))
                        .isEqualTo(BlockOutcome.DONE);
                Arrays.fill(model, at, at + length, (byte) 0);
            }
            case 4 -> {
                assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.DEALLOCATE, at, length)))
                        .isEqualTo(BlockOutcome.DONE);
                assertThat(namespace.traits().deallocatedReadZero()).isTrue();
                Arrays.fill(model, at, at + length, (byte) 0);
            }
            case 5 -> {
                now[random.nextInt(length)] ^= (byte) random.nextInt(2);
                final boolean same = Arrays.equals(now, 0, length, model, at, at + length);
                assertThat(rig.run(namespace, TestOperation.compare(at, now).cut(cuts)))
                        .isEqualTo(same ? BlockOutcome.DONE : BlockOutcome.MISCOMPARE);
            }
            case 6 -> {
                now[random.nextInt(length)] ^= (byte) random.nextInt(2);
                final boolean same = Arrays.equals(now, 0, length, model, at, at + length);
                assertThat(rig.run(
                                namespace,
                                TestOperation.compareAndWrite(at, now, data).cut(cuts)))
                        .isEqualTo(same ? BlockOutcome.DONE : BlockOutcome.MISCOMPARE);
                if (same) {
                    System.arraycopy(data, 0, model, at, length);
                }
            }
            case 7 ->
                assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.VERIFY, at, length)))
                        .isEqualTo(BlockOutcome.DONE);
            default -> assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.DONE);
        }
    }

    private static int[] cuts(final Random random, final int length) {
        final int[] cuts = new int[1 + random.nextInt(4)];
        for (int i = 0; i < cuts.length; i++) {
            cuts[i] = 1 + random.nextInt(random.nextBoolean() ? length : 1500);
        }
        return cuts;
    }
}
