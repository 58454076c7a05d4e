// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawAnswer;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawPdu;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** I/O commands: cases N47 to N49, N51, N53. Namespace 1 has 2048 blocks of 512 bytes. */
class IoCasesTest {
    private static final int FLUSH = 0x00;
    private static final int WRITE = 0x01;
    private static final int READ = 0x02;
    private static final int COMPARE = 0x05;
    private static final int WRITE_ZEROES = 0x08;
    private static final int DATASET_MANAGEMENT = 0x09;
    private static final int VERIFY = 0x0C;

    private static final int INVALID_FIELD = 0x002;
    private static final int SGL_LENGTH = 0x00F;
    private static final int OUT_OF_RANGE = 0x080;
    private static LiveTarget target;

    private RawInitiator host;
    private RawQueue queue;

    @BeforeAll
    static void start() {
        target = LiveTarget.config().maxIo(128 << 10).start().add(1, "mem:1M", 512);
    }

    @AfterAll
    static void stop() {
        target.awaitNothingLeft();
        target.close();
    }

    @BeforeEach
    void connect() {
        host = target.raw();
        queue = host.queue(1, 32);
    }

    @AfterEach
    void disconnect() {
        host.close();
    }

    private byte[] read(final long block, final int blocks) {
        return RawInitiator.read(queue, 1, block, blocks, 512);
    }

    private void write(final long block, final byte[] data) {
        RawInitiator.write(queue, 1, block, data.length / 512, data);
    }

    @ParameterizedTest
    @DisplayName("N47: should refuse ranges that end behind the namespace, however they are written")
    @CsvSource({
        "2047, 2",
        "2048, 1",
        "-1, 1",
        "-65535, 65536",
    })
    void shouldRefuseRangesThatEndBehindTheNamespace(final long block, final int blocks) {
        final int bytes = Math.min(blocks, 16) * 512;
        final int r2ts = queue.r2ts();
        for (final int opcode : new int[] {WRITE, COMPARE}) {
            // In the capsule, and by R2T, which must not come.
            assertThat(queue.command(SqeBuilder.io(opcode, 1, block, blocks), new byte[Math.min(bytes, 8192)])
                            .code())
                    .as("opcode %d", opcode)
                    .isIn(
                            OUT_OF_RANGE,
                            blocks > 16 ? SGL_LENGTH : OUT_OF_RANGE,
                            blocks > 16 ? INVALID_FIELD : OUT_OF_RANGE);
        }
        for (final int opcode : new int[] {READ, WRITE, COMPARE}) {
            final RawAnswer answer =
                    queue.command(SqeBuilder.io(opcode, 1, block, blocks).sgl(SqeBuilder.TRANSPORT, blocks * 512L));
            assertThat(answer.code())
                    .as("opcode %d", opcode)
                    .isIn(OUT_OF_RANGE, blocks > 256 ? INVALID_FIELD : OUT_OF_RANGE);
        }
        for (final int opcode : new int[] {WRITE_ZEROES, VERIFY}) {
            assertThat(queue.command(SqeBuilder.io(opcode, 1, block, blocks)).code())
                    .as("opcode %d", opcode)
                    .isEqualTo(OUT_OF_RANGE);
        }
        assertThat(deallocate(new long[] {block, blocks}).code()).isEqualTo(OUT_OF_RANGE);
        assertThat(queue.r2ts()).isEqualTo(r2ts);
        assertThat(read(2047, 1)).hasSize(512);
    }

    @Test
    @DisplayName("N47: should take the last block")
    void shouldTakeTheLastBlock() {
        final byte[] data = Blocks.random(512, 47);
        write(2047, data);
        assertThat(read(2047, 1)).isEqualTo(data);
    }

    @ParameterizedTest
    @DisplayName("should refuse namespaces that are not there")
    @ValueSource(ints = {0, 2, 0xFFFF_FFFF})
    void shouldRefuseNamespacesThatAreNotThere(final int nsid) {
        final RawAnswer answer = queue.command(SqeBuilder.io(READ, nsid, 0, 1).sgl(SqeBuilder.TRANSPORT, 512));
        assertThat(answer.code()).isEqualTo(0x00B);
        assertThat(answer.doNotRetry()).isTrue();
    }

    @Test
    @DisplayName("N48: should never ask for nothing")
    void shouldNeverAskForNothing() {
        final RawAnswer answer = queue.command(SqeBuilder.io(WRITE, 1, 0, 1).sgl(SqeBuilder.TRANSPORT, 0));
        assertThat(answer.code()).isEqualTo(SGL_LENGTH);
        assertThat(queue.r2ts()).isZero();
    }

