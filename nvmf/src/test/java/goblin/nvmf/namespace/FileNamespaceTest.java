// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import goblin.net.linux.Errno;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FileNamespaceTest {
    private static final int BLOCK = 512;

    private final MediumRig rig = new MediumRig();
    private final ArrayFile file = new ArrayFile(64 << 10);
    private final Namespace namespace = ArrayFile.over(file, BLOCK, rig);

    @AfterEach
    void stop() {
        namespace.close();
        assertThat(file.closed).isTrue();
        rig.close();
    }

    @Test
    void shouldGoOnWhereTheFileStoppedShort() {
        file.longest = 700;
        final byte[] data = bytes(8 * BLOCK, 3);
        assertThat(rig.run(namespace, TestOperation.write(BLOCK, data).cut(1, 100, 1000)))
                .isEqualTo(BlockOutcome.DONE);
        assertThat(Arrays.copyOfRange(file.contents(), BLOCK, 9 * BLOCK)).isEqualTo(data);
        assertThat(rig.read(namespace, BLOCK, 8 * BLOCK)).isEqualTo(data);
        assertThat(rig.run(namespace, TestOperation.compare(BLOCK, data).cut(7)))
                .isEqualTo(BlockOutcome.DONE);
    }

    @Test
    void shouldGoOnAfterASignalAndSplitLongVectors() {
        final int[] interrupts = {3};
        file.fault = (call, offset) -> call.equals("write") && interrupts[0]-- > 0 ? Errno.EINTR : 0;
        final byte[] data = bytes(64 * BLOCK, 4);
        assertThat(rig.run(namespace, TestOperation.write(0, data).cut(17))).isEqualTo(BlockOutcome.DONE);
        assertThat(Arrays.copyOf(file.contents(), data.length)).isEqualTo(data);
    }

    @Test
    void shouldTellFullFromBroken() {
        final long beganNs = System.nanoTime();
        fail("write", Errno.ENOSPC);
        assertThat(rig.run(namespace, write(0))).isEqualTo(BlockOutcome.NO_SPACE);
        fail("write", Errno.EDQUOT);
        assertThat(rig.run(namespace, write(0))).isEqualTo(BlockOutcome.NO_SPACE);
        fail("write", Errno.EIO);
        assertThat(rig.run(namespace, write(0))).isEqualTo(BlockOutcome.WRITE_FAILED);
        fail("read", Errno.EIO);
        assertThat(rig.run(namespace, TestOperation.read(0, BLOCK))).isEqualTo(BlockOutcome.READ_FAILED);
        assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.VERIFY, 0, BLOCK)))
                .isEqualTo(BlockOutcome.READ_FAILED);
        assertThat(rig.run(namespace, TestOperation.compare(0, new byte[BLOCK])))
                .isEqualTo(BlockOutcome.READ_FAILED);
        fail("clear", Errno.ENOSPC);
        assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.WRITE_ZEROES, 0, BLOCK)))
                .isEqualTo(BlockOutcome.NO_SPACE);
        final int seconds = (int) ((System.nanoTime() - beganNs) / 1_000_000_000);
        assertThat(rig.faults).as("told, but once a second at most").hasSizeBetween(1, 1 + seconds);
    }

    @Test
    void shouldWriteZerosByHandWhereTheFileSystemCannot() {
        fail("clear", Errno.EOPNOTSUPP);
        rig.run(namespace, TestOperation.write(0, bytes(64 << 10, 5)));
        assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.WRITE_ZEROES, BLOCK, 100L * BLOCK)))
                .isEqualTo(BlockOutcome.DONE);
        assertThat(rig.read(namespace, BLOCK, 100 * BLOCK)).containsOnly(0);
        assertThat(rig.read(namespace, 0, BLOCK)).isEqualTo(bytes(BLOCK, 5));
        assertThat(rig.run(namespace, TestOperation.plain(BlockCommand.DEALLOCATE, 0, BLOCK)))
                .isEqualTo(BlockOutcome.DONE);
        assertThat(rig.read(namespace, 0, BLOCK)).containsOnly(0);
    }

    @Test
    void shouldTakeAHintThatNobodyCanTake() {
        final FileFacts plain = new FileFacts(false, false, false, 1, 1, false, false, 4096);
        final ArrayFile old = new ArrayFile(64 << 10, plain);
        old.fault = (call, offset) -> call.equals("discard") ? Errno.EOPNOTSUPP : 0;
        try (Namespace without = ArrayFile.over(old, BLOCK, rig)) {
            assertThat(without.traits().deallocatedReadZero()).isFalse();
            rig.run(without, write(0));
            assertThat(rig.run(without, TestOperation.plain(BlockCommand.DEALLOCATE, 0, BLOCK)))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(rig.read(without, 0, BLOCK)).isEqualTo(bytes(BLOCK, 1));
        }
    }

    @Test
    void shouldFailEveryFlushAndDurableWriteAfterAFailedSync() {
        assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.DONE);
        fail("sync", Errno.EIO);
        assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.SYNC_FAILED);
        fail("nothing", 0);
        assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.SYNC_FAILED);
        assertThat(rig.run(namespace, write(0).durably())).isEqualTo(BlockOutcome.SYNC_FAILED);
        assertThat(rig.run(
                        namespace,
                        TestOperation.plain(BlockCommand.WRITE_ZEROES, 0, BLOCK).durably()))
                .isEqualTo(BlockOutcome.SYNC_FAILED);
        assertThat(rig.run(namespace, write(0))).isEqualTo(BlockOutcome.DONE);
        assertThat(rig.read(namespace, 0, BLOCK)).isEqualTo(bytes(BLOCK, 1));
        try (Namespace again = ArrayFile.over(new ArrayFile(BLOCK), BLOCK, rig)) {
            assertThat(rig.run(again, TestOperation.flush())).isEqualTo(BlockOutcome.DONE);
        }
    }

    @Test
    void shouldCountAFailedDurableWriteAsAFailedSync() {
        fail("write durably", Errno.EIO);
        assertThat(rig.run(namespace, write(0).durably())).isEqualTo(BlockOutcome.SYNC_FAILED);
        fail("nothing", 0);
        assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.SYNC_FAILED);
    }

    @Test
    void shouldForgiveADurableWriteThatFoundNoRoom() {
        file.fault = (call, offset) -> call.startsWith("write") ? Errno.ENOSPC : 0;
        assertThat(rig.run(namespace, write(0).durably())).isEqualTo(BlockOutcome.NO_SPACE);
        assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.DONE);
        fail("write durably", Errno.ENOSPC);
        assertThat(rig.run(namespace, write(0).durably())).isEqualTo(BlockOutcome.SYNC_FAILED);
    }

    @Test
    void shouldRememberAFailureThatADurableWriteWithoutRoomWasTold() {
        // The file tells of an earlier failure once for each lane: the write has used up what its own would have been
        // told.
        file.fault = (call, offset) -> call.startsWith("write") ? Errno.ENOSPC : Errno.EIO;
        assertThat(rig.run(namespace, write(0).durably())).isEqualTo(BlockOutcome.SYNC_FAILED);
        fail("nothing", 0);
        assertThat(rig.run(namespace, TestOperation.flush())).isEqualTo(BlockOutcome.SYNC_FAILED);
    }

    @Test
    void shouldSayWhenItClosesThatSomethingMayBeLost() throws NamespaceException {
        fail("sync", Errno.EIO);
        assertThatThrownBy(namespace::closeDurably)
                .isInstanceOf(NamespaceException.class)
                .hasMessageContaining("the last sync failed: EIO");
        assertThat(file.closed).isTrue();
        namespace.closeDurably();
        assertThat(rig.faults).isEmpty();
        final ArrayFile other = new ArrayFile(BLOCK);
        final Namespace failedBefore = ArrayFile.over(other, BLOCK, rig);
        other.fault = (call, offset) -> call.equals("sync") ? Errno.EIO : 0;
        rig.run(failedBefore, TestOperation.flush());
        other.fault = (call, offset) -> 0;
        assertThatThrownBy(failedBefore::closeDurably).hasMessageContaining("an earlier sync failed");
    }

    @Test
    void shouldMakeDurableWhatAskedForIt() {
        rig.run(namespace, write(0).durably());
        rig.run(namespace, write(0));
        rig.run(
                namespace,
                TestOperation.compareAndWrite(0, bytes(BLOCK, 1), bytes(BLOCK, 2))
                        .durably());
        rig.run(
                namespace,
                TestOperation.plain(BlockCommand.WRITE_ZEROES, 0, BLOCK).durably());
        assertThat(file.calls).containsExactly("write durably", "write", "read", "write durably", "clear", "sync");
    }

    @Test
    void shouldTouchNothingForAFencedOperation() {
        for (final TestOperation operation : List.of(
                write(0),
                TestOperation.read(0, BLOCK),
                TestOperation.flush(),
                TestOperation.plain(BlockCommand.WRITE_ZEROES, 0, BLOCK),
                TestOperation.plain(BlockCommand.DEALLOCATE, 0, BLOCK),
                TestOperation.plain(BlockCommand.VERIFY, 0, BLOCK),
                TestOperation.compareAndWrite(0, new byte[BLOCK], bytes(BLOCK, 1)))) {
            assertThat(rig.run(namespace, operation.fence())).isEqualTo(BlockOutcome.FENCED);
        }
        assertThat(file.calls).isEmpty();
    }

    @Test
    void shouldFenceAWriteThatWaitedForItsBlocks() {
        final CountDownLatch release = new CountDownLatch(1);
        file.fault = (call, offset) -> hold(release);
        try (TestOperation first = write(0);
                TestOperation second = write(0)) {
            first.submitTo(namespace, rig.inbox);
            await().until(() -> file.calls.size() == 1);
            second.submitTo(namespace, rig.inbox);
            second.fence();
            release.countDown();
            assertThat(first.await()).isEqualTo(BlockOutcome.DONE);
            assertThat(second.await()).isEqualTo(BlockOutcome.FENCED);
        }
        assertThat(file.calls).containsExactly("write");
    }

    @Test
    void shouldFinishWhatHasStartedBeforeItCloses() throws InterruptedException {
        final CountDownLatch release = new CountDownLatch(1);
        file.fault = (call, offset) -> call.equals("write") ? hold(release) : 0;
        final List<TestOperation> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            writes.add(write(i * BLOCK).submitTo(namespace, rig.inbox));
        }
        namespace.retire();
        assertThat(rig.run(namespace, write(0))).isEqualTo(BlockOutcome.REMOVED);
        final Thread closer = new Thread(namespace::close);
        closer.start();
        await().until(() -> closer.getState() == Thread.State.WAITING);
        assertThat(file.closed).isFalse();
        release.countDown();
        closer.join();
        assertThat(file.closed).isTrue();
        for (final TestOperation write : writes) {
            assertThat(write.await()).isEqualTo(BlockOutcome.DONE);
            write.close();
        }
        assertThat(file.calls).endsWith("sync");
    }

    @Test
    void shouldOutliveAnErrorInTheFile() {
        file.fault = (call, offset) -> {
            throw new StackOverflowError("a test");
        };
        for (int i = 0; i < 2 * rig.workers.threads(); i++) {
            assertThat(rig.run(namespace, write(0))).isEqualTo(BlockOutcome.FAILED);
        }
        assertThat(rig.faults).hasOnlyElementsOfType(StackOverflowError.class).hasSize(2 * rig.workers.threads());
        fail("nothing", 0);
        assertThat(rig.run(namespace, write(0))).as("no range is left locked").isEqualTo(BlockOutcome.DONE);
    }

    @Test
    void shouldCopyOnlyVectorsThatAreNotAligned() {
        final FileFacts strict = new FileFacts(false, false, true, 16, BLOCK, true, true, 4096);
        final ArrayFile direct = new ArrayFile(64 << 10, strict);
        try (Namespace aligned = ArrayFile.over(direct, BLOCK, rig)) {
            final byte[] data = bytes(8 * BLOCK, 6);
            assertThat(rig.run(aligned, TestOperation.write(0, data))).isEqualTo(BlockOutcome.DONE);
            assertThat(aligned.copiedBytes()).isZero();
            assertThat(rig.run(aligned, TestOperation.write(BLOCK, data).cut(100, 412)))
                    .isEqualTo(BlockOutcome.DONE);
            assertThat(aligned.copiedBytes()).isEqualTo(8 * BLOCK);
            try (TestOperation read = TestOperation.read(BLOCK, 8 * BLOCK).cut(3)) {
                assertThat(read.submitTo(aligned, rig.inbox).await()).isEqualTo(BlockOutcome.DONE);
                assertThat(read.data()).isEqualTo(data);
            }
            assertThat(aligned.copiedBytes()).isEqualTo(16 * BLOCK);
        }
    }

    @Test
    void shouldRefuseWritesWhenReadOnly() {
        final FileFacts kept = new FileFacts(false, true, false, 1, 1, false, false, 4096);
        final ArrayFile archive = new ArrayFile(64 << 10, kept);
        try (Namespace readOnly = ArrayFile.over(archive, BLOCK, rig)) {
            assertThat(rig.run(readOnly, write(0))).isEqualTo(BlockOutcome.READ_ONLY);
            assertThat(rig.run(readOnly, TestOperation.plain(BlockCommand.DEALLOCATE, 0, BLOCK)))
                    .isEqualTo(BlockOutcome.READ_ONLY);
            assertThat(rig.run(readOnly, TestOperation.flush())).isEqualTo(BlockOutcome.DONE);
            assertThat(rig.read(readOnly, 0, BLOCK)).containsOnly(0);
            assertThatThrownBy(() -> readOnly.resize(1)).hasMessageContaining("read-only");
        }
        assertThat(archive.calls).containsExactly("read");
    }

    @Test
    void shouldCutOffAndAddZerosWhenResized() throws NamespaceException {
        rig.run(namespace, TestOperation.write(0, bytes(64 << 10, 8)));
        namespace.resize(10);
        assertThat(namespace.blocks()).isEqualTo(10);
        assertThat(rig.run(namespace, write(10 * BLOCK))).isEqualTo(BlockOutcome.OUT_OF_RANGE);
        namespace.resize(20);
        assertThat(rig.read(namespace, 0, 10 * BLOCK)).isEqualTo(bytes(10 * BLOCK, 8));
        assertThat(rig.read(namespace, 10 * BLOCK, 10 * BLOCK)).containsOnly(0);
        fail("resize", Errno.ENOSPC);
        assertThatThrownBy(() -> namespace.resize(30)).isInstanceOf(NamespaceException.class);
        assertThat(namespace.blocks()).isEqualTo(20);
    }

    private void fail(final String which, final int errno) {
        file.fault = (call, offset) -> call.equals(which) ? errno : 0;
    }

    private static int hold(final CountDownLatch release) {
        try {
            release.await();
            return 0;
        } catch (final InterruptedException interrupted) {
            return Errno.EIO;
        }
    }

    private static TestOperation write(final int offset) {
        return TestOperation.write(offset, bytes(BLOCK, 1));
    }

    private static byte[] bytes(final int length, final int value) {
        final byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
