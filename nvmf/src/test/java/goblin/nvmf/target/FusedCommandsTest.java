// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import goblin.nvmf.namespace.BlockCommand;
import goblin.nvmf.namespace.BlockOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** N53: Compare and Write as one. */
class FusedCommandsTest {
    private static final int FAILED_FUSED = Status.ABORTED_FAILED_FUSED;
    private static final int MISSING_FUSED = Status.ABORTED_MISSING_FUSED;
    private final HeldMedium medium = new HeldMedium(512, 2048, HeldMedium.CACHED);
    private final IoBench bench = new IoBench().with(1, medium).with(2, medium);

    @AfterEach
    void close() {
        bench.close();
    }

    private static byte[] filled(final int length, final int value) {
        final byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private IoRequest compare() {
        return bench.request(Opcode.COMPARE, 1).fuse(1).blocks(4, 2).sgl(1024).data(filled(1024, 0xC0), 300);
    }

    private IoRequest write() {
        return bench.request(Opcode.WRITE, 2).fuse(2).blocks(4, 2).sgl(1024).data(filled(1024, 0x33), 700);
    }

    private IoRequest other() {
        return bench.request(Opcode.READ, 3).blocks(0, 1).sgl(512).data(new byte[512], 512);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void n53_shouldRunTheTwoAsOneInWhateverOrderTheirDataComes(final boolean firstDataFirst) {
        final IoRequest compare = compare();
        final IoRequest write = write();
        assertThat(bench.begin(compare)).isTrue();
        assertThat(bench.begin(write)).isTrue();
        bench.io.execute(firstDataFirst ? compare : write);
        assertThat(medium.asked).isEmpty();
        bench.io.execute(firstDataFirst ? write : compare);

        final HeldMedium.Asked asked = medium.asked.getFirst();
        assertThat(asked.command()).isEqualTo(BlockCommand.COMPARE_AND_WRITE);
        assertThat(asked.offset()).isEqualTo(4 * 512);
        assertThat(asked.length()).isEqualTo(1024);
        assertThat(medium.data.getFirst()).hasSize(2048);
        assertThat(medium.data.getFirst()).startsWith(filled(1024, 0xC0)).endsWith(filled(1024, 0x33));
        medium.finish(BlockOutcome.DONE);
        assertThat(bench.completed).containsExactly(compare, write);
        assertThat(compare.status()).isZero();
        assertThat(write.status()).isZero();
    }

    @Test
    void n53_shouldFailBothWhenTheComparisonFails() {
        final IoRequest compare = compare();
        final IoRequest write = write();
        bench.run(compare);
        bench.run(write);
        medium.finish(BlockOutcome.MISCOMPARE);
        assertThat(compare.status()).isEqualTo(Status.COMPARE_FAILURE);
        assertThat(write.status()).isEqualTo(FAILED_FUSED);
    }

    @Test
    void n53_shouldFailTheFirstWithTheWriteThatFails() {
        final IoRequest compare = compare();
        final IoRequest write = write();
        bench.run(compare);
        bench.run(write);
        medium.finish(BlockOutcome.WRITE_FAILED);
        assertThat(compare.status()).isEqualTo(FAILED_FUSED);
        assertThat(write.status()).isEqualTo(Status.WRITE_FAULT);
    }

    @Test
    void n53_shouldRunAnUnrelatedCommandAfterAFirstWithoutItsSecond() {
        medium.answering(BlockOutcome.DONE);
        final IoRequest compare = compare();
        final IoRequest read = other();
        assertThat(bench.run(compare)).isEqualTo(-1);
        assertThat(bench.run(read)).isZero();
        assertThat(compare.status()).isEqualTo(MISSING_FUSED);
        assertThat(bench.completed).containsExactly(compare, read);
    }

    @Test
    void n53_shouldFailAFirstWithoutItsSecondOnlyWhenItsDataHasCome() {
        final IoRequest compare = compare();
        assertThat(bench.begin(compare)).isTrue();
        bench.io.interrupted();
        assertThat(bench.completed).isEmpty();
        bench.io.execute(compare);
        assertThat(bench.completed).containsExactly(compare);
        assertThat(compare.status()).isEqualTo(MISSING_FUSED);
    }

    @Test
    void n53_shouldRefuseASecondWithoutItsFirst() {
        assertThat(bench.run(write())).isEqualTo(MISSING_FUSED);
        assertThat(medium.asked).isEmpty();
    }

    @Test
    void n53_shouldStartAnewWithAnotherFirst() {
        final IoRequest lost = compare();
        final IoRequest compare = compare();
        final IoRequest write = write();
        bench.run(lost);
        bench.run(compare);
        assertThat(lost.status()).isEqualTo(MISSING_FUSED);
        bench.run(write);
        medium.finish(BlockOutcome.DONE);
        assertThat(write.status()).isZero();
    }

    @Test
    void n53_shouldFailTheSecondWithAFirstThatWasRefused() {
        assertThat(bench.run(compare().blocks(4, 3))).isEqualTo(Status.DATA_SGL_LENGTH_INVALID | Status.DO_NOT_RETRY);
        assertThat(bench.run(write())).isEqualTo(FAILED_FUSED);
        assertThat(bench.run(write())).isEqualTo(MISSING_FUSED);
    }

    @Test
    void n53_shouldRefusePairsThatDoNotFit() {
        final int invalid = Status.INVALID_FIELD | Status.DO_NOT_RETRY;
        final IoRequest first = compare();
        bench.run(first);
        assertThat(bench.run(write().blocks(5, 2))).isEqualTo(invalid);
        assertThat(first.status()).isEqualTo(FAILED_FUSED);
        final IoRequest again = compare();
        bench.run(again);
        assertThat(bench.run(other().fuse(2))).isEqualTo(invalid);
        assertThat(again.status()).isEqualTo(FAILED_FUSED);
        assertThat(bench.run(other().fuse(1))).isEqualTo(invalid);
        assertThat(bench.run(other().fuse(3))).isEqualTo(invalid);
        assertThat(medium.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void n53_shouldFailTheOtherWhenTheDataOfOneIsDamaged(final boolean damageFirst) {
        final IoRequest compare = compare();
        final IoRequest write = write();
        bench.begin(compare);
        bench.begin(write);
        final IoRequest damaged = damageFirst ? compare : write;
        final IoRequest whole = damageFirst ? write : compare;
        damaged.fail(Status.TRANSIENT_TRANSPORT_ERROR);
        bench.io.execute(damaged);
        bench.io.execute(whole);
        assertThat(damaged.status()).isEqualTo(Status.TRANSIENT_TRANSPORT_ERROR);
        assertThat(whole.status()).isEqualTo(FAILED_FUSED);
        assertThat(bench.completed).containsExactlyInAnyOrder(compare, write);
        assertThat(medium.asked).isEmpty();
    }

    @Test
    void n53_shouldFailASecondThatComesAfterTheDamageOfItsFirst() {
        final IoRequest compare = compare();
        bench.begin(compare);
        compare.fail(Status.TRANSIENT_TRANSPORT_ERROR);
        bench.io.execute(compare);
        assertThat(bench.run(write())).isEqualTo(FAILED_FUSED);
    }

    @Test
    void n53_shouldFailTheFirstOfASecondThatWasRefusedBeforeItGotHere() {
        final IoRequest compare = compare();
        bench.run(compare);
        bench.io.refused(write(), Status.COMMAND_ID_CONFLICT);
        assertThat(compare.status()).isEqualTo(FAILED_FUSED);
        assertThat(bench.run(write())).isEqualTo(MISSING_FUSED);
    }

    @Test
    void n53_shouldFailTheSecondOfAFirstThatWasRefusedBeforeItGotHere() {
        bench.io.refused(compare(), Status.COMMAND_ID_CONFLICT);
        assertThat(bench.run(write())).isEqualTo(FAILED_FUSED);
    }

    @Test
    void n53_shouldPartAPairForACommandBetweenThatWasRefusedBeforeItGotHere() {
        final IoRequest compare = compare();
        bench.run(compare);
        bench.io.refused(other(), Status.COMMAND_ID_CONFLICT);
        assertThat(compare.status()).isEqualTo(MISSING_FUSED);
        assertThat(bench.run(write())).isEqualTo(MISSING_FUSED);
    }

    @Test
    void n53_shouldAskForNoDataOfAFirstThatHasFailed() {
        final IoRequest compare = compare();
        assertThat(bench.begin(compare)).isTrue();
        bench.waiting.add(compare);
        assertThat(bench.run(other())).isEqualTo(-1);
        assertThat(bench.completed).containsExactly(compare);
        assertThat(compare.status()).isEqualTo(MISSING_FUSED);
        assertThat(bench.waiting).isEmpty();
    }

    @Test
    void shouldLetTheOtherFailWhenOneIsWithdrawn() {
        final IoRequest compare = compare();
        final IoRequest write = write();
        bench.begin(compare);
        bench.begin(write);
        bench.io.execute(write);
        bench.io.withdrawn(compare);
        assertThat(bench.completed).containsExactly(write);
        assertThat(write.status()).isEqualTo(FAILED_FUSED);
    }

    @Test
    void shouldGiveBackWhatWaitsAtTheEndAndKeepWhatIsAtStorage() {
        final long before = Memory.allocatedBytes();
        final IoRequest running = compare();
        final IoRequest runningWrite = write();
        final IoRequest waiting = compare();
        bench.run(running);
        bench.run(runningWrite);
        bench.run(waiting);
        bench.io.closed();
        assertThat(bench.completed).containsExactly(waiting);
        assertThat(waiting.status()).isEqualTo(Status.ABORTED_SQ_DELETION);
        medium.finish(BlockOutcome.DONE);
        assertThat(bench.completed).containsExactly(waiting, running, runningWrite);
        bench.close();
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
    }
}
