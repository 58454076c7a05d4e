// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;
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

/** How fast a digest of 128 KiB is, in one piece and over segments: bytes a nanosecond, which are GB/s. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Crc32cBenchmark {
    private static final int BYTES = 128 << 10;
    private static final int GAP = 64;

    /** Bytes of each piece; the largest is all. */
    @Param({"1448", "4096", "65536", "131072"})
    public int pieceBytes;

    private final Crc32c crc = new Crc32c();
    private long memory;

    /** Takes memory, with a gap behind each piece. */
    @Setup(Level.Trial)
    public void open() {
        final long pieces = Math.ceilDiv(BYTES, pieceBytes);
        memory = Memory.allocate(pieces * (pieceBytes + GAP));
        for (long at = 0; at < pieces * (pieceBytes + GAP); at++) {
            Memory.putByte(memory + at, (byte) (at * 31));
        }
    }

    /** Gives it back. */
    @TearDown(Level.Trial)
    public void close() {
        Memory.free(memory);
    }

    /** One digest. */
    @Benchmark
    @OperationsPerInvocation(BYTES)
    public long digest() {
        crc.reset();
        long address = memory;
        for (int left = BYTES; left > 0; left -= pieceBytes) {
            crc.update(address, Math.min(left, pieceBytes));
            address += pieceBytes + GAP;
        }
        return crc.value();
    }
}
