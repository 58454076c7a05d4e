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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What the one accessor for vectors of any size costs: time an entry, to append and to read, beside memory without it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class VectorAccessBenchmark {
    private static final int FEW = RequestVector.INLINE;
    private static final int MANY = 255;
    private static final long PIECE = 1448;
    private static final long STRIDE = 1472;

    private final long[] array = new long[2 * FEW];
    private long inlineMemory;
    private long largerMemory;
    private long plainMemory;
    private RequestVector inline;
    private RequestVector extended;
    private RequestVector filledInline;
    private RequestVector filledExtended;

    /** Makes vectors, one of each size empty and one full. */
    @Setup(Level.Trial)
    public void open() {
        inlineMemory = Memory.allocate(4L * FEW * Iovec.BYTES);
        largerMemory = Memory.allocate(2L * MANY * Iovec.BYTES);
        plainMemory = Memory.allocate((long) FEW * Iovec.BYTES);
        inline = new RequestVector(inlineMemory);
        filledInline = new RequestVector(inlineMemory + (long) FEW * Iovec.BYTES);
        extended = new RequestVector(inlineMemory + 2L * FEW * Iovec.BYTES);
        extended.extend(largerMemory, MANY);
        filledExtended = new RequestVector(inlineMemory + 3L * FEW * Iovec.BYTES);
        filledExtended.extend(largerMemory + (long) MANY * Iovec.BYTES, MANY);
        for (int i = 0; i < FEW; i++) {
            filledInline.append(i * STRIDE, PIECE);
            Iovec.put(plainMemory, i, i * STRIDE, PIECE);
            array[2 * i] = i * STRIDE;
            array[2 * i + 1] = PIECE;
        }
        for (int i = 0; i < MANY; i++) {
            filledExtended.append(i * STRIDE, PIECE);
        }
    }

    /** Gives their memory back. */
    @TearDown(Level.Trial)
    public void close() {
        Memory.free(inlineMemory);
        Memory.free(largerMemory);
        Memory.free(plainMemory);
    }

    /** Appends to the vector that each request has. */
    @Benchmark
    @OperationsPerInvocation(FEW)
    public long appendInline() {
        return append(inline, FEW);
    }

    /** Appends to a larger one. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public long appendExtended() {
        return append(extended, MANY);
    }

    /** Reads the vector that each request has. */
    @Benchmark
    @OperationsPerInvocation(FEW)
    public long readInline() {
        return read(filledInline);
    }

    /** Reads a larger one. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public long readExtended() {
        return read(filledExtended);
    }

    /** Reads the same numbers from native memory at a known place. */
    @Benchmark
    @OperationsPerInvocation(FEW)
    public long readPlainMemory() {
        long sum = 0;
        for (int i = 0; i < FEW; i++) {
            sum += Iovec.address(plainMemory, i) ^ Iovec.length(plainMemory, i);
        }
        return sum;
    }

    /** Reads the same numbers from an array. */
    @Benchmark
    @OperationsPerInvocation(FEW)
    public long readArray() {
        long sum = 0;
        for (int i = 0; i < FEW; i++) {
            sum += array[2 * i] ^ array[2 * i + 1];
        }
        return sum;
    }

    private static long append(final RequestVector vector, final int entries) {
        vector.clear();
        for (int i = 0; i < entries; i++) {
            vector.append(i * STRIDE, PIECE);
        }
        return vector.bytes();
    }

    private static long read(final RequestVector vector) {
        long sum = 0;
        for (int i = 0; i < vector.count(); i++) {
            sum += vector.address(i) ^ vector.length(i);
        }
        return sum;
    }
}
