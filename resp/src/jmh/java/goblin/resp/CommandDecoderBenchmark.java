// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

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

/** What it costs to read a client's pipelined commands: time a command, received at once or cut in its middle. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CommandDecoderBenchmark {
    private static final int COMMANDS = 16;

    /** Bytes of the published message. */
    @Param({"16", "256", "4096"})
    public int payloadBytes;

    private final CommandDecoder decoder = new CommandDecoder(RespLimits.AUTHENTICATED);
    private NativeBytes stream;
    private int commandBytes;

    /** Makes a stream of {@value #COMMANDS} publications. */
    @Setup(Level.Trial)
    public void open() {
        final String command = "*3¶$7¶PUBLISH¶$12¶news.sport.1¶$" + payloadBytes + "¶" + "x".repeat(payloadBytes) + "¶";
        stream = NativeBytes.of(command.repeat(COMMANDS));
        commandBytes = stream.length() / COMMANDS;
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        decoder.close();
        stream.close();
    }

    /** Reads each command where it lies. */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public long whole() {
        long used = 0;
        long sum = 0;
        while (used < stream.length()) {
            check(decoder.decode(stream.address() + used, stream.length() - used), CommandDecoder.COMMAND);
            sum += decoder.argument(2) + decoder.argumentLength(1);
            used += decoder.consumed();
            decoder.reset();
        }
        return sum;
    }

    /** Reads each command in two pieces. */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public long cut() {
        long sum = 0;
        for (int i = 0; i < COMMANDS; i++) {
            final long address = stream.address() + (long) i * commandBytes;
            check(decoder.decode(address, commandBytes / 2), CommandDecoder.NEED_MORE);
            check(decoder.decode(address, commandBytes), CommandDecoder.COMMAND);
            sum += decoder.argument(2) + decoder.argumentLength(1);
            decoder.reset();
        }
        return sum;
    }

    private static void check(final int result, final int expected) {
        if (result != expected) {
            throw new IllegalStateException("decoded " + result + " instead of " + expected);
        }
    }
}
