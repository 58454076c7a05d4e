// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.EventLoop;
import goblin.nvmf.initiator.InitiatorException;
import goblin.nvmf.initiator.InitiatorOptions;
import goblin.nvmf.namespace.SlowNamespaces;
import goblin.nvmf.perf.LoadResult;
import goblin.nvmf.perf.LoadRun;
import goblin.nvmf.perf.Workload;
import goblin.nvmf.tcp.TestedSockets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The initiator against a whole target: what it stores it finds again, and memory that is short makes it slow, not wrong. */
class LoadTest {
    private static final int MIB = 1 << 20;
    /** Of many deep queues; 1048576 takes a minute, and 8 GiB through loopback. */
    private static final int DEEP_IO_BYTES = Integer.getInteger("goblin.deepIoBytes", 64 << 10);

    private EventLoop loop;

    @BeforeEach
    void startLoop() {
        loop = TestedSockets.loop("load");
        loop.start();
    }

    @AfterEach
    void stopLoop() {
        loop.close();
    }

    private LoadResult run(final InitiatorOptions options, final Workload workload) throws InterruptedException {
        return new LoadRun(loop, options, workload).run();
    }

    /** The same; a failure tells what the target has to say. */
    private LoadResult run(final LiveTarget target, final InitiatorOptions options, final Workload workload)
            throws InterruptedException {
        try {
            return run(options, workload);
        } catch (final InitiatorException failed) {
            throw new AssertionError(failed.getMessage() + "; the target: " + target.lines(), failed);
        }
    }

    private static Workload verified(final int ioBytes, final long span, final long ios) {
        return new Workload(1, ioBytes, 50, true, true, span, 0, Long.MAX_VALUE, ios);
    }

    @ParameterizedTest
    @DisplayName("should find what it stored, whatever the size, the queues and the digests")
    @CsvSource({
        "512, 1, 1, false, 1000",
        "4096, 32, 2, true, 5000",
        "8192, 127, 1, false, 5000",
        "12288, 16, 3, true, 3000",
        "131072, 32, 2, true, 600",
        "1048576, 8, 2, true, 100",
        "1048576, 40, 1, false, 150",
    })
    void shouldFindWhatItStored(
            final int ioBytes, final int depth, final int queues, final boolean digests, final long ios)
            throws InterruptedException {
        try (LiveTarget target = LiveTarget.config().loops(2).start().add(1, "mem:256M", 512)) {
            final LoadResult result = run(
                    target,
                    target.options().withQueues(queues, depth).withDigests(digests, digests),
                    verified(ioBytes, Math.max(MIB, 160L * ioBytes), ios));

            assertThat(result.ios()).isGreaterThanOrEqualTo(ios);
            assertThat(result.verified()).isPositive();
            target.awaitNothingLeft();
        }
    }

    @Test
    @DisplayName("should keep SQ flow control, and several R2Ts, as it was told")
    void shouldWorkWithFlowControl() throws InterruptedException {
        try (LiveTarget target = LiveTarget.config().maxH2c(8192).start().add(1, "mem:64M", 4096)) {
            final LoadResult result =
                    run(target.options().withQueues(1, 16).withFlowControl(true, 8), verified(128 << 10, 8 * MIB, 500));
            assertThat(result.verified()).isPositive();
        }
    }

    @Test
    @DisplayName("should refuse to verify when commands outnumber places")
    void shouldRefuseToVerifyTooFewPlaces() throws InterruptedException {
        try (LiveTarget target = LiveTarget.small()) {
            final InitiatorOptions options = target.options().withQueues(2, 8);
            assertThatThrownBy(() -> run(options, verified(4096, 15 * 4096, 1)))
                    .isInstanceOf(InitiatorException.class)
                    .hasMessageContaining("--verify of 15 places with 16 commands");
            assertThat(run(options, verified(4096, 16 * 4096, 500)).verified()).isPositive();
        }
    }

    @Test
    @DisplayName("should say in one line why it was refused")
    void shouldSayWhyItWasRefused() {
        try (LiveTarget target = LiveTarget.small()) {
            assertThatThrownBy(() -> run(target.options().withQueues(1, 4000), verified(512, 0, 1)))
                    .isInstanceOf(InitiatorException.class)
                    .hasMessageContaining("depth 4000");
            final InitiatorOptions good = target.options();
            assertThatThrownBy(() -> run(
                            InitiatorOptions.of(good.address(), good.port(), "nqn.2026-01.org.goblin:none"),
                            verified(512, 0, 1)))
                    .isInstanceOf(InitiatorException.class)
                    .hasMessageContaining("Connect");
            assertThatThrownBy(
                            () -> run(target.options(), new Workload(9, 512, 50, true, true, 0, 0, Long.MAX_VALUE, 1)))
                    .isInstanceOf(InitiatorException.class);
        }
    }

    @Test
    @DisplayName(
            "should complete 1 MiB writes of two connections with the smallest memory and slow storage, Keep Alive 5 s")
    void shouldCompleteLargeWritesWithTheSmallestMemoryAndSlowStorage() throws InterruptedException {
        try (LiveTarget target =
                LiveTarget.config().storageThreads(8).memory(MIB, 512 << 10).start()) {
            addSlow(target, Duration.ofMillis(100));
            final LoadResult result = run(
                    target,
                    target.options().withQueues(2, 8).withDigests(true, true).withKeepAlive(5_000),
                    new Workload(1, MIB, 0, true, false, 0, 0, TimeUnit.SECONDS.toNanos(6), Long.MAX_VALUE));

            assertThat(result.ios()).isGreaterThan(20);
            assertThat(target.lines()).noneMatch(line -> line.contains("silent"));
            target.awaitNothingLeft();
        }
    }

    @Test
    @DisplayName("should complete the writes of 64 connections at depth 128 with the usual memory and slow storage")
    void shouldCompleteTheWritesOfManyDeepConnections() throws InterruptedException {
        try (LiveTarget target = LiveTarget.config()
                .storageThreads(64)
                .queueEntries(129)
                .unchecked()
                .start()) {
            addSlow(target, Duration.ofMillis(20));
            final LoadResult result = run(
                    target,
                    target.options().withQueues(64, 128).withDigests(true, true).withKeepAlive(5_000),
                    new Workload(1, DEEP_IO_BYTES, 0, true, false, 0, 0, Long.MAX_VALUE, 64));

            // All that are under way when the run ends still complete.
            assertThat(result.ios()).isGreaterThanOrEqualTo(64);
            assertThat(target.lines()).noneMatch(line -> line.contains("silent"));
            target.awaitNothingLeft();
        }
    }

    /** Storage that keeps a thread of the target waiting for each command. */
    private static void addSlow(final LiveTarget target, final Duration delay) {
        target.add(1, SlowNamespaces.inMemory(64 * MIB, 4096, delay, target.workers()));
    }
}
