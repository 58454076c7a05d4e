// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.BlockOutcome;
import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before any data is asked for. */
class IoChecksTest {
    private static final int DNR = Status.DO_NOT_RETRY;
    private final HeldMedium medium = new HeldMedium(512, 2048, HeldMedium.CACHED);
    private final IoBench bench = new IoBench().with(1, medium);

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {Opcode.READ, Opcode.WRITE, Opcode.COMPARE})
    void n22_shouldRefuseAnSglThatIsNotAsLongAsTheBlocks(final int opcode) {
        assertThat(bench.run(bench.request(opcode, 1).blocks(0, 10).sgl(4096)))
                .isEqualTo(Status.DATA_SGL_LENGTH_INVALID | DNR);
        assertThat(bench.run(bench.request(opcode, 2).blocks(0, 1).sgl(4096)))
                .isEqualTo(Status.DATA_SGL_LENGTH_INVALID | DNR);
        assertThat(bench.begin(bench.request(opcode, 3).blocks(0, 8).sgl(4096))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"2047,1,true", "2047,2,false", "2048,1,false", "-1,1,false", "-65535,65536,false"})
    void n47_shouldRefuseBlocksBehindTheEndInUnsignedArithmetic(final long first, final int count, final boolean good) {
        bench.maxIoBytes = 64 << 20;
        for (final int opcode :
                new int[] {Opcode.READ, Opcode.WRITE, Opcode.COMPARE, Opcode.WRITE_ZEROES, Opcode.VERIFY}) {
            final IoRequest request =
                    bench.request(opcode, opcode).blocks(first, count).sgl(count * 512L);
            assertThat(bench.begin(request)).isEqualTo(good);
            assertThat(request.status()).isEqualTo(good ? Status.SUCCESS : Status.LBA_OUT_OF_RANGE | DNR);
            assertThat(request.transfer() != Transfer.NONE && !good).isFalse();
        }
    }

    @Property(tries = 500)
    void n47_shouldAgreeWithNumbersOfAnySizeOnWhatIsInside(
            @ForAll final long first,
            @ForAll @IntRange(min = 1, max = 65536) final int count,
            @ForAll final long size) {
        final long blocks = Math.max(1, size & Long.MAX_VALUE);
        final HeldMedium any = new HeldMedium(512, blocks, HeldMedium.CACHED);
        final BigInteger end = new BigInteger(Long.toUnsignedString(first)).add(BigInteger.valueOf(count));
        assertThat(IoChecks.reaches(any, first, count)).isEqualTo(end.compareTo(BigInteger.valueOf(blocks)) <= 0);
    }

    @Test
    void n48_shouldNotAskForAWriteOfNothing() {
        final IoRequest write = bench.request(Opcode.WRITE, 1).blocks(0, 1).sgl(0);
        assertThat(bench.run(write)).isEqualTo(Status.DATA_SGL_LENGTH_INVALID | DNR);
        assertThat(write.transfer()).isEqualTo(Transfer.NONE);
    }

    @Test
    void n48_shouldFlushWithoutADataPhaseWhateverTheSglSays() {
        final IoRequest flush = bench.request(Opcode.FLUSH, 1).sgl(4096);
        assertThat(bench.begin(flush)).isTrue();
        assertThat(flush.transfer()).isEqualTo(Transfer.NONE);
    }

    @Test
    void n49_shouldRefuseWhatIsOverTheTransferLimitAndLetZeroesBeLonger() {
        assertThat(bench.begin(bench.request(Opcode.WRITE, 1).blocks(0, 256).sgl(128 << 10)))
                .isTrue();
        assertThat(bench.run(bench.request(Opcode.WRITE, 2).blocks(0, 257).sgl((128 << 10) + 512)))
                .isEqualTo(Status.INVALID_FIELD | DNR);
        assertThat(bench.begin(bench.request(Opcode.WRITE_ZEROES, 3).blocks(0, 2048)))
                .isTrue();
        assertThat(bench.begin(bench.request(Opcode.VERIFY, 4).blocks(0, 2048))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0xC0})
    void shouldRefuseAnythingButSgls(final int flags) {
        for (final int opcode : new int[] {Opcode.READ, Opcode.WRITE, Opcode.COMPARE, Opcode.DATASET_MANAGEMENT}) {
            final IoRequest request =
                    bench.request(opcode, opcode).flags(flags).blocks(0, 1).sgl(512);
            assertThat(bench.run(request)).isEqualTo(Status.INVALID_FIELD | DNR);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x03, 0x04, 0x0D, 0x11, 0x19, 0x7E, 0xFF})
    void shouldRefuseOpcodesThatItDoesNotKnow(final int opcode) {
        assertThat(bench.run(bench.request(opcode, 1).nsid(77))).isEqualTo(Status.INVALID_OPCODE | DNR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 1025, 0xFFFFFFFE, 0xFFFFFFFF})
    void shouldRefuseNamespacesThatAreNotThere(final int nsid) {
        assertThat(bench.run(
                        bench.request(Opcode.READ, 1).nsid(nsid).blocks(0, 1).sgl(512)))
                .isEqualTo(Status.INVALID_NAMESPACE | DNR);
    }

    @ParameterizedTest
    @CsvSource({"OPTIMIZED,0", "NON_OPTIMIZED,0", "INACCESSIBLE,0x302", "PERSISTENT_LOSS,0x301", "CHANGE,0x303"})
    void shouldSendTheHostToAnotherPath(final AnaState state, final String status) {
        bench.path(state);
        final int expected = Integer.decode(status);
        for (final int opcode : new int[] {Opcode.READ, Opcode.WRITE, Opcode.FLUSH, Opcode.WRITE_ZEROES}) {
            final IoRequest request = bench.request(opcode, opcode).blocks(0, 1).sgl(512);
            assertThat(bench.begin(request)).isEqualTo(expected == 0);
            assertThat(request.status()).isEqualTo(expected);
        }
    }

    @Test
    void shouldWriteNothingToWhatIsReadOnly() {
        bench.with(2, new HeldMedium(512, 2048, HeldMedium.READ_ONLY).answering(BlockOutcome.DONE));
        final int refused = Status.NAMESPACE_WRITE_PROTECTED | DNR;
        assertThat(bench.run(bench.request(Opcode.WRITE, 1).nsid(2).blocks(0, 1).sgl(512)))
                .isEqualTo(refused);
        assertThat(bench.run(bench.request(Opcode.WRITE_ZEROES, 2).nsid(2).blocks(0, 1)))
                .isEqualTo(refused);
        assertThat(bench.run(bench.request(Opcode.DATASET_MANAGEMENT, 3)
                        .nsid(2)
                        .dword(11, 4)
                        .sgl(16)))
                .isEqualTo(refused);
        assertThat(bench.run(bench.request(Opcode.READ, 4)
                        .nsid(2)
                        .blocks(0, 1)
                        .sgl(512)
                        .data(new byte[512], 512)))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"0,15,false", "0,16,true", "0,4096,true", "255,4095,false", "255,4096,true", "1,31,false"})
    void n51_shouldTakeRangesOnlyWithAnSglThatHoldsThem(final int lastRange, final int length, final boolean good) {
        final IoRequest request =
                bench.request(Opcode.DATASET_MANAGEMENT, 1).dword(10, lastRange).sgl(length);
        assertThat(bench.begin(request)).isEqualTo(good);
        assertThat(request.status()).isEqualTo(good ? 0 : Status.DATA_SGL_LENGTH_INVALID | DNR);
        assertThat(request.dataLength()).isEqualTo(good ? length : 0);
    }

    @ParameterizedTest
    @CsvSource({"17, 16", "18, 16", "19, 16", "20, 20", "4095, 4092"})
    void n51_shouldAskForWholeDwordsOfWhateverLengthIsDescribed(final int described, final int asked) {
        final IoRequest request = bench.request(Opcode.DATASET_MANAGEMENT, 1).sgl(described);
        assertThat(bench.begin(request)).isTrue();
        assertThat(request.dataLength()).isEqualTo(asked);
    }
}
