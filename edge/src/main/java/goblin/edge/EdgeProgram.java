// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.Listener;
import goblin.net.LoopPoller;
import goblin.net.Transport;
import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * The edge from its start to its end: links first, then every loop listens; at the end what is queued is flushed, and the
 * home, which sends for all, ends last. One loop that fails ends all.
 */
final class EdgeProgram implements EdgeLife, Listening.Outcome {
    private static final long FLUSH_NS = 2_000_000_000L;
    /** How long the home waits for the others beyond their deadline. */
    private static final long PATIENCE_NS = 100_000_000L;
    /** Descriptors kept for the links, the listeners and the JVM. */
    private static final long RESERVED_FILES = 64;

    private final EdgeContext context;
    private final EdgeLog log;
    private final Authentication authentication;
    private final EdgeLoops all;
    private final List<ServingLoop> loops = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private volatile int status;

    EdgeProgram(final EdgeContext context, final EdgeLog log) {
        this(context, log, UnaryOperator.identity());
    }

    /**
     * Makes an edge over transports that a test may wrap.
     *
     * @param wrapping given kernel TCP, returns what a loop is to use; asked once for each loop
     */
    EdgeProgram(final EdgeContext context, final EdgeLog log, final UnaryOperator<Transport> wrapping) {
        this.context = context;
        this.log = log;
        // Before a loop pins itself: its thread inherits the CPUs of this one.
        authentication = Authentication.of(context);
        all = new EdgeLoops(context, log, authentication, this, Limits.raiseOpenFiles() - RESERVED_FILES);
        for (int i = 0; i < context.loops(); i++) {
            final String name = context.loops() == 1 ? "edge" : "edge-" + i;
            final EventLoop loop = new EventLoop(
                    name,
                    wrapping.apply(new EpollTransport()),
                    context.idle(),
                    context.cpus().get(i));
            final Edge edge = new Edge(all, loop, i);
            all.add(edge);
            loop.addPoller(new End(loop));
            loops.add(new ServingLoop(loop, edge));
        }
    }

    /** Runs until it is stopped or fails; returns the exit status. */
    int run() {
        final Thread hook = new Thread(this::stopBySignal, "shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        start();
        awaitEnd();
        close();
        return status;
    }

    private void close() {
        authentication.close();
        all.close();
    }

    /** Starts the loops' threads; the rest follows there. */
    void start() {
        running.set(loops.size());
        for (final ServingLoop each : loops) {
            each.loop().execute(each.edge()::start);
        }
        for (final ServingLoop each : loops) {
            each.loop().start();
        }
    }

    /** The loops, the home first. */
    List<ServingLoop> loops() {
        return loops;
    }

    /** The exit status as far as it is known. */
    int status() {
        return status;
    }

    /** Where clients connect; null until the home listens. */
    Listener listener() {
        return loops.getFirst().listener();
    }

    /** Ends the program as its user wants it: at once, or when its clients have left. Any thread. */
    void leave() {
        if (context.drainNs() == 0) {
            stop();
        } else {
            new Leaving(loops, all, context.drainNs(), this::stop).begin();
        }
    }

    /** Stops accepting and ends the loops when everything queued is flushed, at the latest after 2 s. Any thread. */
    void stop() {
        if (stopping.compareAndSet(false, true)) {
            final long deadlineNs = System.nanoTime() + FLUSH_NS;
            final ServingLoop home = loops.getFirst();
            for (final ServingLoop each : loops) {
                if (each != home) {
                    each.edge().tell(() -> each.drain(deadlineNs, () -> true));
                }
            }
            home.edge().tell(() -> home.drain(deadlineNs + patienceNs(), () -> running.get() == 1));
        }
    }

    private long patienceNs() {
        return loops.size() == 1 ? 0 : PATIENCE_NS;
    }

    /** Ends the loops at once, and waits until they have. For tests. */
    void abort() {
        stopping.set(true);
        loops.forEach(each -> each.loop().stop());
        loops.forEach(each -> each.loop().close());
        close();
    }

    @Override
    public void onLinked() {
        new Listening(context, loops, this).open();
    }

    @Override
    public void onListening(final Endpoint at) {
        if (!stopping.get()) {
            log.line("ready: tcp " + at + ", upstream " + context.upstreamEndpoint() + ", edge id "
                    + Long.toUnsignedString(context.edgeId())
                    + (loops.size() == 1 ? "" : ", " + loops.size() + " loops"));
        }
    }

    @Override
    public void onRefused(final String why) {
        onFatal(why);
    }

    @Override
    public void onFatal(final String why) {
        if (!stopping.get()) {
            log.line(why);
            status = 1;
            stop();
        }
    }

    private void loopEnded(final EventLoop loop) {
        if (loop.failure() != null) {
            status = 1;
        }
        running.decrementAndGet();
        // Nothing happens when that is why it ended.
        stop();
    }

    private void awaitEnd() {
        try {
            for (final ServingLoop each : loops) {
                each.loop().join();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ended.countDown();
    }

    private void stopBySignal() {
        if (status == 0 && ended.getCount() > 0) {
            leave();
            try {
                ended.await();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            // A hook cannot change the status of a signal otherwise; see Runtime#halt.
            Runtime.getRuntime().halt(status);
        }
    }

    /** Tells the program that a loop has ended, however it came. */
    private final class End implements LoopPoller {
        private final EventLoop loop;

        End(final EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public int poll() {
            return 0;
        }

        @Override
        public void ended() {
            loopEnded(loop);
        }
    }
}
