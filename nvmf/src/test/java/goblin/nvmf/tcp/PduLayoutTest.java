// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the flyweights write, byte by byte, and that they read what they wrote. */
final class PduLayoutTest {
    private static final long MAX_U32 = 0xFFFF_FFFFL;

    private long pdu;

    @BeforeEach
    @BeforeTry
    void allocate() {
        pdu = Memory.allocate(TermReq.MAX_BYTES);
        Memory.fill(pdu, TermReq.MAX_BYTES, (byte) 0xA5);
    }

    @AfterEach
    @AfterTry
    void free() {
        Memory.free(pdu);
    }

    private String hex(final int length) {
        return HexFormat.of().formatHex(Memory.toBytes(pdu, length));
    }

    @Test
    void shouldLayOutTheOpening() {
        IcReq.put(pdu, 2, IcReq.HEADER_DIGEST | IcReq.DATA_DIGEST, 3);
        assertThat(hex(128)).isEqualTo("0000800080000000" + "0000020303000000" + "00".repeat(112));

        IcResp.put(pdu, 1, IcReq.DATA_DIGEST, 0x0002_0000);
        assertThat(hex(128)).isEqualTo("0100800080000000" + "0000010200000200" + "00".repeat(112));
    }

    @Test
    void shouldLayOutData() {
        final int both = CommonHeader.HEADER_DIGEST | CommonHeader.DATA_DIGEST;
        assertThat(DataPdu.put(pdu, PduType.H2C_DATA, both | CommonHeader.LAST, 3, 0x1234, 0x5678, 0x1000, 0x200))
                .isEqualTo(4);
        assertThat(hex(24)).isEqualTo("0607182024020000" + "3412785600100000" + "0002000000000000");

        assertThat(DataPdu.put(pdu, PduType.C2H_DATA, 0, 0, 1, 0, 0, 4)).isZero();
        assertThat(hex(24)).isEqualTo("070018181c000000" + "0100000000000000" + "0400000000000000");
    }

    @Test
    void shouldLayOutWhatHasNoData() {
        R2t.put(pdu, CommonHeader.HEADER_DIGEST | CommonHeader.DATA_DIGEST, 1, 2, 3, 4);
        assertThat(hex(24)).isEqualTo("090118001c000000" + "0100020003000000" + "0400000000000000");

        CapsuleResp.putHeader(pdu, 0);
        assertThat(hex(8)).isEqualTo("0500180018000000");
        assertThat(CapsuleResp.cqe(pdu)).isEqualTo(pdu + 8);

        assertThat(CapsuleCmd.putHeader(pdu, CommonHeader.DATA_DIGEST, 0, 0)).isZero();
        assertThat(hex(8)).isEqualTo("0400480048000000");
        assertThat(CapsuleCmd.putHeader(pdu, CommonHeader.DATA_DIGEST, 0, 1024)).isZero();
        assertThat(hex(8)).isEqualTo("040248484c040000");
        assertThat(CapsuleCmd.sqe(pdu)).isEqualTo(pdu + 8);
    }

    @Test
    void shouldCopyTheOffendingHeaderIntoATerminationRequest() {
        final long header = Memory.allocate(200);
        Memory.fill(header, 200, (byte) 0x11);

        assertThat(TermReqBuilder.build(pdu, PduType.C2H_TERM_REQ, 1, 4, header, 72))
                .isEqualTo(96);
        assertThat(hex(96)).isEqualTo("0300180060000000" + "0100" + "04000000" + "00".repeat(10) + "11".repeat(72));

        assertThat(TermReqBuilder.build(pdu, PduType.H2C_TERM_REQ, 3, 0xDEAD_BEEFL, header, 200))
                .isEqualTo(152);
        assertThat(hex(152)).isEqualTo("0200180098000000" + "0300" + "efbeadde" + "00".repeat(10) + "11".repeat(128));

        assertThat(TermReqBuilder.build(pdu, PduType.C2H_TERM_REQ, 6, 32, 0, 0)).isEqualTo(24);
        assertThat(hex(24)).isEqualTo("0300180018000000" + "0600" + "20000000" + "00".repeat(10));
        Memory.free(header);
    }

    @Property(tries = 50)
    void shouldGiveInformationOnlyWithTheStatusesThatHaveIt(
            @ForAll @IntRange(min = 1, max = 6) final int status, @ForAll @LongRange(max = MAX_U32) final long given) {
        TermReqBuilder.build(pdu, PduType.C2H_TERM_REQ, status, given, 0, 0);

        assertThat(TermReq.status(pdu)).isEqualTo(status);
        assertThat(TermReq.information(pdu)).isEqualTo(status == 1 || status == 3 || status == 6 ? given : 0);
    }

    @Property(tries = 200)
    void shouldReadUnsignedWhatItWrote(
            @ForAll @IntRange(max = 0xFFFF) final int cid,
            @ForAll @IntRange(max = 0xFFFF) final int tag,
            @ForAll @LongRange(max = MAX_U32) final long offset,
            @ForAll @LongRange(min = 1, max = MAX_U32 - 200) final long length,
            @ForAll @IntRange(max = 15) final int flags,
            @ForAll @IntRange(max = IcReq.MAX_ALIGNMENT) final int alignment) {
        final int padding = DataPdu.put(pdu, PduType.H2C_DATA, flags, alignment, cid, tag, offset, length);

        final int headerEnd = 24 + (flags & 1) * 4;
        assertThat(CommonHeader.type(pdu)).isEqualTo(PduType.H2C_DATA);
        assertThat(CommonHeader.flags(pdu)).isEqualTo(flags);
        assertThat(CommonHeader.dataOffset(pdu)).isEqualTo(headerEnd + padding).isLessThanOrEqualTo(128);
        assertThat(CommonHeader.dataOffset(pdu) % ((alignment + 1) * 4)).isZero();
        assertThat(CommonHeader.length(pdu)).isEqualTo(headerEnd + padding + length + ((flags >> 1) & 1) * 4L);
        assertThat(DataPdu.cid(pdu)).isEqualTo(cid);
        assertThat(DataPdu.tag(pdu)).isEqualTo(tag);
        assertThat(DataPdu.offset(pdu)).isEqualTo(offset);
        assertThat(DataPdu.length(pdu)).isEqualTo(length);

        R2t.put(pdu, 0, cid, tag, offset, length);
        assertThat(R2t.cid(pdu)).isEqualTo(cid);
        assertThat(R2t.tag(pdu)).isEqualTo(tag);
        assertThat(R2t.offset(pdu)).isEqualTo(offset);
        assertThat(R2t.length(pdu)).isEqualTo(length);

        IcReq.put(pdu, alignment, flags & 3, offset);
        assertThat(IcReq.alignment(pdu)).isEqualTo(alignment);
        assertThat(IcReq.digests(pdu)).isEqualTo(flags & 3);
        assertThat(IcReq.maxR2t(pdu)).isEqualTo(offset);

        IcResp.put(pdu, alignment, flags & 3, length);
        assertThat(IcResp.alignment(pdu)).isEqualTo(alignment);
        assertThat(IcResp.digests(pdu)).isEqualTo(flags & 3);
        assertThat(IcResp.maxData(pdu)).isEqualTo(length);
    }
}
