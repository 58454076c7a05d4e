// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import goblin.net.SharedBytes;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Both ends on one thread: nothing is allocated once the pools are filled and the path is compiled. */
final class ExchangeAllocationTest {
    private static final int LOOPS = 3;
    private static final int ROUNDS = 20_000;
    private static final int MOST_RUNS = 30;

    @Test
    void shouldAllocateNothingForPublicationsAnswersAndSpills() {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long self = Thread.currentThread().threadId();
        final Exchange<String, String> exchange = new Exchange<>(LOOPS, 8, 64, 1 << 20);
        final CountingHandler[] handlers = new CountingHandler[LOOPS];
        for (int loop = 0; loop < LOOPS; loop++) {
            handlers[loop] = new CountingHandler(exchange.of(loop));
            exchange.of(loop).bind(() -> {}, handlers[loop]);
        }
        final long bytes = Memory.allocate(64);
        int runs = 0;
        long allocated;
        do {
            final long before = threads.getThreadAllocatedBytes(self);
            for (int round = 0; round < ROUNDS; round++) {
                round(exchange, handlers, bytes);
            }
            allocated = threads.getThreadAllocatedBytes(self) - before;
            assertThat(++runs).as("runs until one allocated nothing").isLessThan(MOST_RUNS);
        } while (allocated > 0);
        assertThat(handlers[1].completed).isEqualTo(handlers[2].handled).isPositive();
        assertThat(exchange.counter(ExchangeCounter.MESSAGES_SPILLED)).isPositive();
        assertThat(exchange.of(1).liveBytes()).isZero();
        exchange.close();
        Memory.free(bytes);
    }

    private static void round(
            final Exchange<String, String> exchange, final CountingHandler[] handlers, final long bytes) {
        for (int i = 0; i < 10; i++) {
            final long ticket = exchange.of(1).publish(0b100, true, Kind.SHARD, bytes, 8, bytes, 50, "o", "s");
            exchange.of(1).drainThrough(ticket);
        }
        while (exchange.of(1).unanswered() > 0) {
            exchange.of(0).poll();
            exchange.of(2).poll();
            handlers[2].releaseKept();
            exchange.of(1).poll();
            exchange.of(1).flushTurn();
        }
        exchange.of(2).flushTurn();
        exchange.of(1).poll();
        exchange.of(1).catchUp();
    }

    private static final class CountingHandler extends SilentHandler {
        private final LoopExchange<String, String> exchange;
        private SharedBytes kept;
        private long handled;
        private long completed;

        CountingHandler(final LoopExchange<String, String> exchange) {
            this.exchange = exchange;
        }

        void releaseKept() {
            if (kept != null) {
                kept.release();
                kept = null;
            }
        }

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
            if (uplink) {
                exchange.published(from, token, 1);
            } else if (kept == null) {
                kept = exchange.lendPayload();
            }
            return 1;
        }

        @Override
        public void onCompleted(final String owner, final String slot, final long receivers) {
            completed++;
        }
    }
}
