// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.cases;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.PduBuilder;
import goblin.nvmf.raw.RawAnswer;
import goblin.nvmf.raw.RawConnection;
import goblin.nvmf.raw.RawInitiator;
import goblin.nvmf.raw.RawOptions;
import goblin.nvmf.raw.RawPdu;
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

/** Moving data: cases N14, N16, N18 to N22, N24, N26. */
class DataCasesTest {
    private static final int WRITE = 1;
    private static final int READ = 2;
    private static final int LENGTH = 16_384;
    private static final int BLOCKS = LENGTH / 512;
    private static LiveTarget target;

    private RawInitiator host;
    private RawQueue queue;
    private RawConnection wire;

    @BeforeAll
    static void start() {
        target = LiveTarget.small();
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

    /** Asks for a write of 16 KiB by transport SGL, command 5, and gives the tag of its R2T. */
    private int askToWrite() {
        wire.send(PduBuilder.capsule(SqeBuilder.io(WRITE, 1, 0, BLOCKS).cid(5).sgl(SqeBuilder.TRANSPORT, LENGTH)));
        final RawPdu r2t = queue.expectR2t(5);
        assertThat(r2t.u32(12)).as("R2TO").isZero();
        assertThat(r2t.u32(16)).as("R2TL").isEqualTo(LENGTH);
        return r2t.u16(10);
    }

    private static void expectContents(final byte[] expected) {
        try (RawInitiator other = target.raw()) {
            assertThat(RawInitiator.read(other.queue(1, 8), 1, 0, expected.length / 512, 512))
                    .isEqualTo(expected);
        }
    }

    private byte[] prepared(final int seed) {
        final byte[] old = Blocks.random(LENGTH, seed);
        RawInitiator.write(queue, 1, 0, BLOCKS, old);
        return old;
    }

    @Test
    @DisplayName("N14: should take a Connect whose data comes by R2T, or refuse it, and live")
    void shouldTakeAConnectWhoseDataComesByR2tOrRefuseIt() {
        try (RawQueue bare = target.bare()) {
            final RawAnswer answer = bare.command(
                    SqeBuilder.connect(0, 31, 4, 0).sgl(SqeBuilder.TRANSPORT, 1024),
                    new ConnectData(LiveTarget.SUBSYSTEM).bytes());
            assertThat(answer.code()).isIn(0, 0x002);
        }
        assertThat(RawInitiator.read(queue, 1, 0, 1, 512)).hasSize(512);
    }

    @Test
    @DisplayName("N16: should end a connection that sends data under another command's identifier")
    void shouldEndAConnectionThatSendsDataUnderAnotherCommandsIdentifier() {
        final byte[] old = prepared(16);
        final int tag = askToWrite();
        wire.send(PduBuilder.h2cData(6, tag, 0, new byte[LENGTH]));
        final RawPdu term = wire.expectTerm(2, -1);
        assertThat(term.data()).as("copy of the header").hasSize(24);
        expectContents(old);
    }

    @ParameterizedTest
    @DisplayName("N16: should end a connection that sends data for a tag that is not in use")
    @ValueSource(ints = {1, 0x7FFF, 0xFFFF})
    void shouldEndAConnectionThatSendsDataForAnUnknownTag(final int otherTag) {
        final int tag = askToWrite();
        wire.send(PduBuilder.h2cData(5, tag ^ otherTag, 0, new byte[LENGTH]));
        wire.expectTerm(1, 10);
    }

    @Test
    @DisplayName("N16: should end a connection that sends data unasked")
    void shouldEndAConnectionThatSendsDataUnasked() {
        wire.send(PduBuilder.h2cData(5, 0, 0, new byte[512]));
        wire.expectTerm(1, 10);
    }

    @Test
    @DisplayName("N18: should end a connection that leaves a gap in its data")
    void shouldEndAConnectionThatLeavesAGap() {
        final byte[] old = prepared(18);
        wire.send(PduBuilder.h2cData(5, askToWrite(), 8192, new byte[8192]));
        wire.expectTerm(2, -1);
        expectContents(old);
    }

    @Test
    @DisplayName("N18: should end a connection that repeats data")
    void shouldEndAConnectionThatRepeatsData() {
        final int tag = askToWrite();
        wire.send(PduBuilder.h2cData(5, tag, 0, new byte[4096]).flags(0));
        wire.send(PduBuilder.h2cData(5, tag, 0, new byte[4096]).flags(0));
        wire.expectTerm(2, -1);
    }

    @ParameterizedTest
    @DisplayName("N18: should end a connection that sends data beyond what was asked for")
    @CsvSource({"16384, 4096", "12288, 8192", "4294967292, 4096"})
    void shouldEndAConnectionThatSendsDataBeyondWhatWasAskedFor(final long offset, final int length) {
        final int tag = askToWrite();
        if (offset == 12_288) {
            wire.send(PduBuilder.h2cData(5, tag, 0, new byte[12_288]).flags(0));
        }
        wire.send(PduBuilder.h2cData(5, tag, offset, new byte[length]));
        wire.expectTerm(4, -1);
    }

    @Test
    @DisplayName("N18: should complete at the byte count without LAST")
    void shouldCompleteAtTheByteCountWithoutLast() {
        final byte[] data = Blocks.random(LENGTH, 181);
        wire.send(PduBuilder.h2cData(5, askToWrite(), 0, data).flags(0));
        assertThat(queue.expectAnswer(5).status()).isZero();
        expectContents(data);
    }

    @Test
    @DisplayName("N18: should end a connection that says LAST too early")
    void shouldEndAConnectionThatSaysLastTooEarly() {
        wire.send(PduBuilder.h2cData(5, askToWrite(), 0, new byte[4096]));
        wire.expectTerm(1, 1);
    }

    @Test
    @DisplayName("N19: should ask for no more than MAXH2CDATA at once, in rising order")
    void shouldAskForNoMoreThanMaxH2cDataAtOnce() {
        try (LiveTarget split = LiveTarget.config().maxH2c(128 << 10).start().add(1, "mem:4M", 4096);
                RawInitiator other = split.raw()) {
            final RawQueue io = other.queue(1, 8);
            final byte[] data = Blocks.random(1 << 20, 19);
            assertThat(io.maxH2cData()).isEqualTo(128 << 10);
            RawInitiator.write(io, 1, 0, 256, data);
            assertThat(io.r2ts()).isEqualTo(8);
            assertThat(RawInitiator.read(io, 1, 0, 256, 4096)).isEqualTo(data);

            io.wire()
                    .send(PduBuilder.capsule(
                            SqeBuilder.io(WRITE, 1, 0, 256).cid(5).sgl(SqeBuilder.TRANSPORT, 1 << 20)));
            final RawPdu r2t = io.expectR2t(5);
            assertThat(r2t.u32(16)).isEqualTo(128 << 10);
            io.wire().send(PduBuilder.h2cData(5, r2t.u16(10), 0, new byte[(128 << 10) + 4]));
            final RawPdu term = io.wire().receive();
            assertThat(term.type()).isEqualTo(3);
            assertThat(term.u16(8))
                    .as("FES: beyond the range, or over the limit")
                    .isIn(4, 5);
        }
    }

    @Test
    @DisplayName("N20: should take in-capsule data up to the limit and no more")
    void shouldTakeInCapsuleDataUpToTheLimit() {
        try (LiveTarget limited = LiveTarget.config().inCapsule(4096).start().add(1, "mem:1M", 512);
                RawInitiator other = limited.raw()) {
            assertThat(other.inCapsuleBytes()).isEqualTo(4096);
            final RawQueue io = other.queue(1, 8);
            final byte[] data = Blocks.random(4096, 20);
            final SqeBuilder fits = SqeBuilder.io(WRITE, 1, 0, 8).sgl(SqeBuilder.IN_CAPSULE, 4096);
            assertThat(io.command(fits, data).status()).isZero();
            assertThat(RawInitiator.read(io, 1, 0, 8, 512)).isEqualTo(data);

            io.submit(SqeBuilder.io(WRITE, 1, 0, 9).sgl(SqeBuilder.IN_CAPSULE, 4100), new byte[4100]);
            io.wire().expectTerm(5, -1);
        }
    }

    @ParameterizedTest
    @DisplayName("N20: should always take 8 KiB in a capsule on an admin queue and no more")
    @ValueSource(ints = {0, 4096, 8192})
    void shouldAlwaysTakeEightKibibytesOnAnAdminQueue(final int inCapsule) {
        try (LiveTarget limited =
                LiveTarget.config().inCapsule(inCapsule).start().add(1, "mem:1M", 512)) {
            final byte[] padded = new byte[8192];
            System.arraycopy(new ConnectData(LiveTarget.SUBSYSTEM).bytes(), 0, padded, 0, 1024);
            try (RawQueue bare = limited.bare()) {
                final RawAnswer answer =
                        bare.command(SqeBuilder.connect(0, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 8192), padded);
                assertThat(answer.code())
                        .as("connected, or refused for the length")
                        .isIn(0, 0x182);
            }
            try (RawQueue bare = limited.bare()) {
                bare.submit(SqeBuilder.connect(0, 31, 4, 0).sgl(SqeBuilder.IN_CAPSULE, 8196), new byte[8196]);
                bare.wire().expectTerm(5, -1);
            }
        }
    }

    @Test
    @DisplayName("N20: should move all writes by R2T when capsules carry no data, but still take a Connect")
    void shouldMoveAllWritesByR2tWhenCapsulesCarryNoData() {
        try (LiveTarget none = LiveTarget.config().inCapsule(0).start().add(1, "mem:1M", 512);
                RawInitiator other = none.raw()) {
            assertThat(other.inCapsuleBytes()).isZero();
            final RawQueue io = other.queue(1, 8);
            final byte[] data = Blocks.random(512, 21);
            RawInitiator.write(io, 1, 3, 1, data);
            assertThat(io.r2ts()).isEqualTo(1);
            assertThat(RawInitiator.read(io, 1, 3, 1, 512)).isEqualTo(data);
        }
    }

    @ParameterizedTest
    @DisplayName("N20: should refuse an SGL whose length is not that of the data in the capsule")
    @ValueSource(ints = {508, 516, 0})
    void shouldRefuseAnSglWhoseLengthIsNotThatOfTheData(final int length) {
        queue.submit(SqeBuilder.io(WRITE, 1, 0, 1).sgl(SqeBuilder.IN_CAPSULE, length), new byte[512]);
        wire.expectTerm(1, 4);
    }

    @Test
    @DisplayName("N21: should refuse data that begins behind the capsule's beginning")
    void shouldRefuseDataBehindTheCapsulesBeginning() {
        queue.submit(SqeBuilder.io(WRITE, 1, 0, 1).u64(24, 8).sgl(SqeBuilder.IN_CAPSULE, 512), new byte[520]);
        final RawPdu term = wire.receive();
        assertThat(term.type()).isEqualTo(3);
        assertThat(term.u16(8)).as("FES: the offset, or the length first").isIn(6, 1);
    }

    @Test
    @DisplayName("N22: should refuse a write whose SGL is shorter than its blocks, and read on behind its data")
    void shouldRefuseAWriteWhoseSglIsShorterThanItsBlocks() {
        final RawAnswer answer =
                queue.command(SqeBuilder.io(WRITE, 1, 0, 10).sgl(SqeBuilder.IN_CAPSULE, 4096), new byte[4096]);
        assertThat(answer.code()).isEqualTo(0x00F);
        assertThat(answer.doNotRetry()).isTrue();

        final RawAnswer read = queue.command(SqeBuilder.io(READ, 1, 0, 10).sgl(SqeBuilder.TRANSPORT, 4096));
        assertThat(read.code()).isEqualTo(0x00F);
        assertThat(read.doNotRetry()).isTrue();
        assertThat(RawInitiator.read(queue, 1, 0, 1, 512)).hasSize(512);
    }

    @Test
    @DisplayName("N22: should live with a write whose SGL is longer than its blocks")
    void shouldLiveWithAWriteWhoseSglIsLongerThanItsBlocks() {
        final RawAnswer answer =
                queue.command(SqeBuilder.io(WRITE, 1, 0, 1).sgl(SqeBuilder.IN_CAPSULE, 4096), new byte[4096]);
        assertThat(answer.code()).isIn(0, 0x00F);
        assertThat(RawInitiator.read(queue, 1, 0, 1, 512)).hasSize(512);
    }

    @Test
    @DisplayName("should answer an SGL type that it does not take and stay in step with the stream")
    void shouldAnswerAnUnknownSglTypeAndStayInStep() {
        final RawAnswer read = queue.command(SqeBuilder.io(READ, 1, 0, 1).sgl(0x40, 512));
        assertThat(read.code()).isEqualTo(0x011);
        final int cid = queue.newCid();
        wire.send(PduBuilder.capsule(SqeBuilder.io(WRITE, 1, 0, 1).cid(cid).sgl(0x00, 512))
                .data(new byte[512]));
        assertThat(queue.expectAnswer(cid).code()).isEqualTo(0x011);
        assertThat(RawInitiator.read(queue, 1, 0, 1, 512)).hasSize(512);
    }

    @Test
    @DisplayName("N24: should not execute a write whose data digest is wrong, and go on")
    void shouldNotExecuteAWriteWhoseDataDigestIsWrong() {
        try (RawInitiator other = target.raw(RawOptions.DIGESTS)) {
            final RawQueue io = other.queue(1, 8);
            final byte[] old = Blocks.random(LENGTH, 24);
            RawInitiator.write(io, 1, 0, BLOCKS, old);

            io.wire()
                    .send(PduBuilder.capsule(
                                    SqeBuilder.io(WRITE, 1, 0, 8).cid(7).sgl(SqeBuilder.IN_CAPSULE, 4096))
                            .data(new byte[4096])
                            .damageDataDigest(1 << 17));
            expectTransportError(io.expectAnswer(7));

            io.wire()
                    .send(PduBuilder.capsule(
                            SqeBuilder.io(WRITE, 1, 0, BLOCKS).cid(8).sgl(SqeBuilder.TRANSPORT, LENGTH)));
            final int tag = io.expectR2t(8).u16(10);
            io.wire()
                    .send(PduBuilder.h2cData(8, tag, 0, new byte[8192]).flags(0).damageDataDigest(1));
            io.wire().send(PduBuilder.h2cData(8, tag, 8192, new byte[8192]));
            expectTransportError(io.expectAnswer(8));

            assertThat(RawInitiator.read(io, 1, 0, BLOCKS, 512)).isEqualTo(old);
            final byte[] next = Blocks.random(LENGTH, 25);
            RawInitiator.write(io, 1, 0, BLOCKS, next);
            assertThat(RawInitiator.read(io, 1, 0, BLOCKS, 512)).isEqualTo(next);
        }
    }

    private static void expectTransportError(final RawAnswer answer) {
        assertThat(answer.code()).isEqualTo(0x022);
        assertThat(answer.doNotRetry()).isFalse();
    }

    @Test
    @DisplayName("N24: should compute the data digest over the data and not over the padding before it")
    void shouldComputeTheDataDigestOverTheDataAlone() {
        try (RawInitiator other = target.raw(RawOptions.DIGESTS)) {
            final RawQueue io = other.queue(1, 8);
            final byte[] data = Blocks.random(512, 26);
            final byte[] bytes = PduBuilder.capsule(
                            SqeBuilder.io(WRITE, 1, 0, 1).cid(7).sgl(SqeBuilder.IN_CAPSULE, 512))
                    .data(data)
                    .dataAt(128)
                    .digests(true, true)
                    .bytes();
            bytes[100] = 0x55;
            io.wire().sendBytes(bytes);
            assertThat(io.expectAnswer(7).status()).isZero();
            assertThat(RawInitiator.read(io, 1, 0, 1, 512)).isEqualTo(data);
        }
    }

    @Test
    @DisplayName("N26: should fold a read's success into its last data only without SQ flow control")
    void shouldFoldSuccessIntoDataOnlyWithoutFlowControl() {
        final byte[] data = prepared(27);
        final SqeBuilder read = SqeBuilder.io(READ, 1, 0, BLOCKS).sgl(SqeBuilder.TRANSPORT, LENGTH);
        final RawAnswer folded = queue.command(read);
        assertThat(folded.data()).isEqualTo(data);
        assertThat(folded.sqHead()).as("no response of its own").isEqualTo(-1);

        try (RawInitiator other = target.raw(RawOptions.PLAIN.withFlowControl())) {
            final RawQueue io = other.queue(1, 8);
            for (int i = 0; i < 20; i++) {
                final RawAnswer answer = io.command(read);
                assertThat(answer.data()).isEqualTo(data);
                assertThat(answer.sqHead())
                        .as("one response, the head moves on")
                        .isEqualTo((i + 2) % 8);
            }
        }
    }

    @ParameterizedTest
    @DisplayName("N26: should keep the order of a stream of deep reads")
    @ValueSource(ints = {4, 31})
    void shouldKeepTheOrderOfAStreamOfDeepReads(final int depth) {
        final byte[] data = Blocks.random(65_536, depth);
        RawInitiator.write(queue, 1, 0, 128, data);
        final int[] cids = new int[depth];
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < depth; i++) {
                cids[i] = queue.submit(SqeBuilder.io(READ, 1, 0, 128).sgl(SqeBuilder.TRANSPORT, 65_536), null);
            }
            for (final int cid : cids) {
                assertThat(queue.await(cid).data()).isEqualTo(data);
            }
        }
    }
}
