// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Affinity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class EventLoopTest {
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
    private final EventLoop loop = new EventLoop(
            "test loop",
            new EpollTransport(),
            IdlePolicy.BACKOFF,
            EventLoop.ANY_CPU,
            (where, fault) -> faults.add(where + ": " + fault.getMessage()));

    @AfterEach
    void stopLoop() {
        loop.close();
    }

    @Test
    void shouldRunTasksTimersAndHooksInThatOrder() {
        loop.execute(() -> ran.add("task"));
        loop.schedule(0, () -> ran.add("timer"));
        loop.atTurnEnd(() -> ran.add("first hook"));
        loop.atTurnEnd(() -> ran.add("second hook"));
        assertThat(loop.runOnce(loop.nowNs())).isEqualTo(2);
        assertThat(ran).containsExactly("task", "timer", "first hook", "second hook");
        assertThat(loop.turn()).isEqualTo(1);
    }

    @Test
    void shouldAskPollersBetweenTheTransportAndTimersAndCountTheirWork() {
        loop.execute(() -> ran.add("task"));
        loop.schedule(0, () -> ran.add("timer"));
        loop.addPoller(() -> {
            ran.add("poller");
            return 3;
        });
        loop.addPoller(() -> {
            throw new IllegalStateException("broken");
        });
        assertThat(loop.runOnce(loop.nowNs())).isEqualTo(5);
        assertThat(ran).containsExactly("task", "poller", "timer");
        assertThat(faults).containsExactly("test loop: polling: broken");
    }

    @Test
    void shouldWakeASleepingLoopForAPoller() {
        final AtomicInteger given = new AtomicInteger();
        final AtomicInteger taken = new AtomicInteger();
        loop.addPoller(() -> {
            final int work = given.getAndSet(0);
            taken.addAndGet(work);
            return work;
        });
        loop.start();
        for (int i = 1; i <= 100; i++) {
            given.incrementAndGet();
            assertThat(loop.wake()).isTrue();
            await().pollInterval(Duration.ofNanos(50_000)).untilAtomic(taken, org.hamcrest.Matchers.is(i));
        }
    }

    @Test
    void shouldNotSleepWhileAPollerHasWorkAndTellItWhenItIsAwake() {
        final AtomicInteger asked = new AtomicInteger();
        final AtomicInteger awake = new AtomicInteger();
        loop.addPoller(new LoopPoller() {
            @Override
            public int poll() {
                return 0;
            }

            @Override
            public boolean prepareSleep() {
                asked.incrementAndGet();
                return false;
            }

            @Override
            public void awake() {
                awake.incrementAndGet();
            }
        });
        loop.start();
        // A loop that slept would be asked once.
        await().until(() -> asked.get() > 1_000);
        loop.close();
        assertThat(awake).hasValue(asked.get());
    }

    @Test
    void shouldClosePollersAtItsEndAndTellThemWhenNobodyPollsThemAnyMore() throws InterruptedException {
        loop.addPoller(new LoopPoller() {
            @Override
            public int poll() {
                return 0;
            }

            @Override
            public void close() {
                ran.add("closed " + loop.wake());
            }

            @Override
            public void ended() {
                ran.add("ended " + loop.wake());
            }
        });
        loop.start();
        loop.stop();
        loop.join();
        assertThat(ran).containsExactly("closed true", "ended false");
    }

    @Test
    void shouldReadTheClockOnceATurn() {
        final long now = loop.nowNs();
        loop.schedule(100, () -> ran.add("timer at " + (loop.nowNs() - now)));
        loop.runOnce(now + 99);
        assertThat(ran).isEmpty();
        loop.runOnce(now + 150);
        assertThat(ran).containsExactly("timer at 150");
    }

    @Test
    void shouldWakeASleepingLoopForATask() {
        loop.start();
        for (int i = 0; i < 500; i++) {
            final AtomicBoolean done = new AtomicBoolean();
            loop.execute(() -> done.set(loop.inLoop()));
            await().pollDelay(i % 3, TimeUnit.MILLISECONDS)
                    .pollInterval(1, TimeUnit.MILLISECONDS)
                    .untilTrue(done);
        }
        assertThat(loop.inLoop()).isFalse();
    }

    @Test
    void shouldSleepUntilATimerIsDue() {
        loop.start();
        final AtomicInteger fired = new AtomicInteger();
        loop.execute(() -> {
            for (int i = 1; i <= 20; i++) {
                loop.schedule(i * 1_000_000L, fired::incrementAndGet);
            }
        });
        await().untilAtomic(fired, org.hamcrest.Matchers.is(20));
    }

    @Test
    void shouldGoOnAfterATaskATimerOrAHookThrew() {
        final AtomicBoolean hookThrows = new AtomicBoolean(true);
        loop.execute(() -> {
            throw new IllegalStateException("task");
        });
        loop.schedule(0, () -> {
            throw new AssertionError("timer");
        });
        loop.atTurnEnd(() -> {
            if (hookThrows.getAndSet(false)) {
                throw new IllegalStateException("hook");
            }
            ran.add("hook");
        });
        loop.runOnce(loop.nowNs());
        loop.runOnce(loop.nowNs());
        assertThat(faults)
                .containsExactly("test loop: task: task", "test loop: timer: timer", "test loop: end of turn: hook");
        assertThat(ran).containsExactly("hook");
    }

    @Test
    void shouldEndAndKeepTheCauseWhenTheMachineFails() throws InterruptedException {
        loop.execute(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        loop.start();
        loop.join();
        assertThat(loop.failure()).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void shouldRunTheTasksLeftWhenItStopsAndRefuseLaterOnes() throws InterruptedException {
        loop.execute(() -> {
            loop.stop();
            loop.execute(() -> ran.add("left"));
        });
        loop.start();
        loop.join();
        assertThat(ran).containsExactly("left");
        assertThat(loop.failure()).isNull();
        assertThatThrownBy(() -> loop.execute(() -> ran.add("late"))).isInstanceOf(RejectedExecutionException.class);
        assertThat(ran).containsExactly("left");
    }

    @Test
    void shouldPinItsThreadOnly() throws InterruptedException {
        final EventLoop pinned = new EventLoop("pinned", new EpollTransport(), IdlePolicy.BACKOFF, 0);
        final AtomicBoolean onFirst = new AtomicBoolean();
        final AtomicBoolean onSecond = new AtomicBoolean();
        final boolean secondExists = Affinity.mayRunOn(1);
        pinned.execute(() -> {
            onFirst.set(Affinity.mayRunOn(0));
            onSecond.set(Affinity.mayRunOn(1));
            pinned.stop();
        });
        pinned.start();
        pinned.join();
        assertThat(onFirst).isTrue();
        assertThat(onSecond).isFalse();
        assertThat(Affinity.mayRunOn(1)).isEqualTo(secondExists);
    }

    @Test
    void shouldNameTheCpuItCannotHave() throws InterruptedException {
        final EventLoop pinned = new EventLoop(
                "pinned",
                new EpollTransport(),
                IdlePolicy.SPIN,
                8_000,
                (where, fault) -> faults.add(fault.getMessage()));
        pinned.start();
        pinned.join();
        assertThat(pinned.failure()).isInstanceOf(NetException.class).hasMessageContaining("CPU 8000");
        assertThat(faults).hasSize(1);
    }
}
