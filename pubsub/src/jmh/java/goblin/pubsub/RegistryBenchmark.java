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

/** What it costs to find who gets a publication among many channels, and to subscribe to a channel. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RegistryBenchmark {
    private static final int ASKED = 1024;

    /** Channels with a subscriber. */
    @Param({"0", "1", "1024", "16384"})
    public int channels;

    private long visited;
    private final Client client = new Client("c");
    private final TopicVisitor<Client> visitor = topic -> visited += topic.size();
    private final NativeBytes[] known = new NativeBytes[ASKED];
    private final NativeBytes[] unknown = new NativeBytes[ASKED];
    private TestRegistry registry;
    private int next;

    /** Subscribes. */
    @Setup(Level.Trial)
    public void open() {
        registry = new TestRegistry();
        for (int i = 0; i < channels; i++) {
            registry.set(Kind.CHANNEL, "channel:" + i, client, 1);
        }
        for (int i = 0; i < ASKED; i++) {
            known[i] = NativeBytes.of("channel:" + (int) ((long) i * channels / ASKED));
            unknown[i] = NativeBytes.of("nobody:" + i);
        }
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        registry.close();
        for (int i = 0; i < ASKED; i++) {
            known[i].close();
            unknown[i].close();
        }
    }

    /** A publication to a channel with a subscriber. */
    @Benchmark
    public long hit() {
        return match(known[next++ & ASKED - 1]);
    }

    /** A publication to a channel without. */
    @Benchmark
    public long miss() {
        return match(unknown[next++ & ASKED - 1]);
    }

    /** A client subscribes to a channel of its own and leaves it. */
    @Benchmark
    public int subscribeAndUnsubscribe() {
        final NativeBytes name = unknown[next++ & ASKED - 1];
        registry.registry.setWeight(Kind.CHANNEL, name.address(), name.length(), client, 1);
        return registry.registry.setWeight(Kind.CHANNEL, name.address(), name.length(), client, 0);
    }

    private long match(final NativeBytes channel) {
        return registry.registry.forEachMatch(Kind.CHANNEL, channel.address(), channel.length(), visitor) + visited;
    }
}
