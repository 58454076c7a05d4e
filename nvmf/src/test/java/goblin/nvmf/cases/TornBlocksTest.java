// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.net.EventLoop;
import goblin.net.linux.Memory;
import goblin.nvmf.perf.BlockStamp;
import goblin.nvmf.raw.RawAnswer;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.tcp.TestedSockets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two loops, one writer of blocks that carry versions, and readers that take little at once and check data digests: each
 * block is whole, and bytes never change between the digest and the wire.
 */
class TornBlocksTest {
    private static final int READERS = 4;
    private static final int BLOCKS = 64;
    private static final int READ = 2;
    private static final int READS_EACH = 60;
    private static final int DEPTH = 4;
    private static final int HOT_READS = Integer.getInteger("goblin.hotReads", 150_000);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @DisplayName("should never show a torn block or a wrong digest of a medium in memory")
    @ValueSource(ints = {512, 4096})
    void shouldNeverShowATornBlockOfMemory(final int blockBytes) throws Exception {
        run("mem:1M", blockBytes);
    }

    @Test
    @DisplayName("should never show a torn block or a wrong digest of a file")
    void shouldNeverShowATornBlockOfAFile() throws Exception {
        run("file:" + folder.resolve("image") + ",size=1M", 4096);
    }

    @ParameterizedTest
    @DisplayName("should keep a block whole that both loops read and write all the time")
    @ValueSource(strings = {"mem:1M", "file"})
    void shouldKeepABlockWholeThatBothLoopsWorkOn(final String medium) {
        // Files are slower, and their locks the same.
        final int reads = "file".equals(medium) ? HOT_READS / 5 : HOT_READS;
        final String specification = "file".equals(medium) ? "file:" + folder.resolve("hot") + ",size=1M" : medium;
        try (LiveTarget target = LiveTarget.config().loops(2).start().add(1, specification, 4096);
                EventLoop writing = TestedSockets.loop("writer");
                EventLoop reading = TestedSockets.loop("reader")) {
            writing.start();
            reading.start();
            final HotBlocks writer = new HotBlocks(writing, target.options().withQueues(4, 32), true);
            await().until(() -> writer.done() > 0);
            final HotBlocks reader = new HotBlocks(reading, target.options().withQueues(4, 32), false);
            await().atMost(Duration.ofSeconds(60 + HOT_READS / 10_000))
                    .until(() -> reader.done() > reads || reader.torn() + reader.failed() + writer.failed() > 0);
            reader.stop(reading);
            writer.stop(writing);
            await().until(() -> reader.closed() && writer.closed());

            assertThat(reader.torn()).as("torn blocks").isZero();
            assertThat(reader.failed() + writer.failed()).as("failed commands").isZero();
        }
    }

    private static void run(final String medium, final int blockBytes) throws Exception {
        final AtomicBoolean stop = new AtomicBoolean();
        final AtomicLong written = new AtomicLong();
        try (LiveTarget target = LiveTarget.config().loops(2).start().add(1, medium, blockBytes);
                RawInitiator host = target.raw();
                ExecutorService threads = Executors.newCachedThreadPool()) {
            final CompletableFuture<Void> writer =
                    CompletableFuture.runAsync(() -> write(host.queue(1, 8), blockBytes, stop, written), threads);
            final List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(CompletableFuture.runAsync(() -> read(target, blockBytes, written), threads));
            }
            try {
                CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new))
                        .get();
            } finally {
                stop.set(true);
            }
            writer.get();
        }
        assertThat(written.get()).isGreaterThan(20);
    }

    private static void write(
            final RawQueue queue, final int blockBytes, final AtomicBoolean stop, final AtomicLong written) {
        final long memory = Memory.allocate((long) BLOCKS * blockBytes);
        try {
            while (!stop.get()) {
                final long version = written.get() + 1;
                for (int i = 0; i < BLOCKS; i++) {
                    BlockStamp.write(memory + (long) i * blockBytes, blockBytes, i, version);
                }
                RawInitiator.write(queue, 1, 0, BLOCKS, Memory.toBytes(memory, BLOCKS * blockBytes));
                written.set(version);
            }
        } finally {
            Memory.free(memory);
        }
    }

    /** A host of its own, so that it has a connection on either loop by chance. */
    private static void read(final LiveTarget target, final int blockBytes, final AtomicLong written) {
        final int bytes = BLOCKS * blockBytes;
        final RawOptions options = RawOptions.PLAIN.digests(false, true).receiveBuffer(4096);
        final long memory = Memory.allocate(bytes);
        try (RawInitiator host = target.raw(options)) {
            final RawQueue queue = host.queue(1, 8).patience(Duration.ofSeconds(30));
            while (written.get() == 0) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < READS_EACH / DEPTH; i++) {
                final long oldest = written.get();
                final int[] cids = new int[DEPTH];
                for (int j = 0; j < DEPTH; j++) {
                    cids[j] = queue.submit(SqeBuilder.io(READ, 1, 0, BLOCKS).sgl(SqeBuilder.TRANSPORT, bytes), null);
                }
                for (final int cid : cids) {
                    final RawAnswer answer = queue.await(cid);
                    assertThat(answer.status()).as(answer.toString()).isZero();
                    Memory.copyIn(answer.data(), 0, memory, bytes);
                    for (int block = 0; block < BLOCKS; block++) {
                        assertThat(BlockStamp.check(memory + (long) block * blockBytes, blockBytes, block))
                                .as("version of block " + block)
                                .isBetween(oldest, written.get() + 1);
                    }
                }
            }
        } finally {
            Memory.free(memory);
        }
    }
}
