// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import goblin.net.ReceiveSegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

final class PduReaderAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUND = 5_000;
    private static final int MOST_ROUNDS = 500;

    @Test
    void shouldReadPdusWithDigestsWithoutAllocating() {
        final Pdus pdus = new Pdus(true, true, 1);
        final byte[] opening = Pdus.icReq();
        final byte[] stream = Pdus.join(
                pdus.capsule(new byte[64], new byte[512]),
                pdus.data(PduType.H2C_DATA, CommonHeader.LAST, 1, 1, 0, new byte[4096]),
                pdus.capsule(new byte[64], new byte[0]));
        final CountingSink sink = new CountingSink();
        final PduReader reader = PduReader.ofController(sink, new Crc32c(), 8192, 8192);
        final NativeSegment icReq = new NativeSegment(opening, 0, opening.length);
        // The first cut splits a header, the second a payload.
        final NativeSegment first = new NativeSegment(stream, 0, 40);
        final NativeSegment second = new NativeSegment(stream, 40, 1000);
        final NativeSegment third = new NativeSegment(stream, 1000, stream.length);
        reader.read(icReq, 0);
        reader.digests(true, true);
        reader.alignment(1);

        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && allocated != 0; round++) {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUND; i++) {
                reader.read(first, 0);
                reader.read(second, 0);
                reader.read(third, 0);
            }
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }

        assertThat(allocated).isZero();
        assertThat(sink.bad).isZero();
        assertThat(sink.pdus % 3).isEqualTo(1);
        reader.close();
        icReq.release();
        first.release();
        second.release();
        third.release();
    }

    private static final class CountingSink implements PduSink {
        private long pdus;
        private long bad;

        @Override
        public boolean onHeader(final int type, final long header, final int headerLength, final long dataLength) {
            return true;
        }

        @Override
        public void onPayload(final ReceiveSegment segment, final long address, final int length) {}

        @Override
        public void onPduEnd(final boolean digestValid) {
            pdus++;
            if (!digestValid) {
                bad++;
            }
        }

        @Override
        public void onFatal(final int status, final long information, final long header, final int headerLength) {
            bad++;
        }
    }
}
