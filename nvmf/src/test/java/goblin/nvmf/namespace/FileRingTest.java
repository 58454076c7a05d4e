// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import goblin.net.linux.Affinity;
import goblin.net.linux.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a loop's ring does for files, and what is left to workers. */
class FileRingTest {
    private static final int BLOCK = 4096;

    /** A ring whose operations end when the test says how. */
    private static final class HandRing implements FileRing {
        final List<BlockOperation> held = new ArrayList<>();
        private FileNamespace namespace;

        @Override
        public boolean start(final FileNamespace medium, final BlockOperation operation, final BackingFile file) {
            namespace = medium;
            held.add(operation);
            return true;
        }

        void end(final int result) {
            namespace.moved(held.removeFirst(), result);
        }
    }

    private final AtomicReference<UringFiles> uring = new AtomicReference<>();
    private final HandRing hand = new HandRing();
    private final MediumRig rig = new MediumRig(loop -> new CompletionInbox(loop, hand));
    private final MediumRig real = new MediumRig(loop -> {
        uring.set(new UringFiles(loop.transport().wakeDescriptor()));
        loop.addPoller(uring.get());
        return new CompletionInbox(loop, uring.get());
    });
    private final ArrayFile file = new ArrayFile(64 * BLOCK);
    private final Namespace namespace = ArrayFile.over(file, BLOCK, rig);

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        namespace.close();
        rig.close();
        real.close();
    }

    @Test
    void shouldReadAndWriteByTheRingAndTheRestByWorkers() {
        try (Namespace onDisk = real.open("file:" + directory.resolve("a.img") + ",size=1M", BLOCK)) {
            assertThat(real.run(
                            onDisk,
                            TestOperation.write(BLOCK, bytes(8 * BLOCK, 1)).cut(1000, 3000)))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(real.read(onDisk, BLOCK, 8 * BLOCK)).isEqualTo(bytes(8 * BLOCK, 1));
            assertThat(uring.get().started()).isEqualTo(2);
            assertThat(real.run(onDisk, TestOperation.write(0, bytes(BLOCK, 2)).durably()))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(real.run(onDisk, TestOperation.flush())).isEqualTo(BlockOutcome.DONE);
            assertThat(real.run(onDisk, TestOperation.compare(0, bytes(BLOCK, 2))))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(real.run(
                            onDisk, TestOperation.write(0, bytes(2 * BLOCK, 3)).fence()))
                    .isEqualTo(BlockOutcome.FENCED);
            assertThat(uring.get().started()).isEqualTo(2);
            assertThat(real.read(onDisk, 0, BLOCK)).isEqualTo(bytes(BLOCK, 2));
        }
    }

    @Test
    void shouldGiveWorkersWhatIsMoreThanTheRingHolds() {
        try (Namespace first = real.open("file:" + directory.resolve("a.img") + ",size=16M", BLOCK);
                Namespace second = real.open("file:" + directory.resolve("b.img") + ",size=16M", BLOCK);
                Namespace third = real.open("file:" + directory.resolve("c.img") + ",size=16M", BLOCK)) {
            final List<Namespace> media = List.of(first, second, third);
            final List<TestOperation> all = new ArrayList<>();
            for (int i = 0; i < 3 * UringFiles.SLOTS; i++) {
                all.add(TestOperation.write((long) (i / 3) * BLOCK, bytes(BLOCK, i)));
            }
            final long[] began = new long[2];
            CompletableFuture.runAsync(
                            () -> {
                                for (int i = 0; i < UringFiles.SLOTS; i++) {
                                    first.submit(all.get(3 * i), real.inbox);
                                }
                                began[0] = uring.get().started();
                                for (int i = 0; i < UringFiles.SLOTS; i++) {
                                    second.submit(all.get(3 * i + 1), real.inbox);
                                    third.submit(all.get(3 * i + 2), real.inbox);
                                }
                                began[1] = uring.get().started();
                            },
                            real.loop)
                    .join();
            assertThat(began)
                    .as("half for one, no more than all")
                    .containsExactly(UringFiles.SLOTS / 2, UringFiles.SLOTS);
            for (final TestOperation each : all) {
                assertThat(each.await()).isEqualTo(BlockOutcome.DONE);
                each.close();
            }
            for (int i = 0; i < all.size(); i += 97) {
                assertThat(real.read(media.get(i % 3), (long) (i / 3) * BLOCK, BLOCK))
                        .isEqualTo(bytes(BLOCK, i));
            }
        }
    }

    @Test
    void shouldKeepTheKernelsWorkersOffTheCpuOfTheirLoop() throws IOException {
        assumeTrue(Affinity.mayRunOn(0) && Affinity.mayRunOn(1), "there is one CPU only");
        try (Namespace onDisk = real.open("file:" + directory.resolve("a.img") + ",size=16M", BLOCK)) {
            final String loop = CompletableFuture.supplyAsync(
                            () -> {
                                assertThat(Affinity.pinCurrentThread(1)).isZero();
                                return thisThread().getFileName().toString();
                            },
                            real.loop)
                    .join();
            for (int i = 0; i < 64; i++) {
                real.run(onDisk, TestOperation.write((long) i * BLOCK, bytes(BLOCK, i)));
            }
            try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
                assertThat(threads.filter(thread -> read(thread, "comm").equals("iou-wrk-" + loop + "\n")))
                        .as("workers of the loop, which some file systems do without")
                        .allSatisfy(worker -> assertThat(read(worker, "status"))
                                .doesNotContainPattern("Cpus_allowed_list:\\s(1|.*[,-]1)\\b"));
            }
        }
    }

    private static Path thisThread() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/thread-self"));
        } catch (final IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private static String read(final Path thread, final String what) {
        try {
            return Files.readString(thread.resolve(what));
        } catch (final IOException ended) {
            return "";
        }
    }

    @Test
    void shouldKeepTheRangeWhileAWorkerGoesOn() {
        final CountDownLatch release = new CountDownLatch(1);
        final byte[] data = bytes(4 * BLOCK, 5);
        try (TestOperation write = TestOperation.write(0, data);
                TestOperation read = TestOperation.read(0, 4 * BLOCK)) {
            start(write);
            file.fault = (call, offset) -> call.equals("write") ? hold(release) : 0;
            onLoop(() -> hand.end(BLOCK + 17));
            await().until(() -> file.calls.contains("write"));
            rig.submit(namespace, read);
            // The read finds its range taken and waits at a worker.
            onLoop(() -> assertThat(hand.held).isEmpty());
            assertThat(read.isDone()).isFalse();
            release.countDown();
            assertThat(write.await()).isEqualTo(BlockOutcome.DONE);
            assertThat(read.await()).isEqualTo(BlockOutcome.DONE);
            assertThat(read.data()).isEqualTo(data);
        }
    }

    @Test
    void shouldGoOnThoughAllWorkersWaitForItsRange() {
        final List<TestOperation> waiting = new ArrayList<>();
        try (TestOperation write = TestOperation.write(0, bytes(4 * BLOCK, 5))) {
            start(write);
            for (int i = 0; i < 2 * rig.workers.threads(); i++) {
                waiting.add(rig.submit(namespace, TestOperation.write(0, bytes(4 * BLOCK, i))));
            }
            await().until(() -> workersIn("lockWrite") == rig.workers.threads());
            onLoop(() -> hand.end(BLOCK + 17));
            assertThat(write.await()).isEqualTo(BlockOutcome.DONE);
            for (final TestOperation each : waiting) {
                assertThat(each.await()).isEqualTo(BlockOutcome.DONE);
                each.close();
            }
        }
    }

    private static long workersIn(final String method) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("storage-"))
                .filter(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getMethodName().equals(method)))
                .count();
    }

    @Test
    void shouldGoOnByAWorkerAfterTroubleOfTheRingEvenIfFencedMeanwhile() {
        for (final int errno : new int[] {Errno.EAGAIN, Errno.EINTR, Errno.ECANCELED, Errno.ENOMEM, Errno.EINVAL}) {
            try (TestOperation write = TestOperation.write(0, bytes(BLOCK, errno))) {
                start(write);
                write.fence();
                onLoop(() -> hand.end(-errno));
                assertThat(write.await()).isEqualTo(BlockOutcome.DONE);
                assertThat(Arrays.copyOf(file.contents(), BLOCK)).isEqualTo(bytes(BLOCK, errno));
            }
        }
    }

    @Test
    void shouldTellWhatLasts() {
        assertThat(outcome(TestOperation.write(0, bytes(BLOCK, 1)), -Errno.ENOSPC))
                .isEqualTo(BlockOutcome.NO_SPACE);
        assertThat(outcome(TestOperation.write(0, bytes(BLOCK, 1)), -Errno.EIO)).isEqualTo(BlockOutcome.WRITE_FAILED);
        assertThat(outcome(TestOperation.read(0, BLOCK), -Errno.EIO)).isEqualTo(BlockOutcome.READ_FAILED);
        assertThat(file.calls).isEmpty();
        assertThat(outcome(TestOperation.write(0, bytes(BLOCK, 1)), BLOCK))
                .as("no range is left locked")
                .isEqualTo(BlockOutcome.DONE);
    }

    @Test
    void shouldNotBeClosedWhileTheRingHasSomething() throws InterruptedException {
        try (TestOperation write = TestOperation.write(0, bytes(BLOCK, 1))) {
            start(write);
            final Thread closer = new Thread(namespace::close);
            closer.start();
            await().until(() -> closer.getState() == Thread.State.WAITING);
            assertThat(file.closed).isFalse();
            onLoop(() -> hand.end(BLOCK));
            closer.join();
            assertThat(file.closed).isTrue();
        }
    }

    @Test
    void shouldShareARangeAmongReads() {
        try (TestOperation first = TestOperation.read(0, 2 * BLOCK);
                TestOperation second = TestOperation.read(BLOCK, 2 * BLOCK);
                TestOperation write = TestOperation.write(2 * BLOCK, bytes(BLOCK, 9))) {
            start(first);
            start(second);
            rig.submit(namespace, write);
            onLoop(() -> assertThat(hand.held).hasSize(2));
            onLoop(() -> hand.end(2 * BLOCK));
            assertThat(write.isDone()).isFalse();
            onLoop(() -> hand.end(2 * BLOCK));
            assertThat(write.await()).isEqualTo(BlockOutcome.DONE);
        }
    }

    private BlockOutcome outcome(final TestOperation operation, final int result) {
        try (operation) {
            start(operation);
            onLoop(() -> hand.end(result));
            return operation.await();
        }
    }

    private void start(final TestOperation operation) {
        rig.submit(namespace, operation);
        onLoop(() -> assertThat(hand.held).contains(operation));
    }

    private void onLoop(final Runnable action) {
        CompletableFuture.runAsync(action, rig.loop).join();
    }

    private static int hold(final CountDownLatch release) {
        try {
            release.await();
            return 0;
        } catch (final InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static byte[] bytes(final int length, final int seed) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed * 31 + i / 7);
        }
        return bytes;
    }
}
