// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawPdu;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import goblin.nvmf.target.Status;
import goblin.testkit.Mischief;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a queue takes, or refuses with a status and goes on. */
class SurvivableErrorTest {
    private static final int MAX_DATA = 128 * 1024;
    private static final String NQN = "nqn.2014-08.org.example:a";

    private final ScriptedPair.Medium medium = new ScriptedPair.Medium(4 << 20, 0);
    private final TargetRig rig =
            new TargetRig(options(0), Mischief.NONE, transport -> new ScriptedPair(transport, medium));
    private final RawQueue queue = TcpQueueTest.ioQueue(rig, RawOptions.PLAIN);

    private static TcpOptions options(final int alignment) {
        return TargetRig.options(1 << 20, MAX_DATA, 8192, alignment, 8 << 20, 8 << 20);
    }

    @AfterEach
    void theQueueShouldGoOn() {
        TcpQueueTest.write(queue, 1000, TcpQueueTest.bytes(16_384));
        assertThat(TcpQueueTest.read(queue, 1000, 16_384)).isEqualTo(TcpQueueTest.bytes(16_384));
        queue.close();
        rig.close();
    }

    @ParameterizedTest
    @DisplayName("N03: digests exactly as asked for")
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void n03_shouldAgreeToTheDigestsAskedFor(final boolean header, final boolean data) {
        // What the ICResp says is checked by whoever opens a raw queue.
        try (RawQueue other = TcpQueueTest.ioQueue(rig, RawOptions.PLAIN.digests(header, data))) {
            assertThat(other.maxH2cData()).isEqualTo(MAX_DATA);
        }
    }

    @ParameterizedTest
    @DisplayName("N08: padding before the data")
    @ValueSource(ints = {72, 76, 80, 128})
    void n08_shouldSkipPadding(final int offset) {
        final byte[] data = TcpQueueTest.bytes(512);
        queue.wire()
                .send(PduBuilder.capsule(
                                SqeBuilder.io(Opcode.WRITE, 1, 7, 1).cid(9).sgl(SqeBuilder.IN_CAPSULE, 512))
                        .data(data)
                        .dataAt(offset));
        assertThat(queue.expectAnswer(9).status()).isZero();
        assertThat(Arrays.copyOfRange(medium.bytes(), 7 * 512, 8 * 512)).isEqualTo(data);
    }

