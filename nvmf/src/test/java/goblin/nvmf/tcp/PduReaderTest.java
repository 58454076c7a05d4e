// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static goblin.nvmf.tcp.Pdus.icReq;
import static goblin.nvmf.tcp.Pdus.icResp;
import static goblin.nvmf.tcp.Pdus.join;
import static goblin.nvmf.tcp.Pdus.plain;
import static goblin.nvmf.tcp.Pdus.with;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PduReaderTest {
    private static final byte[] SQE = new byte[64];
    private static final Pdus DIGESTED = new Pdus(true, true, 1);

    @Test
    void shouldPassThroughEveryState() {
        final byte[] capsule = DIGESTED.capsule(SQE, new byte[12]);
        final byte[] stream = join(icReq(), capsule, with(DIGESTED.capsule(SQE, new byte[0]), 76 - 1, 0xFF));
        final Set<PduReader.State> seen = EnumSet.noneOf(PduReader.State.class);

        Feed.toController()
                .agreeing(true, true, 1)
                .waiting(1)
                .events(stream, seen::add, IntStream.range(1, stream.length).toArray());

        assertThat(seen).containsExactlyInAnyOrder(PduReader.State.values());
    }

    @Test
    void shouldKeepAHeaderThatHasToWaitAndOfferItAgain() {
        final byte[] stream =
                join(icReq(), DIGESTED.capsule(SQE, new byte[] {1, 2, 3, 4}), DIGESTED.capsule(SQE, new byte[0]));
        final Feed feed = Feed.toController().agreeing(true, true, 1);

        assertThat(feed.waiting(3).everywhere(stream))
                .isEqualTo(feed.waiting(0).events(stream))
                .hasSize(7);
    }

    @Test
    void shouldStopInFrontOfTheDataWhileItsHeaderWaits() {
        final byte[] stream = join(icReq(), plain().capsule(SQE, new byte[16]));
        final EventLog log = new EventLog(false, false, 0, 1);
        try (PduReader reader = PduReader.ofController(log, new Crc32c(), 64, 64)) {
            log.reader(reader);
            final NativeSegment segment = new NativeSegment(stream, 0, stream.length);

            assertThat(reader.read(segment, 0)).isEqualTo(128);
            assertThat(reader.stopped()).isTrue();
            assertThat(reader.resume()).isTrue();
            assertThat(reader.read(segment, 128)).isEqualTo(72);
            assertThat(reader.state()).isEqualTo(PduReader.State.OFFERED);
            assertThat(reader.read(segment, 200)).isEqualTo(16);
            assertThat(reader.state()).isEqualTo(PduReader.State.COMMON_HEADER);
            segment.release();
        }
    }

    @Test
    void shouldReportAWrongDataDigestAndGoOn() {
        final byte[] bad = DIGESTED.capsule(SQE, new byte[] {1, 2, 3, 4});
        bad[80] ^= 1;
        final byte[] stream = join(icReq(), bad, DIGESTED.capsule(SQE, new byte[0]));

        assertThat(Feed.toController().agreeing(true, true, 1).everywhere(stream))
                .contains(EventLog.payload(new byte[] {0, 2, 3, 4}), EventLog.end(false))
                .last()
                .isEqualTo(EventLog.end(true));
    }

    @Test
    void shouldReadNothingAfterATerminationRequest() {
        final byte[] term = Pdus.termReq(PduType.H2C_TERM_REQ, 1, 4, new byte[8]);

        assertThat(Feed.toController().everywhere(join(icReq(), term, icReq())))
                .containsExactly(
                        EventLog.header(PduType.IC_REQ, icReq(), 0),
                        EventLog.end(true),
                        EventLog.header(PduType.H2C_TERM_REQ, Arrays.copyOf(term, TermReq.BYTES), 8),
                        EventLog.payload(new byte[8]),
                        EventLog.end(true));
    }

    @Test
    void shouldStopAtOnceWhenItsSinkClosesIt() {
        final byte[] stream = join(icReq(), plain().capsule(SQE, new byte[16]), icReq());
        for (int after = 0; after < 6; after++) {
            final long before = Memory.allocatedBytes();
            final ClosingSink sink = new ClosingSink(after);
            sink.reader = PduReader.ofController(sink, new Crc32c(), 64, 64);
            final NativeSegment segment = new NativeSegment(stream, 0, stream.length);
            sink.reader.read(segment, 0);
            segment.release();

            assertThat(sink.reader.state()).isEqualTo(PduReader.State.FAILED);
            assertThat(sink.calls).isEqualTo(after + 1);
            sink.reader.close();
            assertThat(Memory.allocatedBytes()).isEqualTo(before);
        }
    }

    @Test
    void shouldReadWhatAControllerSends() {
        final Pdus pdus = new Pdus(true, true, 3);
        final byte[] stream = join(
                icResp(),
                pdus.r2t(5, 9, 0, 4096),
                pdus.data(PduType.C2H_DATA, CommonHeader.LAST | CommonHeader.SUCCESS, 5, 0, 0, new byte[] {1, 2, 3, 4}),
                pdus.capsuleResp(new byte[16]),
                Pdus.termReq(PduType.C2H_TERM_REQ, 3, 77, new byte[24]));

        assertThat(Feed.toHost().agreeing(true, true, 3).everywhere(stream))
                .hasSize(12)
                .noneMatch(event -> event.startsWith("fatal"));
    }

    /** Closes its reader in one of its callbacks. */
    private static final class ClosingSink implements PduSink {
        private PduReader reader;
        private int calls;
        private final int last;

        ClosingSink(final int last) {
            this.last = last;
        }

        @Override
        public boolean onHeader(final int type, final long header, final int headerLength, final long dataLength) {
            called();
            // Still readable, although the reader is closed.
            return CommonHeader.type(header) == type;
        }

        @Override
        public void onPayload(final ReceiveSegment segment, final long address, final int length) {
            called();
        }

        @Override
        public void onPduEnd(final boolean digestValid) {
            called();
        }

        @Override
        public void onFatal(final int status, final long information, final long header, final int headerLength) {
            called();
        }

        private void called() {
            if (calls == last) {
                reader.close();
            }
            calls++;
        }
    }
}