    @Test
    @DisplayName("N48: should flush whatever SGL was left over in the command")
    void shouldFlushWhateverSglWasLeftOver() {
        assertThat(queue.command(SqeBuilder.opcode(FLUSH).nsid(1).sgl(SqeBuilder.TRANSPORT, 4096))
                        .status())
                .isZero();
        assertThat(queue.r2ts()).isZero();
    }

    @ParameterizedTest
    @DisplayName("N48: should end a connection that sends no data, or data that is no multiple of four")
    @CsvSource({"0, 0, 16", "6, 0, 16", "512, 2, 12"})
    void shouldEndAConnectionThatSendsOddData(final int length, final int offset, final int field) {
        queue.wire()
                .send(PduBuilder.capsule(SqeBuilder.io(WRITE, 1, 0, 32).cid(5).sgl(SqeBuilder.TRANSPORT, 16_384)));
        final RawPdu r2t = queue.expectR2t(5);
        queue.wire()
                .send(PduBuilder.h2cData(5, r2t.u16(10), offset, new byte[length])
                        .flags(0));
        queue.wire().expectTerm(1, field);
    }

    @Test
    @DisplayName("N49: should refuse what is over MDTS with a status, and live")
    void shouldRefuseWhatIsOverMdtsWithAStatus() {
        final byte[] largest = Blocks.random(128 << 10, 49);
        write(0, largest);
        assertThat(read(0, 256)).isEqualTo(largest);
        for (final int opcode : new int[] {READ, WRITE, COMPARE}) {
            final RawAnswer answer =
                    queue.command(SqeBuilder.io(opcode, 1, 0, 257).sgl(SqeBuilder.TRANSPORT, (128 << 10) + 512));
            assertThat(answer.code()).isEqualTo(INVALID_FIELD);
            assertThat(answer.doNotRetry()).isTrue();
        }
        assertThat(read(0, 256)).isEqualTo(largest);
    }

    @ParameterizedTest
    @DisplayName("N51: should write zeros over any number of blocks, beyond MDTS too")
    @ValueSource(ints = {0, 1})
    void shouldWriteZerosOverAnyNumberOfBlocks(final int deallocate) {
        for (int block = 0; block < 2048; block += 256) {
            write(block, Blocks.filled(128 << 10, 0x51));
        }
        final SqeBuilder zeroes = SqeBuilder.io(WRITE_ZEROES, 1, 1, 2046);
        assertThat(queue.command(zeroes.u8(51, deallocate << 1)).status()).isZero();
        assertThat(read(0, 1)).containsOnly(0x51);
        assertThat(read(1, 255)).containsOnly(0);
        assertThat(read(1900, 147)).containsOnly(0);
        assertThat(read(2047, 1)).containsOnly(0x51);
    }

    private RawAnswer deallocate(final long[]... ranges) {
        final byte[] data = new byte[ranges.length * 16];
        final ByteBuffer list = RawPdu.little(data);
        for (final long[] range : ranges) {
            list.putInt(0).putInt((int) range[1]).putLong(range[0]);
        }
        return queue.command(
                SqeBuilder.opcode(DATASET_MANAGEMENT)
                        .nsid(1)
                        .dword(10, ranges.length - 1)
                        .dword(11, 4),
                data);
    }

    @Test
    @DisplayName("N51: should deallocate one range and 256 of them")
    void shouldDeallocateOneRangeAndTheMost() {
        write(0, Blocks.filled(128 << 10, 0x52));
        assertThat(deallocate(new long[] {8, 8}).status()).isZero();
        assertThat(read(0, 8)).containsOnly(0x52);
        assertThat(read(8, 8)).containsOnly(0);

        final long[][] most = new long[256][];
        for (int i = 0; i < most.length; i++) {
            most[i] = new long[] {i, i % 2};
        }
        assertThat(deallocate(most).status()).isZero();
        assertThat(read(0, 1)).containsOnly(0x52);
        assertThat(read(1, 1)).containsOnly(0);
    }

    @Test
    @DisplayName("N51: should refuse a range that ends behind the namespace, and ranges that did not come")
    void shouldRefuseWrongRanges() {
        assertThat(deallocate(new long[] {0, 1}, new long[] {2047, 2}).code()).isEqualTo(OUT_OF_RANGE);
        final SqeBuilder tooShort =
                SqeBuilder.opcode(DATASET_MANAGEMENT).nsid(1).dword(10, 1).dword(11, 4);
        assertThat(queue.command(tooShort, new byte[16]).code()).isEqualTo(SGL_LENGTH);
    }

    @Test
    @DisplayName("N51: should ignore attributes that it does not know")
    void shouldIgnoreAttributesThatItDoesNotKnow() {
        final SqeBuilder hints =
                SqeBuilder.opcode(DATASET_MANAGEMENT).nsid(1).dword(10, 0).dword(11, 3);
        write(0, Blocks.filled(512, 0x53));
        final byte[] range = new byte[16];
        range[4] = 1;
        assertThat(queue.command(hints, range).status()).isZero();
        assertThat(read(0, 1)).containsOnly(0x53);
    }

