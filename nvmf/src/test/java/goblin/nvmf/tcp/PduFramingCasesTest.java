// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static goblin.nvmf.tcp.Pdus.icReq;
import static goblin.nvmf.tcp.Pdus.icResp;
import static goblin.nvmf.tcp.Pdus.join;
import static goblin.nvmf.tcp.Pdus.plain;
import static goblin.nvmf.tcp.Pdus.with;
import static goblin.nvmf.tcp.Pdus.with32;
import static goblin.nvmf.tcp.Pdus.withLength;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that other targets met in PDU headers, by the numbers of the project's case list; each cut everywhere. */
final class PduFramingCasesTest {
    private static final byte[] SQE = new byte[64];
    private static final byte[] DATA = new byte[512];
    private static final byte[] NONE = {};
    private static final Pdus DIGESTED = new Pdus(true, true, 0);

    private static void shouldFail(final Feed feed, final int status, final long information, final byte[]... pdus) {
        final byte[] bad = pdus[pdus.length - 1];
        // What follows must not matter.
        final List<String> events = feed.everywhere(join(join(pdus), plain().capsule(SQE, NONE)));
        assertThat(events.get(events.size() - 2)).isEqualTo(EventLog.fatal(status, information));
        final byte[] offending = HexFormat.of().parseHex(events.getLast());
        assertThat(offending).isEqualTo(Arrays.copyOf(bad, offending.length));
        assertThat(offending.length).isBetween(CommonHeader.BYTES, 128);
    }

    private static Feed agreed() {
        return Feed.toController().agreeing(true, true, 0);
    }

    @Test
    void n01ShouldRefuseAStreamThatDoesNotBeginWithIcReq() {
        for (final int type : new int[] {1, 3, 4, 5, 6, 7, 8, 9, 10, 0xAC}) {
            shouldFail(Feed.toController(), 2, 0, with(plain().capsule(SQE, NONE), 0, type));
        }
    }

    @Test
    void n01ShouldNameWhatIsWrongWithAnIcReq() {
        shouldFail(Feed.toController(), 1, 2, with(icReq(), 2, 0x7F));
        shouldFail(Feed.toController(), 1, 4, withLength(icReq(), 129));
        shouldFail(Feed.toController(), 1, 4, withLength(icReq(), 0xFFFF_FFFFL));
        shouldFail(Feed.toController(), 1, 8, with(icReq(), 8, 1));
        shouldFail(Feed.toController(), 1, 8, with(icReq(), 9, 1));
        shouldFail(Feed.toController(), 1, 10, with(icReq(), 10, 32));
    }

    @Test
    void n01ShouldTakeAnIcReqWithReservedBitsSet() {
        final byte[] odd = with(with(with(icReq(), 1, 0xFF), 3, 0xFF), 11, 0xFC);

        assertThat(Feed.toController().everywhere(odd))
                .containsExactly(EventLog.header(PduType.IC_REQ, odd, 0), EventLog.end(true));
    }

    @Test
    void n01ShouldSayNothingAboutAStreamThatEndsEarly() {
        assertThat(Feed.toController().everywhere(Arrays.copyOf(icReq(), 3))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {71, 0, 8, 0xFFFF_FFFFL, 0x8000_0000L, 0x7FFF_FFFFL})
    void n06ShouldRefuseAnAbsurdLength(final long length) {
        shouldFail(Feed.toController(), 1, 4, icReq(), withLength(plain().capsule(SQE, NONE), length));
        shouldFail(Feed.toController(), 1, 4, icReq(), withLength(plain().capsule(SQE, DATA), length));
        shouldFail(agreed(), 1, 4, icReq(), withLength(DIGESTED.capsule(SQE, DATA), length));
    }

    @Test
    void n06ShouldCountTheDigestIntoTheSmallestLength() {
        shouldFail(agreed(), 1, 4, icReq(), withLength(DIGESTED.capsule(SQE, NONE), 72));
        // Room for the data digest, none for data.
        shouldFail(agreed(), 1, 4, icReq(), with(withLength(DIGESTED.capsule(SQE, DATA), 80), 3, 76));
    }

    @Test
    void n06ShouldReadAZeroHeaderAsASecondIcReq() {
        shouldFail(Feed.toController(), 2, 0, icReq(), new byte[8]);
        shouldFail(Feed.toController(), 2, 0, icReq(), icReq());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 68, 71, 73, 74, 132, 200, 255})
    void n08ShouldRefuseADataOffsetOutsideItsRange(final int offset) {
        shouldFail(Feed.toController(), 1, 3, icReq(), with(plain().capsule(SQE, DATA), 3, offset));
    }

