// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RangeLocksTest {
    private static final int UNIT = 4096;
    private static final int THREADS = 3;
    private static final int ROUNDS = 400;

    @Property(tries = 20)
    void shouldLetWritersBeAloneWhateverTheRanges(@ForAll final long seed) throws Exception {
        final RangeLocks locks = new RangeLocks(UNIT);
        // Around the place where stripes begin anew.
        final int first = RangeLocks.STRIPES - 8;
        final int[] units = new int[16];
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            final var running = IntStream.range(0, THREADS)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> play(locks, first, units, new Random(seed + i))))
                    .toList();
            for (final Future<?> each : running) {
                each.get();
            }
        }
        assertThat(Arrays.stream(units).sum()).isPositive();
        // Everything was given back.
        locks.lockWrite(0, Long.MAX_VALUE);
        locks.unlockWrite(0, Long.MAX_VALUE);
    }

    private static void play(final RangeLocks locks, final int first, final int[] units, final Random random) {
        for (int round = 0; round < ROUNDS; round++) {
            final int from = random.nextInt(units.length);
            final int count = 1 + random.nextInt(units.length - from);
            final long offset = (long) (first + from) * UNIT + random.nextInt(UNIT / 2);
            final long length = (long) count * UNIT - UNIT / 2;
            if (random.nextBoolean()) {
                if (random.nextBoolean()) {
                    locks.lockWrite(offset, length);
                } else if (!locks.tryLockWrite(offset, length)) {
                    continue;
                }
                for (int i = from; i < from + count; i++) {
                    units[i]++;
                }
                locks.unlockWrite(offset, length);
            } else {
                if (random.nextBoolean()) {
                    locks.lockRead(offset, length);
                } else if (!locks.tryLockRead(offset, length)) {
                    continue;
                }
                final int[] before = Arrays.copyOfRange(units, from, from + count);
                Thread.onSpinWait();
                assertThat(Arrays.copyOfRange(units, from, from + count)).isEqualTo(before);
                locks.unlockRead(offset, length);
            }
        }
    }

    @Test
    void shouldCountEveryWriteOnce() throws ExecutionException, InterruptedException {
        final RangeLocks locks = new RangeLocks(UNIT);
        final long[] count = {0};
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            final var running = IntStream.range(0, THREADS)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> {
                        for (int round = 0; round < 20_000; round++) {
                            locks.lockWrite(i * 100L, 5000);
                            count[0]++;
                            locks.unlockWrite(i * 100L, 5000);
                        }
                    }))
                    .toList();
            for (final Future<?> each : running) {
                each.get();
            }
        }
        assertThat(count[0]).isEqualTo(THREADS * 20_000);
    }

    @Test
    void shouldServeAWriterAmongReadersThatNeverStop() throws InterruptedException {
        final RangeLocks locks = new RangeLocks(UNIT);
        final AtomicBoolean stop = new AtomicBoolean();
        final Thread[] readers = new Thread[2];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = new Thread(() -> {
                while (!stop.get()) {
                    locks.lockRead(0, UNIT);
                    locks.unlockRead(0, UNIT);
                }
            });
            readers[i].start();
        }
        for (int i = 0; i < 100; i++) {
            locks.lockWrite(0, UNIT);
            locks.unlockWrite(0, UNIT);
        }
        stop.set(true);
        for (final Thread reader : readers) {
            reader.join();
        }
    }

    @Test
    void shouldShareAmongReadersAndKeepOutAWriter() throws InterruptedException {
        final RangeLocks locks = new RangeLocks(UNIT);
        locks.lockRead(0, 3 * UNIT);
        locks.lockRead(UNIT, UNIT);
        final AtomicBoolean in = new AtomicBoolean();
        final Thread writer = new Thread(() -> {
            locks.lockWrite(UNIT, UNIT);
            in.set(true);
            locks.unlockWrite(UNIT, UNIT);
        });
        writer.start();
        await().until(() -> writer.getState() == Thread.State.TIMED_WAITING);
        locks.unlockRead(0, 3 * UNIT);
        assertThat(in).isFalse();
        locks.unlockRead(UNIT, UNIT);
        writer.join();
        assertThat(in).isTrue();
    }

    @Test
    void shouldTakeNothingWhenItDoesNotGetAll() {
        final RangeLocks locks = new RangeLocks(UNIT);
        locks.lockWrite(2 * UNIT, UNIT);
        assertThat(locks.tryLockWrite(0, 3 * UNIT)).isFalse();
        assertThat(locks.tryLockRead(0, 3 * UNIT)).isFalse();
        assertThat(locks.tryLockWrite(0, 2 * UNIT)).as("nothing was kept").isTrue();
        locks.unlockWrite(0, 2 * UNIT);
        locks.unlockWrite(2 * UNIT, UNIT);
        assertThat(locks.tryLockRead(0, Long.MAX_VALUE)).isTrue();
        assertThat(locks.tryLockRead(0, Long.MAX_VALUE)).isTrue();
        assertThat(locks.tryLockWrite(0, UNIT)).isFalse();
        locks.unlockRead(0, Long.MAX_VALUE);
        locks.unlockRead(0, Long.MAX_VALUE);
        assertThat(locks.tryLockWrite(0, Long.MAX_VALUE)).isTrue();
        locks.unlockWrite(0, Long.MAX_VALUE);
    }

    @Test
    void shouldNotOvertakeAWriterThatWaits() throws InterruptedException {
        final RangeLocks locks = new RangeLocks(UNIT);
        locks.lockRead(0, UNIT);
        final Thread writer = new Thread(() -> {
            locks.lockWrite(0, UNIT);
            locks.unlockWrite(0, UNIT);
        });
        writer.start();
        await().until(() -> writer.getState() == Thread.State.TIMED_WAITING);
        assertThat(locks.tryLockRead(0, UNIT)).isFalse();
        locks.unlockRead(0, UNIT);
        writer.join();
        assertThat(locks.tryLockRead(0, UNIT)).isTrue();
        locks.unlockRead(0, UNIT);
    }

    @Test
    void shouldWantAPowerOfTwo() {
        assertThatThrownBy(() -> new RangeLocks(1000)).isInstanceOf(IllegalArgumentException.class);
    }
}
