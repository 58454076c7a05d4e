// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two writers stamp blocks with versions while two readers look: no block shows two of them. */
@ParameterizedClass
@EnumSource(FileIo.class)
class TornBlockTest {
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 48;
    private static final int ROUNDS = 1500;

    private final MediumRig rig;

    TornBlockTest(final FileIo files) {
        rig = new MediumRig(files);
    }

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        rig.close();
        assertThat(rig.faults).isEmpty();
    }

    @Test
    void shouldNotTearBlocksOfMemory() throws ExecutionException, InterruptedException {
        try (Namespace namespace = rig.open("mem:256K", BLOCK)) {
            hammer(namespace, rig);
        }
    }

    @Test
    void shouldNotTearBlocksOfAFile() throws ExecutionException, InterruptedException {
        try (Namespace namespace = rig.open("file:" + directory.resolve("a.img") + ",size=256K", BLOCK)) {
            hammer(namespace, rig);
        }
    }

    @Test
    void shouldNotTearBlocksOfAFileThatTakesAFewBytesAtATime() throws ExecutionException, InterruptedException {
        final ArrayFile file = new ArrayFile(BLOCKS * BLOCK);
        file.longest = 1000;
        try (Namespace namespace = ArrayFile.over(file, BLOCK, rig)) {
            hammer(namespace, rig);
        }
    }

    @Test
    void shouldNotTearBlocksThatARingLeavesHalf() throws ExecutionException, InterruptedException {
        final ArrayFile file = new ArrayFile(BLOCKS * BLOCK);
        file.longest = 3000;
        try (MediumRig troubled = new MediumRig(loop -> RingDouble.inbox(loop, 3));
                Namespace namespace = ArrayFile.over(file, BLOCK, troubled)) {
            hammer(namespace, troubled);
        }
    }

    private static void hammer(final Namespace namespace, final MediumRig rig)
            throws ExecutionException, InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            final var running = LongStream.range(0, 4)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> {
                        final Random random = new Random(i);
                        for (int round = 0; round < ROUNDS; round++) {
                            final int first = random.nextInt(BLOCKS);
                            final int count = 1 + random.nextInt(Math.min(20, BLOCKS - first));
                            if (i < 2) {
                                write(rig, namespace, first, count, (i << 32) + round);
                            } else {
                                look(rig, namespace, first, count);
                            }
                        }
                    }))
                    .toList();
            for (final Future<?> each : running) {
                each.get();
            }
        }
    }

    private static void write(
            final MediumRig rig, final Namespace namespace, final int first, final int count, final long version) {
        final ByteBuffer data = ByteBuffer.allocate(count * BLOCK);
        while (data.hasRemaining()) {
            data.putLong(version);
        }
        assertThat(rig.run(
                        namespace,
                        TestOperation.write((long) first * BLOCK, data.array()).cut(1460, 2920)))
                .isEqualTo(BlockOutcome.DONE);
    }

    private static void look(final MediumRig rig, final Namespace namespace, final int first, final int count) {
        final ByteBuffer data = ByteBuffer.wrap(rig.read(namespace, (long) first * BLOCK, count * BLOCK));
        for (int block = 0; block < count; block++) {
            final long version = data.getLong(block * BLOCK);
            for (int at = 0; at < BLOCK; at += Long.BYTES) {
                if (data.getLong(block * BLOCK + at) != version) {
                    throw new AssertionError("block " + (first + block) + " is torn at byte " + at);
                }
            }
        }
    }
}
