// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawConnection;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawPdu;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import goblin.nvmf.target.Opcode;
import goblin.nvmf.target.ScriptedPair;
import goblin.testkit.Mischief;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a queue answers to PDUs that are wrong where they come; a good connection beside it goes on. */
class FatalErrorTest {
    private static final int MAX_DATA = 128 * 1024;

    private final ScriptedPair.Medium medium = new ScriptedPair.Medium(1 << 20, 0);
    private final TargetRig rig =
            new TargetRig(options(), Mischief.NONE, transport -> new ScriptedPair(transport, medium));
    private final RawQueue good = TcpQueueTest.ioQueue(rig, RawOptions.PLAIN);
    private final RawQueue bad = TcpQueueTest.ioQueue(rig, RawOptions.PLAIN);

    private static TcpOptions options() {
        return TargetRig.options(1 << 20, MAX_DATA, 4096, 0, 8 << 20, 8 << 20);
    }

    @AfterEach
    void theOthersShouldGoOn() {
        TcpQueueTest.write(good, 100, TcpQueueTest.bytes(4096));
        assertThat(TcpQueueTest.read(good, 100, 4096)).isEqualTo(TcpQueueTest.bytes(4096));
        assertThat(Arrays.copyOf(medium.bytes(), 16_384)).as("untouched").containsOnly(0);
        good.close();
        bad.close();
        rig.close();
    }

    @Test
    @DisplayName("N01: a PDU before ICReq")
    void n01_shouldWantIcReqFirst() {
        try (RawConnection connection = RawConnection.open(rig.address(), 0)) {
            connection.send(PduBuilder.capsule(SqeBuilder.opcode(Opcode.FLUSH)));
            connection.expectTerm(2, 0);
        }
    }

    @Test
    @DisplayName("N01: three bytes and the end")
    void n01_shouldCloseSilentlyAfterThreeBytes() {
        try (RawConnection connection = RawConnection.open(rig.address(), 0)) {
            connection.sendBytes((byte) 0, (byte) 0, (byte) 128);
            connection.shutdownSend();
            assertThat(connection.receive()).isNull();
        }
    }

    @Test
    @DisplayName("N01, N10: the host gives up before its ICReq")
    void n01_shouldNotAnswerATerminationRequestByAnother() {
        try (RawConnection connection = RawConnection.open(rig.address(), 0)) {
            connection.send(PduBuilder.termReq(1, 4, new byte[8]));
            assertThat(connection.receive()).isNull();
        }
    }

    @Test
    @DisplayName("N06: a second ICReq")
    void n06_shouldRefuseASecondIcReq() {
        bad.wire().sendBytes(PduBuilder.icReq(false, false).bytes());
        bad.wire().expectTerm(2, 0);
    }

    @Test
    @DisplayName("N10: the host ends the connection")
    void n10_shouldCloseQuietlyWhenTheHostTerminates() {
        bad.wire().send(PduBuilder.termReq(1, 4, new byte[8]));
        assertThat(bad.wire().receive()).isNull();
        assertThat(rig.counter(TcpCounter.TERMINATED_BY_HOST)).isEqualTo(1);
    }

    @ParameterizedTest
    @DisplayName("N16: unknown transfer tags")
    @ValueSource(ints = {0, 2, 129, 0x7FFF, 0x8000, 0xFFFF})
    void n16_shouldRefuseUnknownTransferTags(final int other) {
        final RawPdu r2t = r2t(5, 16_384);
        bad.wire().send(PduBuilder.h2cData(5, r2t.u16(10) == other ? other + 1 : other, 0, new byte[16_384]));
        bad.wire().expectTerm(1, 10);
    }

    @Test
    @DisplayName("N16: data that nobody asked for")
    void n16_shouldRefuseDataOfAnIdleTag() {
        bad.wire().send(PduBuilder.h2cData(1, 1, 0, new byte[512]));
        bad.wire().expectTerm(1, 10);
    }

    @Test
    @DisplayName("N16: another command's identifier")
    void n16_shouldRefuseAnotherCommandsIdentifier() {
        final RawPdu r2t = r2t(5, 16_384);
        bad.wire().send(PduBuilder.h2cData(6, r2t.u16(10), 0, new byte[16_384]));
        bad.wire().expectTerm(2, 0);
    }

    @Test
    @DisplayName("N18 a: a gap inside the range")
    void n18a_shouldRefuseAGap() {
        final RawPdu r2t = r2t(5, 16_384);
        bad.wire().send(PduBuilder.h2cData(5, r2t.u16(10), 8192, new byte[8192]));
        bad.wire().expectTerm(2, 0);
    }

    @Test
    @DisplayName("N18 b: a repeat inside the range")
    void n18b_shouldRefuseARepeat() {
        final RawPdu r2t = r2t(5, 16_384);
        bad.wire().send(PduBuilder.h2cData(5, r2t.u16(10), 0, new byte[4096]).flags(0));
        bad.wire().send(PduBuilder.h2cData(5, r2t.u16(10), 0, new byte[4096]).flags(0));
        bad.wire().expectTerm(2, 0);
    }

