// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a publication among loops costs, and the ticket against the other way to one order: an owner loop through which
 * all publications go. The benchmark's thread is loop 1; loop 0 (the owner, where there is one) and loop 2 spin on
 * threads of their own, so these take two idle CPUs, and {@code throughOwnerToThird} three.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ExchangeBenchmark {
    private static final int CHANNEL_BYTES = 16;
    private static final int PAYLOAD_BYTES = 64;
    private static final long OWNER = 1;
    private static final long SELF = 1 << 1;
    private static final long THIRD = 1 << 2;

    private Exchange<String, String> exchange;
    private LoopExchange<String, String> self;
    private Counting counting;
    private long bytes;
    private Thread[] helpers;
    private volatile boolean stop;

    /** Makes three loops, all driven by nobody yet. */
    @Setup
    public void open() {
        exchange = new Exchange<>(3);
        bytes = Memory.allocate(CHANNEL_BYTES + PAYLOAD_BYTES);
        self = exchange.of(1);
        counting = new Counting();
        self.bind(() -> {}, counting);
        exchange.of(0).bind(() -> {}, new SilentHandler());
        exchange.of(2).bind(() -> {}, new SilentHandler());
        helpers = new Thread[0];
    }

    /** Ends the helpers, then frees. */
    @TearDown
    public void close() throws InterruptedException {
        stop = true;
        for (final Thread helper : helpers) {
            helper.join();
        }
        exchange.close();
        Memory.free(bytes);
    }

    /** A message through a ring, written and read by one thread. */
    @Benchmark
    public int messageOnOneThread() {
        exchange.of(0).acked(1, 1);
        return self.poll();
    }

    /** A publication copied, handed over, handled and answered, all by one thread. */
    @Benchmark
    public long publicationOnOneThread() {
        final long ticket = publish(self, THIRD);
        self.drainThrough(ticket);
        exchange.of(2).poll();
        self.poll();
        return ticket;
    }

    /** What it costs a loop to learn that nothing came before its own publication, which no other loop wants. */
    @Benchmark
    public void catchUpWithNothing() {
        self.catchUp();
    }

    /** Until this loop's own clients may be served, another loop having an interest, too. */
    @Benchmark
    public long ownClientsByTicket(final SpinningThird third) {
        third.start(this);
        while (!self.takes(CHANNEL_BYTES + PAYLOAD_BYTES)) {
            self.poll();
        }
        final long ticket = publish(self, THIRD);
        self.drainThrough(ticket);
        return ticket;
    }

    /** The same when the owner has to send it back. */
    @Benchmark
    public long ownClientsThroughOwner(final SpinningOwner owner) {
        owner.start(this, SELF);
        final long before = counting.handled;
        publish(self, OWNER);
        while (counting.handled == before) {
            self.poll();
        }
        return before;
    }

    /** Until the other loop has handled it and its answer is back. */
    @Benchmark
    public long thereAndBackByTicket(final SpinningThird third) {
        third.start(this);
        return answered(THIRD);
    }

    /** Until the owner has handed it to the other loop, and that loop's answer has come through the owner. */
    @Benchmark
    public long throughOwnerToThird(final SpinningThird third, final SpinningOwner owner) {
        third.start(this);
        owner.start(this, THIRD);
        final long before = owner.answers();
        publish(self, OWNER);
        while (owner.answers() == before) {
            self.poll();
        }
        return before;
    }

    private long answered(final long loops) {
        final long ticket = publish(self, loops);
        while (self.unanswered() > 0) {
            self.poll();
        }
        return ticket;
    }

    private long publish(final LoopExchange<String, String> from, final long loops) {
        return from.publish(
                loops, false, Kind.CHANNEL, bytes, CHANNEL_BYTES, bytes + CHANNEL_BYTES, PAYLOAD_BYTES, null, "slot");
    }

    private void helper(final Runnable turn) {
        final Thread[] more = java.util.Arrays.copyOf(helpers, helpers.length + 1);
        more[helpers.length] = new Thread(() -> {
            while (!stop) {
                turn.run();
            }
        });
        more[helpers.length].start();
        helpers = more;
    }

    /** Loop 2 on a thread of its own. */
    @State(Scope.Thread)
    public static class SpinningThird {
        private boolean started;

        void start(final ExchangeBenchmark benchmark) {
            if (!started) {
                started = true;
                final LoopExchange<String, String> third = benchmark.exchange.of(2);
                benchmark.helper(third::poll);
            }
        }
    }

    /** Loop 0 on a thread of its own, which hands all it is given to others. */
    @State(Scope.Thread)
    public static class SpinningOwner {
        private boolean started;
        private volatile long answers;

        void start(final ExchangeBenchmark benchmark, final long loops) {
            if (!started) {
                started = true;
                final LoopExchange<String, String> owner = benchmark.exchange.of(0);
                final Counting given = new Counting();
                given.onAnswered = () -> answers = given.completed;
                owner.bind(() -> {}, given);
                benchmark.helper(() -> turn(benchmark, owner, given, loops));
            }
        }

        long answers() {
            return answers;
        }

        private static void turn(
                final ExchangeBenchmark benchmark,
                final LoopExchange<String, String> owner,
                final Counting given,
                final long loops) {
            final long before = given.handled;
            owner.poll();
            for (long each = before; each < given.handled; each++) {
                benchmark.publish(owner, loops);
            }
        }
    }

    private static final class Counting extends SilentHandler {
        private long handled;
        private long completed;
        private Runnable onAnswered = () -> {};

        @Override
        public long onPublication(
                final int from,
                final int token,
                final boolean deliver,
                final boolean uplink,
                final Kind kind,
                final long channel,
                final int channelLength,
                final long payload,
                final int payloadLength) {
            handled++;
            return 1;
        }

        @Override
        public void onCompleted(final String owner, final String slot, final long receivers) {
            completed++;
            onAnswered.run();
        }
    }
}
