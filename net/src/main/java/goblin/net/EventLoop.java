// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import goblin.net.linux.Affinity;
import goblin.net.linux.Errno;
import goblin.net.linux.Scheduling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One thread that owns a transport, its connections and everything their handlers touch: no locks.
 *
 * <p>A turn reads the clock once, then runs tasks from other threads, what the transport has ready, what pollers have, the
 * timers that are due, and the turn-end hooks in order of registration. A turn that did nothing idles by its {@link IdlePolicy}. An
 * exception thrown by a task, a poller, a timer or a hook is reported and the loop goes on; one thrown by a connection's handler
 * ends that connection (the transport's promise). What {@link FaultReporter#rethrowFatal} calls fatal ends the loop and is
 * kept for {@link #failure}.
 *
 * <p>Only {@link #execute}, {@link #wake}, {@link #start}, {@link #stop}, {@link #join}, {@link #close}, {@link #inLoop} and
 * {@link #failure} may be called from other threads once the loop runs.
 */
public final class EventLoop implements Runnable, Executor, AutoCloseable {
    /** The value of the constructor's {@code cpu} for a loop that may run anywhere. */
    public static final int ANY_CPU = -1;

    private static final int TASKS_A_TURN = 256;
    private static final long SPIN_NS = 50_000;

    /**
     * The default of 1 MiB is too little for scripts: Lua lets C functions call each other 200 deep, and one of them
     * (string.gsub) takes 9 KiB of stack each time. An overflow in native code ends the process. Pages are taken only
     * when they are used.
     */
    private static final long STACK_BYTES = 16L << 20;

    private final String name;
    private final Transport transport;
    private final IdlePolicy idle;
    private final int cpu;
    private final FaultReporter faults;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final TimerQueue timers = new TimerQueue();
    private final List<Runnable> registered = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private Runnable[] turnEnd = {};
    private LoopPoller[] pollers = {};
    private long nowNs = System.nanoTime();
    private long turn;
    private long idleSinceNs;
    private long spinNs = SPIN_NS;
    private boolean idling;

    private volatile Thread thread;
    private volatile boolean stopping;
    private volatile boolean terminated;
    private volatile Throwable failure;

    /**
     * Makes a loop that may run on any CPU and reports to standard error.
     *
     * @param name      the thread's name, for people
     * @param transport what it polls; closed when the loop ends
     * @param idle      what to do when there is nothing to do
     */
    public EventLoop(final String name, final Transport transport, final IdlePolicy idle) {
        this(name, transport, idle, ANY_CPU, FaultReporter.STANDARD_ERROR);
    }

    /**
     * Makes a loop that reports to standard error.
     *
     * @param name      the thread's name, for people
     * @param transport what it polls; closed when the loop ends
     * @param idle      what to do when there is nothing to do
     * @param cpu       the CPU its thread is pinned to, or {@link #ANY_CPU}
     */
    public EventLoop(final String name, final Transport transport, final IdlePolicy idle, final int cpu) {
        this(name, transport, idle, cpu, FaultReporter.STANDARD_ERROR);
    }

    /**
     * Makes a loop.
     *
     * @param name      the thread's name, for people
     * @param transport what it polls; closed when the loop ends
     * @param idle      what to do when there is nothing to do
     * @param cpu       the CPU its thread is pinned to, or {@link #ANY_CPU}
     * @param faults    told what tasks, timers and hooks throw
     */
    public EventLoop(
            final String name,
            final Transport transport,
            final IdlePolicy idle,
            final int cpu,
            final FaultReporter faults) {
        this.name = name;
        this.transport = transport;
        this.idle = idle;
        this.cpu = cpu;
        this.faults = faults;
    }

    /**
     * Tries the CPUs that loops will be pinned to, before anything else is done.
     *
     * @param cpus a CPU for each loop, or {@link #ANY_CPU}
     * @throws NetException for the first that is not there, or not for this process
     */
    public static void requireCpus(final List<Integer> cpus) {
        for (final int cpu : cpus) {
            final int errno = cpu == ANY_CPU ? 0 : tryPinning(cpu);
            if (errno != 0) {
                throw new NetException(
                        "CPU " + cpu + " is not there, or not for this process (" + Errno.name(errno) + ")", errno);
            }
        }
    }

    private static int tryPinning(final int cpu) {
        // On a thread of its own, since pinning stays and is inherited.
        final AtomicInteger errno = new AtomicInteger();
        final Thread thread = new Thread(() -> errno.set(Affinity.pinCurrentThread(cpu)), "CPU " + cpu);
        thread.start();
        try {
            thread.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return errno.get();
    }

    /** Starts the loop's thread. Once only. */
    public void start() {
        if (thread != null) {
            throw new IllegalStateException(name + " was already started");
        }
        final Thread started = new Thread(null, this, name, STACK_BYTES);
        thread = started;
        started.start();
    }

    /** Asks the loop to end after the present turn: its transport is closed, then the tasks left are run. */
    public void stop() {
        stopping = true;
        transport.wake();
    }

    /**
     * Waits until the loop has ended. Returns at once when it was never started.
     *
     * @throws InterruptedException when the waiting thread is interrupted
     */
    public void join() throws InterruptedException {
        if (thread != null) {
            ended.await();
        }
    }

    /** Stops the loop and, on other threads than its own, waits until it has ended. Idempotent. */
    @Override
    public void close() {
        stop();
        if (thread == null) {
            finish();
        } else if (!inLoop()) {
            try {
                ended.await();
            } catch (final InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Runs the loop on the calling thread until {@link #stop}. Called by {@link #start}'s thread. */
    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            pin();
            // A real-time thread that spins keeps the very peer it waits for off a core they share.
            spinNs = Scheduling.isRealTime() ? 0 : SPIN_NS;
            while (!stopping) {
                idle(runOnce(System.nanoTime()));
            }
        } catch (final Throwable thrown) {
            failure = thrown;
            faults.report(name + " ends", thrown);
        } finally {
            finish();
            ended.countDown();
        }
    }

    /**
     * Runs one turn without idling. The loop calls it; a test may drive an unstarted loop with a clock of its own.
     *
     * @param now the turn's time
     * @return how much was done, 0 when there was nothing to do
     */
    public int runOnce(final long now) {
        nowNs = now;
        turn++;
        int work = runTasks();
        work += transport.poll(now);
        work += runPollers();
        work += fireTimers();
        runTurnEnd();
        return work;
    }

    /**
     * Runs a task on the loop's thread, in the next turn or the one after; tasks of one thread keep their order.
     *
     * @param task what to run
     * @throws RejectedExecutionException when the loop has ended
     */
    @Override
    public void execute(final Runnable task) {
        tasks.add(task);
        if (terminated && tasks.remove(task)) {
            throw new RejectedExecutionException(name + " has ended");
        }
        transport.wake();
    }

    /**
     * Lets the loop run a turn soon, without allocating. What a poller has been given before is seen by it.
     *
     * @return false when the loop has ended and no poller is asked any more
     */
    public boolean wake() {
        transport.wake();
        return !terminated;
    }

    /**
     * Runs an action once, later.
     *
     * @param delayNs 0 or more nanoseconds from the turn's time
     * @param action  what to run
     * @return the armed timer
     */
    public Timer schedule(final long delayNs, final Runnable action) {
        final Timer timer = timers.newTimer(action);
        timer.arm(nowNs + delayNs);
        return timer;
    }

    /**
     * Makes a timer that is armed by its owner, as often as he likes, without allocation.
     *
     * @param action what to run
     * @return the unarmed timer
     */
    public Timer newTimer(final Runnable action) {
        return timers.newTimer(action);
    }

    /**
     * Registers a hook that runs at the end of every turn, after those registered before it. It should cost next to
     * nothing when there is nothing to do, and does not count as work.
     *
     * @param hook what to run
     */
    public void atTurnEnd(final Runnable hook) {
        registered.add(hook);
        turnEnd = registered.toArray(Runnable[]::new);
    }

    /**
     * Has something else polled in every turn, after the transport and before the timers. On the loop's thread, or before
     * it runs.
     *
     * @param poller what to poll; closed when the loop ends
     */
    public void addPoller(final LoopPoller poller) {
        final LoopPoller[] more = Arrays.copyOf(pollers, pollers.length + 1);
        more[pollers.length] = poller;
        pollers = more;
    }

    /**
     * The present turn's time, read once a turn.
     *
     * @return {@link System#nanoTime} based
     */
    public long nowNs() {
        return nowNs;
    }

    /**
     * Counts turns.
     *
     * @return the present turn's number, from 1 on
     */
    public long turn() {
        return turn;
    }

    /**
     * Tells whether the caller is the loop.
     *
     * @return whether the calling thread is the loop's
     */
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    /**
     * The transport it polls.
     *
     * @return as given to the constructor
     */
    public Transport transport() {
        return transport;
    }

    /**
     * What ended the loop, if it did not end by {@link #stop}.
     *
     * @return null while it runs and after a regular end
     */
    public Throwable failure() {
        return failure;
    }

    @Override
    public String toString() {
        return name;
    }

    private void pin() {
        if (cpu != ANY_CPU) {
            final int errno = Affinity.pinCurrentThread(cpu);
            if (errno != 0) {
                throw new NetException(name + " cannot be pinned to CPU " + cpu + ": " + Errno.name(errno), errno);
            }
        }
    }

    private int runTasks() {
        int ran = 0;
        Runnable task;
        while (ran < TASKS_A_TURN && (task = tasks.poll()) != null) {
            ran++;
            try {
                task.run();
            } catch (final Throwable thrown) {
                FaultReporter.rethrowFatal(thrown);
                faults.report(name + ": task", thrown);
            }
        }
        return ran;
    }

    private int runPollers() {
        int work = 0;
        // The array is replaced, never changed, when a poller registers another one.
        final LoopPoller[] all = pollers;
        for (final LoopPoller poller : all) {
            try {
                work += poller.poll();
            } catch (final Throwable thrown) {
                FaultReporter.rethrowFatal(thrown);
                faults.report(name + ": polling", thrown);
            }
        }
        return work;
    }

    private int fireTimers() {
        try {
            return timers.fire(nowNs);
        } catch (final Throwable thrown) {
            FaultReporter.rethrowFatal(thrown);
            faults.report(name + ": timer", thrown);
            return 1;
        }
    }

    private void runTurnEnd() {
        // The array is replaced, never changed, when a hook registers another one.
        final Runnable[] hooks = turnEnd;
        for (final Runnable hook : hooks) {
            try {
                hook.run();
            } catch (final Throwable thrown) {
                FaultReporter.rethrowFatal(thrown);
                faults.report(name + ": end of turn", thrown);
            }
        }
    }

    private void idle(final int work) {
        if (spinNs == 0 && idle == IdlePolicy.BACKOFF) {
            // Whether there is more is found out by the call that sleeps: the peer gets the core one call earlier.
            sleep();
            return;
        }
        if (work > 0) {
            idling = false;
            return;
        }
        if (idle == IdlePolicy.SPIN) {
            Thread.onSpinWait();
            return;
        }
        if (!idling) {
            idling = true;
            idleSinceNs = nowNs;
        }
        if (nowNs - idleSinceNs < spinNs) {
            Thread.onSpinWait();
        } else {
            sleep();
        }
    }

    private void sleep() {
        boolean maySleep = true;
        for (final LoopPoller poller : pollers) {
            maySleep &= poller.prepareSleep();
        }
        if (maySleep) {
            transport.await(timers.untilNextNs(nowNs));
        }
        for (final LoopPoller poller : pollers) {
            poller.awake();
        }
    }

    private void tellPollers(final Consumer<LoopPoller> what) {
        for (final LoopPoller poller : pollers) {
            try {
                what.accept(poller);
            } catch (final RuntimeException thrown) {
                faults.report(name + ": closing", thrown);
            }
        }
    }

    private void finish() {
        tellPollers(LoopPoller::close);
        try {
            transport.close();
        } catch (final RuntimeException thrown) {
            faults.report(name + ": closing", thrown);
        }
        terminated = true;
        tellPollers(LoopPoller::ended);
        while (runTasks() > 0) {
            Thread.onSpinWait();
        }
    }
}
