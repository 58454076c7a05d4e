// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StorageWorkersTest {
    private static final int BLOCK = 4096;

    private final MediumRig rig = new MediumRig();

    @AfterEach
    void stop() {
        rig.close();
        assertThat(rig.faults).isEmpty();
    }

    @Test
    void shouldLoseNoOperationHoweverBusyOrIdleTheyAre() throws Exception {
        try (Namespace namespace = ArrayFile.over(new ArrayFile(1 << 20), BLOCK, rig);
                ExecutorService threads = Executors.newFixedThreadPool(3)) {
            final List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                running.add(threads.submit(() -> {
                    for (int round = 0; round < 300; round++) {
                        burst(namespace, 1 + round % 40);
                    }
                }));
            }
            for (final Future<?> each : running) {
                each.get();
            }
        }
    }

    private void burst(final Namespace namespace, final int count) {
        final List<TestOperation> operations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            operations.add(TestOperation.read((long) i * BLOCK, BLOCK).submitTo(namespace, rig.inbox));
        }
        for (final TestOperation operation : operations) {
            assertThat(operation.await()).isEqualTo(BlockOutcome.DONE);
            operation.close();
        }
    }

    @Test
    void shouldKeepEveryWorkerBusyWhileThereIsWork() {
        final CountDownLatch release = new CountDownLatch(1);
        final ArrayFile file = hanging(release);
        try (Namespace namespace = ArrayFile.over(file, BLOCK, rig)) {
            final List<TestOperation> operations = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                operations.add(TestOperation.read((long) i * BLOCK, BLOCK).submitTo(namespace, rig.inbox));
            }
            await().until(() -> file.calls.size() == rig.workers.threads());
            release.countDown();
            operations.forEach(TestOperation::await);
            operations.forEach(TestOperation::close);
        }
    }

    @Test
    void shouldLeaveWorkersToOthersWhenOneMediumHangs() {
        final CountDownLatch release = new CountDownLatch(1);
        final ArrayFile hanging = hanging(release);
        final ArrayFile alsoHanging = hanging(release);
        final ArrayFile healthy = new ArrayFile(1 << 20);
        final List<TestOperation> stuck = new ArrayList<>();
        try (Namespace first = ArrayFile.over(hanging, BLOCK, rig);
                Namespace second = ArrayFile.over(alsoHanging, BLOCK, rig);
                Namespace third = ArrayFile.over(healthy, BLOCK, rig)) {
            for (int i = 0; i < 100; i++) {
                stuck.add(TestOperation.read((long) i * BLOCK, BLOCK).submitTo(first, rig.inbox));
                stuck.add(TestOperation.read((long) i * BLOCK, BLOCK).submitTo(second, rig.inbox));
            }
            await().until(() -> hanging.calls.size() + alsoHanging.calls.size() == rig.workers.threads() - 1);
            for (int round = 0; round < 20; round++) {
                burst(third, 30);
            }
            assertThat(hanging.calls.size() + alsoHanging.calls.size()).isEqualTo(rig.workers.threads() - 1);
            release.countDown();
            stuck.forEach(operation -> assertThat(operation.await()).isEqualTo(BlockOutcome.DONE));
            stuck.forEach(TestOperation::close);
        }
    }

    private static ArrayFile hanging(final CountDownLatch release) {
        final ArrayFile file = new ArrayFile(1 << 20);
        file.fault = (call, offset) -> {
            try {
                release.await();
            } catch (final InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            return 0;
        };
        return file;
    }

    @Test
    void shouldTakeItsTimeOnSlowStorageWithoutHoldingUpTheSubmitter() {
        try (Namespace namespace = SlowNamespaces.inMemory(1 << 20, BLOCK, Duration.ofMillis(100), rig.workers)) {
            final long beganNs = System.nanoTime();
            final List<TestOperation> operations = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                operations.add(
                        TestOperation.write((long) i * BLOCK, new byte[BLOCK]).submitTo(namespace, rig.inbox));
            }
            assertThat(operations.getLast().isDone()).isFalse();
            operations.forEach(TestOperation::await);
            assertThat(System.nanoTime() - beganNs).isGreaterThanOrEqualTo(200_000_000);
            operations.forEach(TestOperation::close);
        }
    }

    @Test
    void shouldNotAllocateWhereOperationsAreSubmitted() {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Namespace memory = rig.open("mem:1M", BLOCK);
                Namespace file = ArrayFile.over(new ArrayFile(1 << 20), BLOCK, rig);
                CountingOperation operation = new CountingOperation(BLOCK)) {
            long bytes = Long.MAX_VALUE;
            // The compiler may be at work during the first rounds.
            for (int round = 0; round < 30 && bytes > 0; round++) {
                final long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 2000; i++) {
                    operation.go(BlockCommand.WRITE, memory, rig.inbox);
                    operation.go(BlockCommand.READ, memory, rig.inbox);
                    operation.go(BlockCommand.READ, file, rig.inbox);
                }
                bytes = threads.getCurrentThreadAllocatedBytes() - before;
            }
            assertThat(bytes).isZero();
        }
    }

    @Test
    void shouldRefuseWorkAfterItsEndAndImpossibleNumbers() {
        assertThatThrownBy(() -> new StorageWorkers(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StorageWorkers(65)).isInstanceOf(IllegalArgumentException.class);
        final StorageWorkers ended = new StorageWorkers(2, rig.reporter);
        try (Namespace namespace = SlowNamespaces.inMemory(1 << 20, BLOCK, Duration.ZERO, ended)) {
            shutDown(ended);
            assertThatThrownBy(() -> TestOperation.flush().submitTo(namespace, rig.inbox))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    private static void shutDown(final StorageWorkers workers) {
        workers.close();
    }
}
