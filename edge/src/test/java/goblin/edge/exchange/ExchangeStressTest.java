// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same promises as {@link ExchangeOrderTest}, causes apart, with threads that really run at the same time. */
@Timeout(60)
final class ExchangeStressTest {
    private static final int PUBLICATIONS_OF_A_LOOP = Integer.getInteger("goblin.exchange.publications", 20_000);
    /** With rings of seven messages the threads take turns at whatever pace the scheduler has. */
    private static final int PUBLICATIONS_WITH_FULL_RINGS = PUBLICATIONS_OF_A_LOOP / 20;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void shouldKeepItsPromisesAmongThreads(final int loops) throws InterruptedException {
        run(loops, PUBLICATIONS_OF_A_LOOP, new Exchange<>(loops));
    }

    @Test
    void shouldKeepItsPromisesWhenRingsAreFull() throws InterruptedException {
        run(3, PUBLICATIONS_WITH_FULL_RINGS, new Exchange<>(3, 8, 32, 1 << 20));
    }

    private static void run(final int loops, final int publications, final Exchange<Integer, Integer> exchange)
            throws InterruptedException {
        final Random random = new Random(loops);
        final History history = new History(loops, publications, false, random);
        final Workload[] loads = new Workload[loops];
        for (int loop = 0; loop < loops; loop++) {
            loads[loop] = new Workload(loop, exchange, history, random.nextLong(), true);
            exchange.of(loop).bind(() -> {}, loads[loop], (where, fault) -> history.check(false, fault.toString()));
        }
        final AtomicInteger unsettled = new AtomicInteger(loops);
        final CountDownLatch ended = new CountDownLatch(loops);
        for (int loop = 0; loop < loops; loop++) {
            final int number = loop;
            new Thread(() -> {
                        run(loads[number], number, history, unsettled);
                        ended.countDown();
                    })
                    .start();
        }
        assertThat(ended.await(50, TimeUnit.SECONDS)).isTrue();

        assertThat(history.violations()).isEmpty();
        for (final Workload load : loads) {
            assertThat(load.exchange().unanswered()).isZero();
            assertThat(load.exchange().liveBytes()).isZero();
            load.close();
        }
        exchange.close();
    }

    private static void run(final Workload load, final int loop, final History history, final AtomicInteger unsettled) {
        while (history.mayBegin(loop)) {
            load.act();
            letOthersRun(load);
        }
        while (!isSettled(load)) {
            load.settle();
            letOthersRun(load);
        }
        unsettled.decrementAndGet();
        while (unsettled.get() > 0) {
            load.settle();
            letOthersRun(load);
        }
        // What others released last.
        load.settle();
    }

    /** There may be fewer CPUs than threads, and others wait for what was spilled. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void letOthersRun(final Workload load) {
        if (load.exchange().isPressed()) {
            Thread.yield();
        }
    }

    private static boolean isSettled(final Workload load) {
        return load.isSettled() && load.exchange().liveBytes() == 0;
    }
}
