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

/** What it costs to find the ends of the host's replies: time a reply. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReplyScannerBenchmark {
    private static final int REPLIES = 16;

    /** What the host answers. */
    @Param({"ok", "integer", "bulk of 256", "array of 10"})
    public String reply;

    private final ReplyScanner scanner = new ReplyScanner();
    private NativeBytes stream;

    /** Makes a stream of {@value #REPLIES} replies. */
    @Setup(Level.Trial)
    public void open() {
        final String text = switch (reply) {
            case "ok" -> "+OK¶";
            case "integer" -> ":1234567¶";
            case "bulk of 256" -> "$256¶" + "x".repeat(256) + "¶";
            default -> "*10¶" + "$8¶abcdefgh¶".repeat(10);
        };
        stream = NativeBytes.of(text.repeat(REPLIES));
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        stream.close();
    }

    /** Finds each reply's end. */
    @Benchmark
    @OperationsPerInvocation(REPLIES)
    public long scan() {
        long used = 0;
        while (used < stream.length()) {
            if (scanner.scan(stream.address() + used, stream.length() - used) != ReplyScanner.FRAME) {
                throw new IllegalStateException("no frame");
            }
            used += scanner.consumed();
        }
        return used;
    }
}