    @Test
    @DisplayName("should compare")
    void shouldCompare() {
        final byte[] data = Blocks.random(4096, 5);
        write(16, data);
        assertThat(queue.command(SqeBuilder.io(COMPARE, 1, 16, 8), data).status())
                .isZero();
        data[4095] ^= 1;
        assertThat(queue.command(SqeBuilder.io(COMPARE, 1, 16, 8), data).code()).isEqualTo(0x285);
    }

    private static SqeBuilder fused(final int opcode, final int part, final long block, final int blocks) {
        return SqeBuilder.io(opcode, 1, block, blocks).u8(1, 0x40 | part);
    }

    @Test
    @DisplayName("N53: should compare and write as one when both come back to back")
    void shouldCompareAndWriteAsOne() {
        final byte[] old = Blocks.random(512, 53);
        final byte[] next = Blocks.random(512, 54);
        write(20, old);
        final int first = queue.submit(fused(COMPARE, 1, 20, 1), old);
        final int second = queue.submit(fused(WRITE, 2, 20, 1), next);
        assertThat(queue.await(first).status()).isZero();
        assertThat(queue.await(second).status()).isZero();
        assertThat(read(20, 1)).isEqualTo(next);

        final int third = queue.submit(fused(COMPARE, 1, 20, 1), old);
        final int fourth = queue.submit(fused(WRITE, 2, 20, 1), old);
        assertThat(queue.await(third).code()).isEqualTo(0x285);
        assertThat(queue.await(fourth).code()).isEqualTo(0x009);
        assertThat(read(20, 1)).isEqualTo(next);
    }

    @Test
    @DisplayName("N53: should abort half a fused pair and run the command that stands in its place")
    void shouldAbortHalfAFusedPair() {
        final byte[] old = Blocks.random(512, 55);
        write(21, old);
        final int first = queue.submit(fused(COMPARE, 1, 21, 1), old);
        final int unrelated = queue.submit(SqeBuilder.io(READ, 1, 21, 1).sgl(SqeBuilder.TRANSPORT, 512), null);
        assertThat(queue.await(first).code()).isEqualTo(0x00A);
        assertThat(queue.await(unrelated).data()).isEqualTo(old);
        assertThat(queue.command(fused(WRITE, 2, 21, 1), new byte[512]).code()).isEqualTo(0x00A);
        assertThat(read(21, 1)).isEqualTo(old);
    }

    @ParameterizedTest
    @DisplayName("should refuse commands with data that use PRPs, or reserved descriptors")
    @ValueSource(ints = {0x00, 0xC0})
    void shouldRefuseCommandsThatUsePrps(final int psdt) {
        final RawAnswer answer =
                queue.command(SqeBuilder.io(READ, 1, 0, 1).u8(1, psdt).sgl(SqeBuilder.TRANSPORT, 512));
        assertThat(answer.code()).isEqualTo(INVALID_FIELD);
    }

    @Test
    @DisplayName("should refuse a second command of the same identifier and leave the first one alone")
    void shouldRefuseASecondCommandOfTheSameIdentifier() {
        final byte[] data = Blocks.random(16_384, 56);
        final SqeBuilder sqe = SqeBuilder.io(WRITE, 1, 32, 32).cid(77).sgl(SqeBuilder.TRANSPORT, 16_384);
        queue.wire().send(PduBuilder.capsule(sqe));
        final RawPdu r2t = queue.expectR2t(77);
        queue.wire()
                .send(PduBuilder.capsule(SqeBuilder.io(READ, 1, 0, 1).cid(77).sgl(SqeBuilder.TRANSPORT, 512)));
        final RawAnswer conflict = queue.expectAnswer(77);
        assertThat(conflict.code()).isEqualTo(0x003);
        assertThat(conflict.doNotRetry()).isTrue();
        queue.wire().send(PduBuilder.h2cData(77, r2t.u16(10), 0, data));
        assertThat(queue.expectAnswer(77).status()).isZero();
        assertThat(read(32, 32)).isEqualTo(data);
    }

    @ParameterizedTest
    @DisplayName("should refuse I/O commands that it does not have")
    @ValueSource(ints = {0x04, 0x0D, 0x0E, 0x11, 0x15, 0x19, 0x7E, 0x81})
    void shouldRefuseIoCommandsItDoesNotHave(final int opcode) {
        assertThat(queue.command(SqeBuilder.opcode(opcode).nsid(1)).code()).isEqualTo(0x001);
    }
}
