// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Iovec;
import goblin.net.linux.Memory;
import goblin.nvmf.target.RequestVector;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a full vector costs to grow from its inline entries to a limit and back: what a request pays that keeps nothing. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class VectorGrowthBenchmark {
    private static final long PIECE = 1448;
    private static final long STRIDE = 1472;

    /** The limit. */
    @Param({"255", "1024"})
    public int limit;

    private final VectorMemory memory = VectorMemory.HEAP;
    private long inlineMemory;
    private RequestVector vector;

    /** Makes an inline vector. */
    @Setup(Level.Trial)
    public void open() {
        inlineMemory = Memory.allocate((long) RequestVector.INLINE * Iovec.BYTES);
        vector = new RequestVector(inlineMemory);
    }

    /** Gives its memory back. */
    @TearDown(Level.Trial)
    public void close() {
        Memory.free(inlineMemory);
    }

    /** Fills, grows whenever it is full, up to the limit, and shrinks. */
    @Benchmark
    public long growAndShrink() {
        for (int i = 0; i < limit; i++) {
            if (vector.count() == vector.capacity()) {
                final int entries = Math.min(limit, 2 * vector.capacity());
                memory.free(vector.extend(memory.allocate((long) entries * Iovec.BYTES), entries));
            }
            vector.append(i * STRIDE, PIECE);
        }
        final long bytes = vector.bytes();
        memory.free(vector.shrink());
        return bytes;
    }
}
