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

/** What it costs to find the patterns that match a channel among many, and to subscribe to one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PatternsBenchmark {
    private static final int ASKED = 1024;

    /** Patterns with a subscriber. */
    @Param({"1", "8", "64", "1024", "8192"})
    public int patterns;

    /** What they look like; N is a number, another one in each. */
    @Param({"news:N:*", "*:N:x", "news:*:N:x", "news:N:x", "*:N:*"})
    public String shape;

    private long visited;
    private final Client client = new Client("c");
    private final TopicVisitor<Client> visitor = topic -> visited += topic.size();
    private final NativeBytes[] known = new NativeBytes[ASKED];
    private final NativeBytes[] unknown = new NativeBytes[ASKED];
    private final NativeBytes[] others = new NativeBytes[ASKED];
    private TestRegistry registry;
    private int next;

    /** Subscribes. */
    @Setup(Level.Trial)
    public void open() {
        registry = new TestRegistry();
        for (int i = 0; i < patterns; i++) {
            registry.set(Kind.PATTERN, shape.replace("N", Integer.toString(i)), client, 1);
        }
        for (int i = 0; i < ASKED; i++) {
            final long number = (long) i * patterns / ASKED;
            known[i] = NativeBytes.of(shape.replace("N", Long.toString(number)).replace("*", "a"));
            unknown[i] = NativeBytes.of("else:" + i + ":z");
            others[i] = NativeBytes.of(shape.replace("N", Integer.toString(10_000 + i)));
        }
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        registry.close();
        for (int i = 0; i < ASKED; i++) {
            known[i].close();
            unknown[i].close();
            others[i].close();
        }
    }

    /** A publication to a channel that one pattern matches. */
    @Benchmark
    public long hit() {
        return match(known[next++ & ASKED - 1]);
    }

    /** A publication to a channel that none matches. */
    @Benchmark
    public long miss() {
        return match(unknown[next++ & ASKED - 1]);
    }

    /** A client subscribes to a pattern of its own and leaves it. */
    @Benchmark
    public int subscribeAndUnsubscribe() {
        final NativeBytes name = others[next++ & ASKED - 1];
        registry.registry.setWeight(Kind.PATTERN, name.address(), name.length(), client, 1);
        return registry.registry.setWeight(Kind.PATTERN, name.address(), name.length(), client, 0);
    }

    private long match(final NativeBytes channel) {
        return registry.registry.forEachMatch(Kind.CHANNEL, channel.address(), channel.length(), visitor) + visited;
    }
}