    @Test
    @DisplayName("N14: the data of a Connect by R2T")
    void n14_shouldAskForTheDataOfAConnect() {
        try (RawQueue other = RawQueue.open(rig.address(), RawOptions.PLAIN, 0)) {
            assertThat(other.command(
                                    SqeBuilder.connect(1, 31, 0, 0).sgl(SqeBuilder.TRANSPORT, 1024),
                                    new ConnectData(NQN).bytes())
                            .status())
                    .isZero();
            assertThat(other.r2ts()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("N18 c: no last flag")
    void n18c_shouldCompleteWithoutTheLastFlag() {
        final RawPdu r2t = r2t(5, 16_384);
        queue.wire()
                .send(PduBuilder.h2cData(5, r2t.u16(10), 0, new byte[16_384]).flags(0));
        assertThat(queue.expectAnswer(5).status()).isZero();
    }

    @Test
    @DisplayName("N19: one R2T for each MAXH2CDATA")
    void n19_shouldAskForNoMoreThanMaxH2cDataAtATime() {
        final byte[] data = TcpQueueTest.bytes(1 << 20);
        TcpQueueTest.write(queue, 0, data);
        assertThat(queue.r2ts()).isEqualTo(8);
        assertThat(Arrays.copyOf(medium.bytes(), 1 << 20)).isEqualTo(data);
    }

    @Test
    @DisplayName("N20: no data in capsules of I/O, but of Connect")
    void n20_shouldTakeConnectInACapsuleEvenIfIoHasNone() {
        try (TargetRig other = new TargetRig(
                        TargetRig.options(1 << 20, MAX_DATA, 0, 0, 8 << 20, 8 << 20),
                        Mischief.NONE,
                        transport -> new ScriptedPair(transport, medium));
                RawQueue io = RawQueue.open(other.address(), RawOptions.PLAIN, 0)) {
            assertThat(io.connect(1, 31, new ConnectData(NQN)).status()).isZero();
            TcpQueueTest.write(io, 0, TcpQueueTest.bytes(512));
            assertThat(io.r2ts()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("N22, N47: a command that fails drops what came with it")
    void n22_shouldDropTheDataOfARefusedCommand() {
        assertThat(queue.command(SqeBuilder.io(Opcode.WRITE, 1, 1L << 40, 8), new byte[4096])
                        .status())
                .isEqualTo(Status.LBA_OUT_OF_RANGE | Status.DO_NOT_RETRY);
        assertThat(queue.command(SqeBuilder.io(Opcode.WRITE, 1, 0, 10).sgl(SqeBuilder.IN_CAPSULE, 4096), new byte[4096])
                        .status())
                .isEqualTo(Status.DATA_SGL_LENGTH_INVALID | Status.DO_NOT_RETRY);
        assertThat(queue.command(SqeBuilder.io(Opcode.WRITE, 1, 1L << 40, 64), new byte[32_768])
                        .status())
                .isEqualTo(Status.LBA_OUT_OF_RANGE | Status.DO_NOT_RETRY);
        assertThat(queue.r2ts()).isZero();
    }

    @ParameterizedTest
    @DisplayName("N24: damaged data")
    @ValueSource(ints = {4096, 16_384, 1 << 20})
    void n24_shouldNotRunAWriteWhoseDataIsDamaged(final int length) {
        try (RawQueue other = TcpQueueTest.ioQueue(rig, RawOptions.DIGESTS)) {
            if (length <= 8192) {
                other.wire()
                        .send(PduBuilder.capsule(SqeBuilder.io(Opcode.WRITE, 1, 0, length / 512)
                                        .cid(5)
                                        .sgl(SqeBuilder.IN_CAPSULE, length))
                                .data(TcpQueueTest.bytes(length))
                                .damageDataDigest(1));
            } else {
                other.wire()
                        .send(PduBuilder.capsule(SqeBuilder.io(Opcode.WRITE, 1, 0, length / 512)
                                .cid(5)
                                .sgl(SqeBuilder.TRANSPORT, length)));
                // Only the first PDU is damaged, the answer comes when all are there.
                for (int done = 0; done < length; done += MAX_DATA) {
                    final RawPdu r2t = other.expectR2t(5);
                    final int part = (int) r2t.u32(16);
                    other.wire()
                            .send(PduBuilder.h2cData(5, r2t.u16(10), done, TcpQueueTest.bytes(part))
                                    .damageDataDigest(done == 0 ? 1 : 0));
                }
            }
            assertThat(other.expectAnswer(5).status()).isEqualTo(Status.TRANSIENT_TRANSPORT_ERROR);
            assertThat(Arrays.copyOf(medium.bytes(), length)).containsOnly(0);
            TcpQueueTest.write(other, 0, TcpQueueTest.bytes(length));
            assertThat(TcpQueueTest.read(other, 0, length)).isEqualTo(TcpQueueTest.bytes(length));
        }
    }

    @Test
    @DisplayName("N26: success in the data only without flow control")
    void n26_shouldFoldSuccessIntoDataOnlyWithoutFlowControl() {
        try (RawQueue with = TcpQueueTest.ioQueue(rig, RawOptions.PLAIN.withFlowControl())) {
            final SqeBuilder read = SqeBuilder.io(Opcode.READ, 1, 0, 8).sgl(SqeBuilder.TRANSPORT, 4096);
            assertThat(with.command(read).sqHead()).isNotNegative();
            assertThat(queue.command(read).sqHead()).isEqualTo(-1);
        }
    }

    @Test
    @DisplayName("N48: an SGL of a command without data")
    void n48_shouldIgnoreTheSglOfACommandWithoutData() {
        assertThat(queue.command(SqeBuilder.opcode(Opcode.FLUSH).sgl(SqeBuilder.TRANSPORT, 4096))
                        .status())
                .isZero();
        assertThat(queue.command(SqeBuilder.io(Opcode.WRITE, 1, 0, 1).sgl(SqeBuilder.TRANSPORT, 0))
                        .status())
                .isEqualTo(Status.DATA_SGL_LENGTH_INVALID | Status.DO_NOT_RETRY);
        assertThat(queue.r2ts()).isZero();
    }

    @ParameterizedTest
    @DisplayName("unsupported SGL types")
    @ValueSource(ints = {0x00, 0x10, 0x40, 0x0F, 0x5B})
    void shouldRefuseOtherSglTypesWithAStatus(final int type) {
        final SqeBuilder write =
                SqeBuilder.io(Opcode.WRITE, 1, 0, 8).cid(5).u32(32, 4096).u8(39, type);
        queue.wire().send(PduBuilder.capsule(write).data(new byte[4096]));
        assertThat(queue.expectAnswer(5).status()).isEqualTo(Status.SGL_TYPE_INVALID | Status.DO_NOT_RETRY);
        queue.wire().send(PduBuilder.capsule(write));
        assertThat(queue.expectAnswer(5).status()).isEqualTo(Status.SGL_TYPE_INVALID | Status.DO_NOT_RETRY);
    }

    @Test
    @DisplayName("a read whose SGL points into the capsule")
    void shouldRefuseAReadIntoTheCapsule() {
        assertThat(queue.command(SqeBuilder.io(Opcode.READ, 1, 0, 8).sgl(SqeBuilder.IN_CAPSULE, 4096))
                        .status())
                .isEqualTo(Status.SGL_TYPE_INVALID | Status.DO_NOT_RETRY);
    }

    @Test
    @DisplayName("the same identifier twice")
    void shouldLeaveTheOriginalOfADuplicateAlone() {
        final RawPdu r2t = r2t(5, 16_384);
        queue.wire()
                .send(PduBuilder.capsule(
                                SqeBuilder.io(Opcode.WRITE, 1, 0, 1).cid(5).sgl(SqeBuilder.IN_CAPSULE, 512))
                        .data(new byte[512]));
        assertThat(queue.expectAnswer(5).status()).isEqualTo(Status.COMMAND_ID_CONFLICT | Status.DO_NOT_RETRY);
        queue.wire().send(PduBuilder.h2cData(5, r2t.u16(10), 0, TcpQueueTest.bytes(16_384)));
        assertThat(queue.expectAnswer(5).status()).isZero();
        assertThat(Arrays.copyOf(medium.bytes(), 16_384)).isEqualTo(TcpQueueTest.bytes(16_384));
    }

    @Test
    @DisplayName("N08: alignment that we ask for")
    void n08_shouldWantDataWhereItAnnouncedIt() {
        try (TargetRig other =
                new TargetRig(options(1), Mischief.NONE, transport -> new ScriptedPair(transport, medium))) {
            try (RawQueue aligned = RawQueue.open(other.address(), RawOptions.PLAIN, 8192)) {
                final SqeBuilder connect =
                        SqeBuilder.connect(1, 31, 0, 0).cid(1).sgl(SqeBuilder.IN_CAPSULE, 1024);
                aligned.wire()
                        .send(PduBuilder.capsule(connect)
                                .data(new ConnectData(NQN).bytes())
                                .dataAt(80));
                assertThat(aligned.expectAnswer(1).status()).isZero();
                aligned.wire()
                        .send(PduBuilder.capsule(
                                        SqeBuilder.io(Opcode.WRITE, 1, 0, 1).sgl(SqeBuilder.IN_CAPSULE, 512))
                                .data(new byte[512])
                                .dataAt(76));
                aligned.wire().expectTerm(1, 3);
            }
        }
    }

    /** Sends a write and waits until the target asks for its data. */
    private RawPdu r2t(final int cid, final int length) {
        queue.wire()
                .send(PduBuilder.capsule(
                        SqeBuilder.io(Opcode.WRITE, 1, 0, length / 512).cid(cid).sgl(SqeBuilder.TRANSPORT, length)));
        return queue.expectR2t(cid);
    }
}