    @Test
    void n08ShouldCountTheHeaderDigestIntoTheDataOffset() {
        shouldFail(agreed(), 1, 3, icReq(), with(DIGESTED.capsule(SQE, DATA), 3, 72));
    }

    @Test
    void n08ShouldRefuseADataOffsetBehindTheEnd() {
        shouldFail(Feed.toController(), 1, 3, icReq(), with(plain().capsule(SQE, new byte[4]), 3, 80));
    }

    @Test
    void n08ShouldRefuseADataOffsetThatIsNotAlignedAsAgreed() {
        final Feed feed = Feed.toController().agreeing(false, false, 1);
        shouldFail(feed, 1, 3, icReq(), with(plain().capsule(SQE, DATA), 3, 76));
        shouldFail(feed, 1, 3, icReq(), with(new Pdus(false, false, 1).capsule(SQE, DATA), 3, 84));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 71, 0x70, 0xFF})
    void n08ShouldNotLookAtTheDataOffsetWithoutData(final int offset) {
        final byte[] capsule = with(plain().capsule(SQE, NONE), 3, offset);

        assertThat(Feed.toController().everywhere(join(icReq(), capsule)))
                .endsWith(EventLog.header(PduType.CAPSULE_CMD, capsule, 0), EventLog.end(true));
    }

    @Test
    void n08ShouldIgnorePadding() {
        final byte[] data = {1, 2, 3, 4};
        // 80 is more than an alignment of one dword asks for.
        final byte[] header = Arrays.copyOf(with(withLength(plain().capsule(SQE, data), 84), 3, 80), CapsuleCmd.BYTES);

        assertThat(Feed.toController().everywhere(join(icReq(), plain().sealed(header, data))))
                .endsWith(EventLog.header(PduType.CAPSULE_CMD, header, 4), EventLog.payload(data), EventLog.end(true));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x03, 0x05, 0x07, 0x08, 0x09, 0x0A, 0xAC, 0xFF})
    void n09ShouldRefuseATypeThatHostsDoNotSend(final int type) {
        shouldFail(Feed.toController(), 1, 0, icReq(), with(plain().capsule(SQE, NONE), 0, type));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x02, 0x04, 0x06, 0x08, 0x0A, 0xAC, 0xFF})
    void n09ShouldRefuseATypeThatControllersDoNotSend(final int type) {
        shouldFail(Feed.toHost(), 1, 0, icResp(), with(plain().capsuleResp(new byte[16]), 0, type));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 23, 153, 0x8000_0018L, 0xFFFF_FFFFL})
    void n10ShouldEndQuietlyAtATerminationRequestOfAbsurdLength(final long length) {
        final byte[] term = Pdus.termReq(PduType.H2C_TERM_REQ, 1, 4, NONE);
        shouldFail(Feed.toController(), TermReq.QUIET, 0, icReq(), withLength(term, length));
        shouldFail(Feed.toController(), TermReq.QUIET, 0, icReq(), with(term, 2, 25));
    }

    @ParameterizedTest
    @CsvSource({"1, 4, 0", "1, 4, 8", "7, 0, 128", "65535, 4294967295, 128"})
    void n10ShouldReportATerminationRequestAndReadNothingMore(
            final int status, final long information, final int length) {
        final byte[] term = Pdus.termReq(PduType.H2C_TERM_REQ, status, information, new byte[length]);

        // No digest even where digests are agreed.
        final List<String> events = agreed().everywhere(join(icReq(), term, icReq()));

        assertThat(events)
                .contains(EventLog.header(PduType.H2C_TERM_REQ, Arrays.copyOf(term, TermReq.BYTES), length))
                .endsWith(EventLog.end(true))
                .noneMatch(event -> event.startsWith("fatal"));
    }

    @Test
    void n20ShouldLeaveTheLimitOfInCapsuleDataToTheQueueAndRefuseOnlyTheAbsurd() {
        final byte[] large = plain().capsule(SQE, new byte[(int) Feed.MAX_CAPSULE_DATA]);
        assertThat(Feed.toController().events(join(icReq(), large))).hasSize(5);

        final byte[] header =
                withLength(Arrays.copyOf(large, CapsuleCmd.BYTES), CapsuleCmd.BYTES + Feed.MAX_CAPSULE_DATA + 1);
        shouldFail(Feed.toController(), 1, 4, icReq(), header);
    }

    @Test
    void n20ShouldGiveTheLengthOfInCapsuleDataByThePdusLength() {
        final byte[] capsule = DIGESTED.capsule(SQE, new byte[4100]);

        assertThat(agreed().events(join(icReq(), capsule)))
                .contains(EventLog.header(PduType.CAPSULE_CMD, Arrays.copyOf(capsule, CapsuleCmd.BYTES), 4100));
    }

    @Test
    void n25ShouldGiveTheDigestReceivedWhenAHeaderDigestIsWrong() {
        for (final byte[] pdu : List.of(
                DIGESTED.capsule(SQE, NONE),
                DIGESTED.capsule(SQE, DATA),
                DIGESTED.data(PduType.H2C_DATA, 0, 1, 2, 0, DATA))) {
            final int at = pdu[2];
            shouldFail(agreed(), 3, 0xDEAD_BEEFL, icReq(), with32(pdu, at, 0xDEAD_BEEFL));
            // One bit of the header's last byte.
            final byte[] flipped = with(pdu, at - 1, pdu[at - 1] ^ 1);
            final byte[] digest = Arrays.copyOfRange(pdu, at, at + 4);
            shouldFail(agreed(), 3, number(digest), icReq(), flipped);
        }
    }

    @Test
    void n25ShouldGiveTheDigestBeforeAnyFieldBehindTheCommonHeader() {
        final byte[] pdu = DIGESTED.data(PduType.H2C_DATA, 0, 1, 2, 0, DATA);
        shouldFail(agreed(), 3, number(Arrays.copyOfRange(pdu, 24, 28)), icReq(), with32(pdu, 16, 0));
    }

    @Test
    void n25ShouldRefuseDigestFlagsThatDifferFromWhatWasAgreed() {
        final Feed none = Feed.toController();
        shouldFail(none, 1, 1, icReq(), with(plain().capsule(SQE, NONE), 1, CommonHeader.HEADER_DIGEST));
        shouldFail(none, 1, 1, icReq(), with(plain().capsule(SQE, DATA), 1, CommonHeader.DATA_DIGEST));
        shouldFail(agreed(), 1, 1, icReq(), with(DIGESTED.capsule(SQE, DATA), 1, CommonHeader.DATA_DIGEST));
        shouldFail(agreed(), 1, 1, icReq(), with(DIGESTED.capsule(SQE, DATA), 1, CommonHeader.HEADER_DIGEST));
        shouldFail(agreed(), 1, 1, icReq(), with(DIGESTED.capsule(SQE, NONE), 1, 0));
        shouldFail(agreed(), 1, 1, icReq(), with(DIGESTED.capsule(SQE, NONE), 1, 3));
    }

    @Test
    void n48ShouldRefuseDataWhoseOwnFieldsContradictItsLength() {
        final byte[] pdu = plain().data(PduType.H2C_DATA, 0, 1, 2, 0, DATA);
        final Feed feed = Feed.toController();
        shouldFail(feed, 1, 16, icReq(), with32(pdu, 16, 0));
        shouldFail(feed, 1, 16, icReq(), with32(pdu, 16, 511));
        shouldFail(feed, 1, 12, icReq(), with32(pdu, 12, 2));
        shouldFail(feed, 1, 4, icReq(), with32(pdu, 16, 516));
        shouldFail(feed, 1, 4, icReq(), with32(pdu, 16, 0xFFFF_FFFCL));
        shouldFail(feed, 1, 4, icReq(), withLength(pdu, 24));
        shouldFail(feed, 1, 4, icReq(), withLength(pdu, Feed.MAX_DATA + 200));
        shouldFail(feed, 1, 2, icReq(), with(pdu, 2, 72));
    }

    @Test
    void n26ShouldRefuseSuccessThatIsNotFoldedIntoTheLastData() {
        final byte[] pdu = plain().data(PduType.C2H_DATA, CommonHeader.SUCCESS, 1, 0, 0, DATA);
        shouldFail(Feed.toHost(), 1, 1, icResp(), pdu);
    }

    @Test
    void n03ShouldRefuseAControllersAnswerThatIsNone() {
        shouldFail(Feed.toHost(), 2, 0, plain().capsuleResp(new byte[16]));
        shouldFail(Feed.toHost(), 2, 0, icResp(), icResp());
        shouldFail(Feed.toHost(), 1, 8, with(icResp(), 8, 1));
        shouldFail(Feed.toHost(), 1, 10, with(icResp(), 10, 32));
        shouldFail(Feed.toHost(), 1, 4, icResp(), withLength(plain().r2t(1, 1, 0, 4), 28));
        shouldFail(Feed.toHost(), 1, 4, icResp(), withLength(plain().capsuleResp(new byte[16]), 0xFFFF_FFFFL));
    }

    @Test
    void shouldLetAControllerRefuseTheConnection() {
        final byte[] term = Pdus.termReq(PduType.C2H_TERM_REQ, 1, 8, new byte[128]);

        assertThat(Feed.toHost().everywhere(term)).hasSize(3);
    }

    private static long number(final byte[] bytes) {
        long value = 0;
        for (int i = 3; i >= 0; i--) {
            value = value << 8 | (bytes[i] & 0xFF);
        }
        return value;
    }
}
