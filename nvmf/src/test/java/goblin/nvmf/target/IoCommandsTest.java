// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.BlockCommand;
import goblin.nvmf.namespace.BlockOutcome;
import goblin.nvmf.target.IoCounters.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IoCommandsTest {
    private static final int FUA = 1 << 30;
    private final HeldMedium medium = new HeldMedium(512, 2048, HeldMedium.CACHED);
    private final IoBench bench = new IoBench().with(1, medium);

    @AfterEach
    void close() {
        bench.close();
    }

    private static byte[] ranges(final long... firstAndCount) {
        final ByteBuffer bytes = ByteBuffer.allocate(firstAndCount.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < firstAndCount.length; i += 2) {
            bytes.putInt(0x7777).putInt((int) firstAndCount[i + 1]).putLong(firstAndCount[i]);
        }
        return bytes.array();
    }

    private IoRequest dataset(final int cut, final long... firstAndCount) {
        final byte[] data = ranges(firstAndCount);
        return bench.request(Opcode.DATASET_MANAGEMENT, 9)
                .dword(10, firstAndCount.length / 2 - 1)
                .dword(11, 4)
                .sgl(data.length)
                .data(data, cut);
    }

    @Test
    void shouldGoOnWithLargeRangesInLaterTurns() {
        final HeldMedium large = new HeldMedium(512, 1 << 20, HeldMedium.CACHED).answering(BlockOutcome.DONE);
        bench.with(3, large);
        final long[] ranges = new long[2 * 40];
        for (int i = 0; i < 40; i++) {
            ranges[2 * i] = i * 4096L;
            ranges[2 * i + 1] = 4096;
        }

        // 2 MiB each, of which a turn does two.
        assertThat(bench.run(dataset(100, ranges).nsid(3))).isEqualTo(-1);
        int turns = 1;
        while (!bench.later.isEmpty()) {
            assertThat(large.asked).hasSize(2 * turns);
            bench.later.removeFirst().run();
            turns++;
        }

        assertThat(turns).isBetween(20, 21);
        assertThat(large.asked).hasSize(40);
        assertThat(bench.completed).singleElement().returns(0, IoRequest::status);
    }

    @Test
    void shouldHandTheVectorToTheMediumAsItIs() {
        final byte[] data = new byte[1024];
        data[700] = 5;
        final IoRequest write =
                bench.request(Opcode.WRITE, 1).blocks(3, 2).sgl(1024).data(data, 100);
        assertThat(bench.run(write)).isEqualTo(-1);
        final HeldMedium.Asked asked = medium.asked.getFirst();
        assertThat(asked.command()).isEqualTo(BlockCommand.WRITE);
        assertThat(asked.offset()).isEqualTo(3 * 512);
        assertThat(asked.length()).isEqualTo(1024);
        assertThat(medium.data.getFirst()).isEqualTo(data);
        assertThat(write.iovecs()).isEqualTo(write.vector().iovecs());
        medium.finish(BlockOutcome.DONE);
        assertThat(write.status()).isZero();
        assertThat(bench.completed).containsExactly(write);
    }

    @ParameterizedTest
    @CsvSource({"0,false,false", "0x40000000,false,true", "0,true,true"})
    void shouldMakeWritesDurableWhenTheHostAsksOrTheCacheIsOff(
            final String dword12, final boolean writesThrough, final boolean durable) {
        bench.writesThrough = writesThrough;
        final int flags = Integer.decode(dword12);
        bench.run(bench.request(Opcode.WRITE, 1)
                .blocks(0, 1)
                .dword(12, flags)
                .sgl(512)
                .data(new byte[512], 512));
        bench.run(bench.request(Opcode.WRITE_ZEROES, 2).dword(12, flags));
        assertThat(medium.asked).extracting(HeldMedium.Asked::durable).containsExactly(durable, durable);
    }

    @Test
    void n51_shouldWriteZeroesWithoutDataAndDeallocateWhenAllowed() {
        medium.answering(BlockOutcome.DONE);
        final IoRequest zeroes = bench.request(Opcode.WRITE_ZEROES, 1).blocks(0, 1024);
        assertThat(bench.run(zeroes)).isZero();
        assertThat(zeroes.transfer()).isEqualTo(Transfer.NONE);
        bench.run(bench.request(Opcode.WRITE_ZEROES, 2).blocks(0, 1).dword(12, 1 << 25));
        assertThat(medium.asked).extracting(HeldMedium.Asked::deallocate).containsExactly(false, true);
        assertThat(medium.asked.getFirst().length()).isEqualTo(1024 * 512);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 16, 4096})
    void n51_shouldDeallocateRangesOneAfterTheOther(final int cut) {
        final IoRequest dataset = dataset(cut, 8, 2, 0, 0, 2047, 1);
        assertThat(bench.run(dataset)).isEqualTo(-1);
        assertThat(medium.asked).hasSize(1);
        medium.finish(BlockOutcome.DONE);
        assertThat(medium.asked).hasSize(2);
        assertThat(bench.completed).isEmpty();
        medium.finish(BlockOutcome.DONE);
        assertThat(dataset.status()).isZero();
        assertThat(medium.asked).extracting(HeldMedium.Asked::offset).containsExactly(8L * 512, 2047L * 512);
        assertThat(medium.asked).extracting(HeldMedium.Asked::length).containsExactly(1024L, 512L);
        assertThat(medium.asked).extracting(HeldMedium.Asked::command).containsOnly(BlockCommand.DEALLOCATE);
    }

    @Test
    void n51_shouldTouchNothingWhenOneRangeIsOutside() {
        assertThat(bench.run(dataset(16, 0, 8, 2040, 9))).isEqualTo(Status.LBA_OUT_OF_RANGE | Status.DO_NOT_RETRY);
        assertThat(bench.run(dataset(16, -1, 1))).isEqualTo(Status.LBA_OUT_OF_RANGE | Status.DO_NOT_RETRY);
        assertThat(medium.asked).isEmpty();
    }

    @Test
    void n51_shouldTakeMostRangesOfAMediumThatCompletesAtOnceWithoutGrowingTheStack() {
        medium.answering(BlockOutcome.DONE);
        final long[] all = new long[512];
        for (int i = 0; i < 256; i++) {
            all[2 * i] = i * 8L;
            all[2 * i + 1] = 1;
        }
        assertThat(bench.run(dataset(500, all))).isZero();
        assertThat(medium.asked).hasSize(256);
    }

    @Test
    void n51_shouldTreatOtherAttributesAsHints() {
        medium.answering(BlockOutcome.DONE);
        final IoRequest hint = dataset(16, 0, 8).dword(11, 3);
        assertThat(bench.run(hint)).isZero();
        assertThat(medium.asked).isEmpty();
    }

    @Test
    void n51_shouldStopAtTheFirstRangeThatFails() {
        final IoRequest dataset = dataset(16, 0, 1, 1, 1, 2, 1);
        bench.run(dataset);
        medium.finish(BlockOutcome.WRITE_FAILED);
        assertThat(dataset.status()).isEqualTo(Status.WRITE_FAULT);
        assertThat(medium.asked).hasSize(1);
    }

    @Test
    void shouldFlushAllNamespacesWhateverBecomesOfOne() {
        final HeldMedium third = new HeldMedium(4096, 8, HeldMedium.CACHED);
        final HeldMedium fourth = new HeldMedium(4096, 8, HeldMedium.CACHED).answering(BlockOutcome.DONE);
        bench.with(3, third).with(4, fourth);
        // Whatever the path to its namespaces is.
        bench.path(AnaState.INACCESSIBLE);
        final IoRequest flush = bench.request(Opcode.FLUSH, 1).nsid(0xFFFFFFFF);
        assertThat(bench.run(flush)).isEqualTo(-1);
        medium.finish(BlockOutcome.SYNC_FAILED);
        third.finish(BlockOutcome.REMOVED);
        assertThat(flush.status()).isEqualTo(Status.WRITE_FAULT | Status.DO_NOT_RETRY);
        assertThat(fourth.asked).extracting(HeldMedium.Asked::command).containsExactly(BlockCommand.FLUSH);
        assertThat(bench.completed).containsExactly(flush);
    }

    @Test
    void shouldFlushWhereThereIsNothing() {
        try (IoBench empty = new IoBench()) {
            assertThat(empty.run(empty.request(Opcode.FLUSH, 1).nsid(0xFFFFFFFF)))
                    .isZero();
        }
    }

    @Test
    void shouldMakeDurableWhatAReadWithForcedUnitAccessReturns() {
        medium.answering(BlockOutcome.DONE);
        final IoRequest read = bench.request(Opcode.READ, 1)
                .blocks(5, 1)
                .dword(12, FUA)
                .sgl(512)
                .data(new byte[512], 512);
        assertThat(bench.run(read)).isZero();
        assertThat(medium.asked)
                .extracting(HeldMedium.Asked::command)
                .containsExactly(BlockCommand.FLUSH, BlockCommand.READ);
        assertThat(medium.asked.get(1).offset()).isEqualTo(5 * 512);
        assertThat(bench.counters.get(Kind.READ_BYTES)).isEqualTo(512);
    }

    @Test
    void shouldNotReadWhatCouldNotBeMadeDurable() {
        final IoRequest read = bench.request(Opcode.READ, 1)
                .blocks(5, 1)
                .dword(12, FUA)
                .sgl(512)
                .data(new byte[512], 512);
        bench.run(read);
        medium.finish(BlockOutcome.SYNC_FAILED);
        assertThat(read.status()).isEqualTo(Status.WRITE_FAULT | Status.DO_NOT_RETRY);
        assertThat(medium.heldCount()).isZero();
    }

    @Test
    void n24_shouldNotRunWhatTheTransportFailed() {
        final IoRequest write = bench.request(Opcode.WRITE, 1).blocks(0, 1).sgl(512);
        assertThat(bench.begin(write)).isTrue();
        write.fail(Status.TRANSIENT_TRANSPORT_ERROR);
        bench.io.execute(write);
        assertThat(bench.completed).containsExactly(write);
        assertThat(write.status()).isEqualTo(Status.TRANSIENT_TRANSPORT_ERROR);
        assertThat(medium.asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "DONE,0",
        "MISCOMPARE,0x285",
        "WRITE_FAILED,0x280",
        "READ_FAILED,0x281",
        "SYNC_FAILED,0x4280",
        "NO_SPACE,0x4081",
        "READ_ONLY,0x4020",
        "OUT_OF_RANGE,0x4080",
        "REMOVED,0x400B",
        "FENCED,0x008",
        "FAILED,0x006"
    })
    void shouldSayHowStorageEnded(final BlockOutcome how, final String status) {
        medium.answering(how);
        assertThat(bench.run(
                        bench.request(Opcode.COMPARE, 1).blocks(0, 1).sgl(512).data(new byte[512], 512)))
                .isEqualTo(Integer.decode(status));
    }

    @Test
    void shouldCountWhatSucceeded() {
        medium.answering(BlockOutcome.DONE);
        bench.run(bench.request(Opcode.READ, 1).blocks(0, 2).sgl(1024).data(new byte[1024], 512));
        bench.run(bench.request(Opcode.COMPARE, 2).blocks(0, 1).sgl(512).data(new byte[512], 512));
        bench.run(bench.request(Opcode.VERIFY, 3).blocks(0, 8));
        bench.run(bench.request(Opcode.WRITE, 4).blocks(0, 4).sgl(2048).data(new byte[2048], 512));
        bench.run(bench.request(Opcode.WRITE_ZEROES, 5).blocks(0, 4));
        medium.answering(BlockOutcome.READ_FAILED);
        bench.run(bench.request(Opcode.READ, 6).blocks(0, 2).sgl(1024).data(new byte[1024], 512));
        assertThat(bench.counters.get(Kind.READS)).isEqualTo(3);
        assertThat(bench.counters.get(Kind.READ_BYTES)).isEqualTo(1024 + 512 + 4096);
        assertThat(bench.counters.get(Kind.WRITES)).isEqualTo(1);
        assertThat(bench.counters.get(Kind.WRITTEN_BYTES)).isEqualTo(2048);
        assertThat(bench.counters.get(Kind.MEDIA_ERRORS)).isEqualTo(1);
    }

    @Test
    void shouldReadNumbersAcrossPieces() {
        final byte[] bytes = new byte[24];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i + 0xF0);
        }
        for (int cut = 1; cut <= 24; cut++) {
            final IoRequest request = bench.request(0, 0).data(bytes, cut);
            for (int at = 0; at <= 16; at++) {
                final long expected =
                        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
                assertThat(VectorReader.u64(request.vector(), at)).isEqualTo(expected);
                assertThat(VectorReader.u32(request.vector(), at)).isEqualTo(expected & 0xFFFF_FFFFL);
            }
        }
    }
}