    @ParameterizedTest
    @DisplayName("N18: data outside the range")
    @CsvSource({"0, 16388", "16384, 512", "12288, 8192", "4294967292, 8"})
    void n18_shouldRefuseDataOutsideTheRange(final long offset, final int length) {
        final RawPdu r2t = r2t(5, 16_384);
        bad.wire().send(PduBuilder.h2cData(5, r2t.u16(10), offset, new byte[length]));
        bad.wire().expectTerm(4, 0);
    }

    @Test
    @DisplayName("N18 d: the last flag too early")
    void n18d_shouldRefuseAnEarlyLastFlag() {
        final RawPdu r2t = r2t(5, 16_384);
        bad.wire().send(PduBuilder.h2cData(5, r2t.u16(10), 0, new byte[4096]));
        bad.wire().expectTerm(1, 1);
    }

    @Test
    @DisplayName("N19: more in a PDU than announced")
    void n19_shouldRefuseMoreThanMaxH2cData() {
        final RawPdu r2t = r2t(5, MAX_DATA * 2);
        assertThat(r2t.u32(16)).isEqualTo(MAX_DATA);
        bad.wire().send(PduBuilder.h2cData(5, r2t.u16(10), 0, new byte[MAX_DATA + 4]));
        bad.wire().expectTerm(5, 0);
    }

    @Test
    @DisplayName("N20: more in a capsule than an I/O queue takes")
    void n20_shouldRefuseTooMuchInACapsule() {
        bad.wire().send(capsule(4100, 4100));
        bad.wire().expectTerm(5, 0);
    }

    @ParameterizedTest
    @DisplayName("N19, N20: however much more it is, short of an absurd length")
    @ValueSource(longs = {80 * 1024, 4 << 20, 1 << 29})
    void n19_shouldNameALimitThatIsFarExceeded(final long length) {
        bad.wire().send(capsule((int) length, 512).plen(72 + length));
        bad.wire().expectTerm(5, 0);
    }

    @Test
    @DisplayName("N19: far more in a PDU than announced")
    void n19_shouldRefuseFarMoreThanMaxH2cData() {
        final RawPdu r2t = r2t(5, MAX_DATA * 2);
        bad.wire().send(PduBuilder.h2cData(5, r2t.u16(10), 0, new byte[MAX_DATA * 2]));
        bad.wire().expectTerm(5, 0);
    }

    @Test
    @DisplayName("N20: more in a capsule than an admin queue takes")
    void n20_shouldRefuseTooMuchInAnAdminCapsule() {
        try (RawQueue admin = RawQueue.open(rig.address(), RawOptions.PLAIN, 8192)) {
            assertThat(admin.connect(0, 31, new ConnectData("nqn.2014-08.org.example:a"))
                            .status())
                    .isZero();
            TcpQueueTest.write(admin, 200, new byte[8192]);
            admin.wire().send(capsule(8196, 8196));
            admin.wire().expectTerm(5, 0);
        }
    }

    @Test
    @DisplayName("N20: the SGL says another length than the capsule has")
    void n20_shouldRefuseAnotherLengthThanTheSglSays() {
        bad.wire().send(capsule(1024, 512));
        bad.wire().expectTerm(1, 4);
    }

    @Test
    @DisplayName("N20: the SGL says data, the capsule has none")
    void n20_shouldRefuseACapsuleWithoutItsData() {
        bad.wire().send(capsule(512, 0));
        bad.wire().expectTerm(1, 4);
    }

    @Test
    @DisplayName("N21: an offset into the capsule")
    void n21_shouldRefuseAnOffsetIntoTheCapsule() {
        bad.wire()
                .send(PduBuilder.capsule(SqeBuilder.io(Opcode.WRITE, 1, 0, 1)
                                .sgl(SqeBuilder.IN_CAPSULE, 520)
                                .u64(24, 8))
                        .data(new byte[520]));
        bad.wire().expectTerm(6, 32);
    }

    @Test
    @DisplayName("N25: a damaged header digest")
    void n25_shouldRefuseADamagedHeader() {
        try (RawQueue queue = TcpQueueTest.ioQueue(rig, RawOptions.DIGESTS)) {
            queue.wire()
                    .send(PduBuilder.capsule(SqeBuilder.opcode(Opcode.FLUSH)).damageHeaderDigest(1));
            queue.wire().expectTerm(3, -1);
            assertThat(rig.counter(TcpCounter.HEADER_DIGEST_ERRORS)).isEqualTo(1);
        }
    }

    /** Sends a write and waits until the target asks for its data. */
    private RawPdu r2t(final int cid, final int length) {
        bad.wire()
                .send(PduBuilder.capsule(
                        SqeBuilder.io(Opcode.WRITE, 1, 0, length / 512).cid(cid).sgl(SqeBuilder.TRANSPORT, length)));
        return bad.expectR2t(cid);
    }

    private static PduBuilder capsule(final int described, final int carried) {
        return PduBuilder.capsule(SqeBuilder.io(Opcode.WRITE, 1, 0, 1).sgl(SqeBuilder.IN_CAPSULE, described))
                .data(new byte[carried]);
    }
}
