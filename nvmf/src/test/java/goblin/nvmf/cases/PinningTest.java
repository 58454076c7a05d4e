// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import goblin.net.EventLoop;
import goblin.net.IdlePolicy;
import goblin.net.TransportCounter;
import goblin.net.epoll.EpollTransport;
import goblin.nvmf.initiator.InitiatorOptions;
import goblin.nvmf.namespace.HeldNamespace;
import goblin.nvmf.namespace.SlowNamespaces;
import goblin.nvmf.perf.LoadResult;
import goblin.nvmf.perf.LoadRun;
import goblin.nvmf.perf.Workload;
import goblin.nvmf.tcp.ReceiveOptions;
import goblin.nvmf.tcp.TcpCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However much data waits for storage, and however few segments there are: others are served, and everything is done. */
class PinningTest {
    private static final int MIB = 1 << 20;

    private final List<EventLoop> loops = new ArrayList<>();

    @AfterEach
    void stopLoops() {
        loops.forEach(EventLoop::close);
    }

    /** Runs on a loop of its own. */
    private CompletableFuture<LoadResult> run(final InitiatorOptions options, final Workload workload) {
        return load(options, workload).start();
    }

    private LoadRun load(final InitiatorOptions options, final Workload workload) {
        final EventLoop loop = new EventLoop("load " + loops.size(), new EpollTransport(), IdlePolicy.BACKOFF);
        loops.add(loop);
        loop.start();
        return new LoadRun(loop, options, workload);
    }

    private static Workload writes(final int nsid, final int ioBytes, final long ios) {
        return new Workload(nsid, ioBytes, 0, true, false, 0, 0, Long.MAX_VALUE, ios);
    }

    private static Workload verified(final int nsid, final int ioBytes, final long ios) {
        return new Workload(nsid, ioBytes, 50, true, true, 32 * MIB, 0, Long.MAX_VALUE, ios);
    }

    @ParameterizedTest
    @DisplayName("should serve other connections while storage keeps the data of deep queues")
    @CsvSource({
        "1448, 1",
        "1448, 2",
        "1448, 3",
        "4096, 1",
        "4096, 3",
        "65536, 1",
        "65536, 2",
        "65536, 3",
        "4096, 64",
        "65536, 16",
        "8192, 1024"
    })
    void shouldServeOthersWhileStorageKeepsData(final int segmentBytes, final int segments) {
        final HeldNamespace storage = new HeldNamespace(false);
        storage.resize(64 * MIB / 512);
        storage.hold();
        try (LiveTarget target = LiveTarget.config()
                .receive(ReceiveOptions.DEFAULT.withSizes(segmentBytes, 4 * segmentBytes))
                .memory(96 * MIB, (long) segments * segmentBytes)
                .queueEntries(65)
                .start()
                .add(1, storage)
                .add(2, "mem:32M", 512)
                .add(3, "mem:32M", 512)) {
            final CompletableFuture<LoadResult> large = run(target.options().withQueues(2, 16), writes(1, MIB, 64));
            final CompletableFuture<LoadResult> small =
                    run(target.options().withQueues(2, 64).withDigests(true, true), writes(1, 8192, 256));
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(pending(target, storage)).isEqualTo(2 * 16 + 2 * 64));

            final LoadRun others = load(target.options().withQueues(2, 16), verified(2, 128 << 10, 200));
            final LoadRun more =
                    load(target.options().withQueues(1, 32).withDigests(false, true), verified(3, 4096, 500));
            final CompletableFuture<LoadResult> othersDone = others.start();
            final CompletableFuture<LoadResult> moreDone = more.start();
            // They come to their end when storage does: a controller that shuts down flushes all it has.
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> (others.completedSoFar() >= 200 && more.completedSoFar() >= 500)
                            || othersDone.isCompletedExceptionally()
                            || moreDone.isCompletedExceptionally());
            assertThat(large).isNotDone();
            assertThat(small).isNotDone();
            if (segments >= 16) {
                assertThat(target.counter(TransportCounter.STARVED)).isZero();
            }
            assertThat(target.counter(TcpCounter.COPIED_WATERMARK_BYTES)).isPositive();

            target.loop(0).execute(storage::release);
            assertThat(othersDone.join().verified()).isPositive();
            assertThat(moreDone.join().verified()).isPositive();
            assertThat(large.join().ios()).isGreaterThanOrEqualTo(64);
            assertThat(small.join().ios()).isGreaterThanOrEqualTo(256);
            target.awaitNothingLeft();
        }
    }

    private static int pending(final LiveTarget target, final HeldNamespace storage) {
        final CompletableFuture<Integer> count = new CompletableFuture<>();
        target.loop(0).execute(() -> count.complete(storage.pending()));
        return count.join();
    }

    @ParameterizedTest
    @DisplayName("should find what it stored on slow storage with few segments and the smallest memory for transfers")
    @CsvSource({
        "1448, 1, 1",
        "1448, 3, 64",
        "4096, 1, 64",
        "4096, 2, 1",
        "4096, 3, 1",
        "65536, 1, 1",
        "65536, 2, 64",
        "65536, 3, 1",
        "20000, 2, 1"
    })
    void shouldFindWhatItStoredOnSlowStorage(final int segmentBytes, final int segments, final int transferMib) {
        try (LiveTarget target = LiveTarget.config()
                .storageThreads(8)
                .receive(ReceiveOptions.DEFAULT.withSizes(segmentBytes, 16 * segmentBytes))
                .memory((long) transferMib * MIB, (long) segments * segmentBytes)
                .start()) {
            target.add(1, SlowNamespaces.inMemory(64 * MIB, 4096, Duration.ofMillis(5), target.workers()));
            final CompletableFuture<LoadResult> large =
                    run(target.options().withQueues(2, 4).withDigests(true, true), verified(1, MIB, 30));
            final LoadResult result = large.join();
            assertThat(result.verified()).isPositive();
            final CompletableFuture<LoadResult> middle =
                    run(target.options().withQueues(3, 8), verified(1, 128 << 10, 150));
            assertThat(middle.join().verified()).isPositive();
            assertThat(target.lines()).noneMatch(line -> line.contains("too little data"));
            target.awaitNothingLeft();
        }
    }
}
