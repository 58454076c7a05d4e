// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import goblin.net.NativeBuffer;
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

/** What it costs to encode one frame, which all receivers of a name share. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessageFramesBenchmark {

    /** Bytes of the message. */
    @Param({"16", "256", "4096"})
    public int payloadBytes;

    private final NativeBuffer out = new NativeBuffer();
    private NativeBytes pattern;
    private NativeBytes channel;
    private NativeBytes payload;

    /** Makes names and payload. */
    @Setup(Level.Trial)
    public void open() {
        pattern = NativeBytes.of("news.*");
        channel = NativeBytes.of("news.sport.1");
        payload = new NativeBytes(new byte[payloadBytes]);
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        pattern.close();
        channel.close();
        payload.close();
        out.free();
    }

    /** For those who subscribed to the channel. */
    @Benchmark
    public long message() {
        out.clear();
        MessageFrames.message(
                out, 2, Kind.CHANNEL, channel.address(), channel.length(), payload.address(), payload.length());
        return out.length();
    }

    /** For those who subscribed to a pattern. */
    @Benchmark
    public long patternMessage() {
        out.clear();
        MessageFrames.patternMessage(
                out,
                2,
                pattern.address(),
                pattern.length(),
                channel.address(),
                channel.length(),
                payload.address(),
                payload.length());
        return out.length();
    }

    /** The confirmation of a subscription. */
    @Benchmark
    public long confirmation() {
        out.clear();
        MessageFrames.subscribed(out, 2, Kind.CHANNEL, channel.address(), channel.length(), 1);
        return out.length();
    }
}
