// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

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

/** What it costs to compare one pattern with one channel. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GlobBenchmark {

    /** Of a channel {@code news.sport.1234.today}, which all but the last match. */
    @Param({"news.sport.*", "*.today", "news.*.today", "*.1234.*", "n?ws.[r-t]*.*day", "*2345*"})
    public String pattern;

    private NativeBytes channel;
    private GlobPattern compiled;

    /** Compiles the pattern. */
    @Setup(Level.Trial)
    public void open() {
        channel = NativeBytes.of("news.sport.1234.today");
        try (NativeBytes text = NativeBytes.of(pattern)) {
            compiled = GlobPattern.compile(text.address(), text.length());
        }
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        channel.close();
    }

    /** Compares. */
    @Benchmark
    public boolean matches() {
        return compiled.matches(channel.address(), channel.length());
    }
}
