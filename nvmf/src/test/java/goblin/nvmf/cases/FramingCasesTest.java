// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawConnection;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawQueue;
import goblin.nvmf.raw.SqeBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Framing on a live I/O queue: cases N06, N08, N09, N10, N11, N13, N25. */
class FramingCasesTest {
    private static final int FLUSH = 0;
    private static final int WRITE = 1;
    private static LiveTarget target;

    private RawInitiator host;
    private RawQueue queue;
    private RawConnection wire;

    @BeforeAll
    static void start() {
        target = LiveTarget.small().add(2, "mem:8M", 4096);
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
        wire = queue.wire();
    }

    @AfterEach
    void disconnect() {
        host.close();
    }

    private static PduBuilder write(final byte[] data) {
        return PduBuilder.capsule(
                        SqeBuilder.io(WRITE, 1, 0, data.length / 512).cid(9).sgl(SqeBuilder.IN_CAPSULE, data.length))
                .data(data);
    }

    @ParameterizedTest
    @DisplayName("N06: should refuse a capsule whose PLEN is too small or absurd")
    @ValueSource(longs = {71, 0, 0xFFFF_FFFFL, 0x8000_0000L})
    void shouldRefuseACapsuleWhosePlenIsTooSmallOrAbsurd(final long plen) {
        wire.sendBytes(PduBuilder.capsule(SqeBuilder.opcode(FLUSH)).plen(plen).bytes());
        wire.expectTerm(1, 4);
    }

    @Test
    @DisplayName("N06: should take a header of zeros for a second ICReq")
    void shouldTakeAHeaderOfZerosForASecondIcReq() {
        wire.sendBytes(new byte[8]);
        wire.expectTerm(2, -1);
    }

    @ParameterizedTest
    @DisplayName("N08: should refuse a data offset inside the header, misaligned, or beyond 128")
    @ValueSource(ints = {0, 71, 74, 132})
    void shouldRefuseAWrongDataOffset(final int offset) {
        wire.sendBytes(write(new byte[512]).pdo(offset).bytes());
        wire.expectTerm(1, 3);
    }

    @ParameterizedTest
    @DisplayName("N08: should take data behind padding and ignore what the padding holds")
    @ValueSource(ints = {72, 76, 80, 128})
    void shouldTakeDataBehindPadding(final int offset) {
        final byte[] data = Blocks.random(512, offset);
        final byte[] bytes = write(data).dataAt(offset).bytes();
        for (int i = 72; i < offset; i++) {
            bytes[i] = (byte) 0xEE;
        }
        wire.sendBytes(bytes);
        assertThat(queue.expectAnswer(9).status()).isZero();
        assertThat(RawInitiator.read(queue, 1, 0, 1, 512)).isEqualTo(data);
    }

    @ParameterizedTest
    @DisplayName("N08: should not look at the data offset of a capsule without data")
    @ValueSource(ints = {0, 71, 0x70, 255})
    void shouldNotLookAtTheDataOffsetOfACapsuleWithoutData(final int offset) {
        wire.sendBytes(PduBuilder.capsule(SqeBuilder.opcode(FLUSH).nsid(1).cid(9))
                .pdo(offset)
                .bytes());
        assertThat(queue.expectAnswer(9).status()).isZero();
    }

    @Test
    @DisplayName("N08: should hold hosts to the alignment that it asked for")
    void shouldHoldHostsToTheAlignmentItAskedFor() {
        try (LiveTarget aligned = LiveTarget.config().alignment(1).start().add(1, "mem:1M", 512);
                RawQueue bare = aligned.bare()) {
            final byte[] data = new byte[1024];
            bare.wire()
                    .sendBytes(PduBuilder.capsule(
                                    SqeBuilder.connect(0, 31, 0, 0).cid(1).sgl(SqeBuilder.IN_CAPSULE, 1024))
                            .data(data)
                            .dataAt(76)
                            .bytes());
            bare.wire().expectTerm(1, 3);
        }
    }

    @ParameterizedTest
    @DisplayName("N09: should refuse PDUs of the wrong direction and of unknown types")
    @ValueSource(ints = {0x01, 0x03, 0x05, 0x07, 0x09, 0x0A, 0xAC})
    void shouldRefusePdusOfTheWrongDirectionAndOfUnknownTypes(final int type) {
        wire.sendBytes(PduBuilder.pdu(type, 24).bytes());
        wire.expectTerm(1, 0);
    }

    @ParameterizedTest
    @DisplayName("N10: should close quietly when the host terminates, however it does")
    @CsvSource({"1, 4, 8", "2, 0, 0", "7, 0, 24", "1, 4, 128", "1, 4, 129"})
    void shouldCloseQuietlyWhenTheHostTerminates(final int status, final long information, final int dataBytes) {
        wire.sendBytes(PduBuilder.termReq(status, information, new byte[dataBytes])
                .pdo(0)
                .bytes());
        assertThat(wire.receive()).isNull();
    }

    @Test
    @DisplayName("N11: should keep nothing of connections that end by a bad PDU")
    void shouldKeepNothingOfConnectionsThatEndByABadPdu() {
        for (int i = 0; i < 100; i++) {
            try (RawInitiator bad = target.raw()) {
                final RawConnection badWire = bad.queue(1, 8).wire();
                badWire.sendBytes(
                        write(new byte[4096]).plen(i % 2 == 0 ? 71 : 5000).bytes());
                badWire.expectTerm(1, 4);
            }
        }
        host.close();
        target.awaitNothingLeft();
    }

    @ParameterizedTest
    @DisplayName("N13: should carry any number of pieces, with digests and without")
    @CsvSource({"31, false", "32, true", "33, false", "34, true", "66, true", "256, false", "256, true"})
    void shouldCarryAnyNumberOfPieces(final int pages, final boolean digests) {
        try (RawInitiator other = target.raw(digests ? RawOptions.DIGESTS : RawOptions.PLAIN)) {
            final RawQueue io = other.queue(1, 8);
            final byte[] data = Blocks.random(pages * 4096, pages);
            RawInitiator.write(io, 2, 1, pages, data);
            assertThat(RawInitiator.read(io, 2, 1, pages, 4096)).isEqualTo(data);
        }
    }

    @Test
    @DisplayName("N25: should end a connection whose header digest is wrong, and say which digest came")
    void shouldEndAConnectionWhoseHeaderDigestIsWrong() {
        try (RawInitiator other = target.raw(RawOptions.DIGESTS)) {
            final RawConnection otherWire = other.queue(1, 8).wire();
            final byte[] capsule = PduBuilder.capsule(
                            SqeBuilder.opcode(FLUSH).nsid(1).cid(9))
                    .digests(true, true)
                    .damageHeaderDigest(1)
                    .bytes();
            otherWire.sendBytes(capsule);
            otherWire.expectTerm(3, goblin.nvmf.raw.RawPdu.little(capsule).getInt(72) & 0xFFFF_FFFFL);
        }
    }

    @ParameterizedTest
    @DisplayName("N25: should refuse a digest flag that is not what was agreed")
    @ValueSource(booleans = {true, false})
    void shouldRefuseADigestFlagThatIsNotWhatWasAgreed(final boolean agreed) {
        try (RawInitiator other = target.raw(RawOptions.PLAIN.digests(agreed, false))) {
            final RawConnection otherWire = other.queue(1, 8).wire();
            otherWire.sendBytes(
                    PduBuilder.capsule(SqeBuilder.opcode(FLUSH).nsid(1).cid(9))
                            .digests(!agreed, false)
                            .bytes());
            otherWire.expectTerm(1, 1);
        }
    }
}
