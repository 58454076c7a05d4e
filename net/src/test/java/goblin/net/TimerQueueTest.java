// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TimerQueueTest {
    private final TimerQueue timers = new TimerQueue();
    private final List<String> ran = new ArrayList<>();

    @Test
    void shouldRunWhatIsDueInOrderOfDeadline() {
        timers.newTimer(() -> ran.add("late")).arm(30);
        timers.newTimer(() -> ran.add("early")).arm(10);
        timers.newTimer(() -> ran.add("middle")).arm(20);

        assertThat(timers.untilNextNs(4)).isEqualTo(6);
        assertThat(timers.fire(20)).isEqualTo(2);
        assertThat(ran).containsExactly("early", "middle");
        assertThat(timers.fire(30)).isEqualTo(1);
        assertThat(timers.untilNextNs(30)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldMoveAnArmedTimerAndForgetACancelledOne() {
        final Timer moved = timers.newTimer(() -> ran.add("moved"));
        final Timer cancelled = timers.newTimer(() -> ran.add("cancelled"));
        moved.arm(10);
        cancelled.arm(5);
        moved.arm(50);
        cancelled.cancel();
        cancelled.cancel();

        assertThat(timers.fire(49)).isZero();
        assertThat(timers.fire(50)).isEqualTo(1);
        assertThat(ran).containsExactly("moved");
        assertThat(moved.isArmed()).isFalse();
    }

    @Test
    void shouldNotLoopOverATimerThatArmsItselfInThePast() {
        final Timer[] self = new Timer[1];
        self[0] = timers.newTimer(() -> {
            ran.add("again");
            self[0].arm(0);
        });
        self[0].arm(0);
        assertThat(timers.fire(100)).isEqualTo(1);
        assertThat(timers.fire(100)).isEqualTo(1);
        assertThat(ran).hasSize(2);
    }

    @Test
    void shouldCompareDeadlinesAcrossTheClocksOverflow() {
        final long now = Long.parseLong("9223372036854775802");
        timers.newTimer(() -> ran.add("after")).arm(now + 10);
        timers.newTimer(() -> ran.add("before")).arm(now + 1);
        assertThat(timers.untilNextNs(now)).isEqualTo(1);
        timers.fire(now + 1);
        assertThat(ran).containsExactly("before");
        timers.fire(now + 10);
        assertThat(ran).containsExactly("before", "after");
    }

    @Property(tries = 200)
    void shouldAgreeWithASortedList(@ForAll final long seed) {
        final Random random = new Random(seed);
        final TimerQueue queue = new TimerQueue();
        final List<long[]> model = new ArrayList<>();
        final List<Timer> handles = new ArrayList<>();
        final List<Long> fired = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            final long id = i;
            handles.add(queue.newTimer(() -> fired.add(id)));
        }
        for (int step = 0; step < 200; step++) {
            final int id = random.nextInt(60);
            model.removeIf(entry -> entry[0] == id);
            if (random.nextInt(3) == 0) {
                handles.get(id).cancel();
            } else {
                // Unique deadlines: the order of equal ones is not promised.
                final long deadline = random.nextInt(1000) * 1000L + step;
                handles.get(id).arm(deadline);
                model.add(new long[] {id, deadline});
            }
            assertThat(queue.size()).isEqualTo(model.size());
        }
        while (queue.size() > 0) {
            queue.fire(Long.MAX_VALUE / 2);
        }
        model.sort(Comparator.comparingLong(entry -> entry[1]));
        assertThat(fired).isEqualTo(model.stream().map(entry -> entry[0]).toList());
    }
}
