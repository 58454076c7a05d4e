// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.ReceiveSegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to cut a host's stream into PDUs and to check them: time a PDU, whatever pieces it comes in. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PduReaderBenchmark {
    private static final int PDUS = 8;
    private static final int LARGEST = 1 << 20;

    /** Bytes of data in each PDU; 0 for commands without. */
    @Param({"0", "4096", "131072"})
    public int dataBytes;

    /** Bytes of each received piece. */
    @Param({"1448", "4096", "65536"})
    public int pieceBytes;

    /** Whether headers and data carry digests. */
    @Param({"false", "true"})
    public boolean digests;

    private final CountingSink sink = new CountingSink();
    private PduReader reader;
    private NativeSegment[] segments;

    /** Cuts a stream of {@value #PDUS} PDUs. */
    @Setup(Level.Trial)
    public void open() {
        final Pdus pdus = new Pdus(digests, digests, 0);
        final byte[][] parts = new byte[PDUS][];
        for (int i = 0; i < PDUS; i++) {
            parts[i] = dataBytes == 0
                    ? pdus.capsule(new byte[64], new byte[0])
                    : pdus.data(PduType.H2C_DATA, CommonHeader.LAST, 1, 1, 0, new byte[dataBytes]);
        }
        final byte[] stream = Pdus.join(parts);
        final List<NativeSegment> cut = new ArrayList<>();
        for (int at = 0; at < stream.length; at += pieceBytes) {
            cut.add(new NativeSegment(stream, at, Math.min(stream.length, at + pieceBytes)));
        }
        segments = cut.toArray(NativeSegment[]::new);
        reader = PduReader.ofController(sink, new Crc32c(), LARGEST, LARGEST);
        final byte[] opening = Pdus.icReq();
        final NativeSegment icReq = new NativeSegment(opening, 0, opening.length);
        reader.read(icReq, 0);
        icReq.release();
        reader.digests(digests, digests);
    }

    /** Gives the memory back, and fails when a PDU was found wrong. */
    @TearDown(Level.Trial)
    public void close() {
        reader.close();
        for (final NativeSegment segment : segments) {
            segment.release();
        }
        if (sink.bad > 0) {
            throw new IllegalStateException(sink.bad + " PDUs were wrong");
        }
    }

    /** Reads the stream once. */
    @Benchmark
    @OperationsPerInvocation(PDUS)
    public long read() {
        for (final NativeSegment segment : segments) {
            reader.read(segment, 0);
        }
        return sink.bytes;
    }

    private static final class CountingSink implements PduSink {
        private long bytes;
        private long bad;

        @Override
        public boolean onHeader(final int type, final long header, final int headerLength, final long dataLength) {
            return true;
        }

        @Override
        public void onPayload(final ReceiveSegment segment, final long address, final int length) {
            bytes += length;
        }

        @Override
        public void onPduEnd(final boolean digestValid) {
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
