// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loops that sleep as soon as they have nothing to do hand one publication round: a lost wake would be the end of it. */
@Timeout(60)
final class ExchangeSleepTest {
    private static final int LOOPS = 3;
    private static final int ROUNDS = 20_000;
    private static final int MOST_PAUSE = 400;

    private final Exchange<String, String> exchange = new Exchange<>(LOOPS);
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final Semaphore[] wakes = new Semaphore[LOOPS];
    private final List<String> lost = new ArrayList<>();

    @Test
    void shouldNeverSleepOverAMessage() throws InterruptedException {
        final List<Thread> threads = new ArrayList<>();
        for (int loop = 0; loop < LOOPS; loop++) {
            final int number = loop;
            final Semaphore wake = new Semaphore(0);
            wakes[loop] = wake;
            final RecordingHandler handler = new RecordingHandler();
            handler.exchange = exchange.of(loop);
            exchange.of(loop).bind(wake::release, handler);
            threads.add(new Thread(() -> run(number, handler)));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads) {
            thread.join();
        }
        assertThat(lost).isEmpty();
        assertThat(rounds.get()).isGreaterThanOrEqualTo(ROUNDS);
        assertThat(exchange.counter(ExchangeCounter.LOOPS_WOKEN)).isPositive();
        exchange.close();
    }

    private void run(final int loop, final RecordingHandler handler) {
        final LoopExchange<String, String> mine = exchange.of(loop);
        final Random random = new Random(loop);
        final long scratch = Memory.allocate(1);
        final AtomicBoolean mustPublish = new AtomicBoolean(loop == 0);
        handler.onPublication = () -> mustPublish.set(true);
        while (!stop.get()) {
            final int handled = mine.poll();
            handler.lines.clear();
            if (mustPublish.getAndSet(false)) {
                pause(random);
                final int next = (loop + 1 + random.nextInt(LOOPS - 1)) % LOOPS;
                mine.publish(1L << next, false, Kind.CHANNEL, scratch, 1, scratch, 1, null, null);
                if (rounds.incrementAndGet() >= ROUNDS) {
                    stop.set(true);
                    for (final Semaphore wake : wakes) {
                        wake.release();
                    }
                }
            }
            mine.flushTurn();
            if (handled == 0) {
                pause(random);
                sleep(loop, mine);
            }
        }
        Memory.free(scratch);
    }

    private void sleep(final int loop, final LoopExchange<String, String> mine) {
        try {
            if (mine.prepareSleep() && !wakes[loop].tryAcquire(20, TimeUnit.SECONDS)) {
                synchronized (lost) {
                    lost.add("loop " + loop + " slept on");
                }
                stop.set(true);
            }
        } catch (final InterruptedException interrupted) {
            stop.set(true);
        } finally {
            mine.awake();
        }
    }

    private static void pause(final Random random) {
        for (int left = random.nextInt(MOST_PAUSE); left > 0; left--) {
            Thread.onSpinWait();
        }
    }
}
