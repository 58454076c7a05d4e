// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three count in one block by compare-and-write: no count is lost. */
class CompareAndWriteTest {
    private static final int BLOCK = 512;
    private static final int THREADS = 3;
    private static final int COUNTS = 300;

    private final MediumRig rig = new MediumRig();

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        rig.close();
        assertThat(rig.faults).isEmpty();
    }

    @Test
    void shouldBeOneStepInMemory() throws ExecutionException, InterruptedException {
        try (Namespace namespace = rig.open("mem:64K", BLOCK)) {
            count(namespace);
        }
    }

    @Test
    void shouldBeOneStepInAFile() throws ExecutionException, InterruptedException {
        try (Namespace namespace = rig.open("file:" + directory.resolve("a.img") + ",size=64K", BLOCK)) {
            count(namespace);
        }
    }

    private void count(final Namespace namespace) throws ExecutionException, InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            final var running = IntStream.range(0, THREADS)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> {
                        for (int counted = 0; counted < COUNTS; ) {
                            if (countOne(namespace)) {
                                counted++;
                            }
                        }
                    }))
                    .toList();
            for (final Future<?> each : running) {
                each.get();
            }
        }
        assertThat(ByteBuffer.wrap(rig.read(namespace, BLOCK, BLOCK)).getInt()).isEqualTo(THREADS * COUNTS);
    }

    private boolean countOne(final Namespace namespace) {
        final byte[] now = rig.read(namespace, BLOCK, BLOCK);
        final byte[] next = now.clone();
        ByteBuffer.wrap(next).putInt(0, ByteBuffer.wrap(now).getInt(0) + 1);
        final BlockOutcome how = rig.run(
                namespace, TestOperation.compareAndWrite(BLOCK, now, next).cut(100));
        assertThat(how).isIn(BlockOutcome.DONE, BlockOutcome.MISCOMPARE);
        return how == BlockOutcome.DONE;
    }
}
