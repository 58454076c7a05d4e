// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.NetException;
import goblin.net.SegmentArena;
import goblin.net.Transport;
import goblin.net.TransportCounter;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.QueueTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The target's network side: loops, and the connections that a {@link LoopAcceptor} on the first hands to them. Made and
 * started by one thread; {@link #connections}, {@link #counter} and {@link #stop} may be called from any thread but the loops'.
 */
public final class TcpTarget implements AutoCloseable {
    private static final long STOP_SECONDS = 10;
    private static final long POLL_NS = 2_000_000;

    private record Worker(Transport transport, TcpLoop tcp) {
        EventLoop loop() {
            return tcp.loop();
        }
    }

    /**
     * A connection, for people.
     *
     * @param peer  the host's address and port
     * @param local the address and port it came to
     * @param queue whom it serves
     * @param loop  which loop it lives on
     */
    public record ConnectionInfo(String peer, String local, String queue, String loop) {}

    private final List<Worker> workers = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();
    private boolean started;
    private boolean stopped;

    /**
     * Makes the loops and starts to listen; hosts are served from {@link #start} on.
     *
     * @param options how
     * @param opener  gives the other side of a new connection; called on its loop
     * @param log     takes lines for people, from any loop
     * @param faults  told what must not happen
     * @throws NetException when the kernel refuses an endpoint, with a message for people
     */
    public TcpTarget(
            final TcpOptions options,
            final Function<QueueTransport, QueuePair> opener,
            final Consumer<String> log,
            final FaultReporter faults) {
        final ConnectionLimit limit = new ConnectionLimit(options.maxConnections());
        try {
            for (int i = 0; i < options.cpus().size(); i++) {
                final SegmentArena segments = new SegmentArena(
                        options.receiveBytes(), options.receive().segmentBytes(), options.checking(), faults);
                final long locked = segments.prepare() ? segments.bytes() : 0;
                final Transport transport = options.sockets()
                        .open(segments, ReceiveBudget.of(options).windowBytes(), faults);
                final EventLoop loop = new EventLoop(
                        "nvmf-" + i, transport, options.idle(), options.cpus().get(i), faults);
                final TcpLoop tcp = new TcpLoop(loop, options, limit, opener, VectorMemory.HEAP, log);
                tcp.counters().set(TcpCounter.SEGMENT_BYTES, segments.bytes());
                tcp.counters().set(TcpCounter.SEGMENT_LOCKED_BYTES, locked);
                workers.add(new Worker(transport, tcp));
            }
            listen(options.listen());
        } catch (final RuntimeException | OutOfMemoryError failure) {
            stop();
            throw failure;
        }
        warnOfUnlockedMemory(log);
    }

    private void listen(final List<Endpoint.Tcp> endpoints) {
        final LoopAcceptor acceptor =
                new LoopAcceptor(workers.stream().map(Worker::tcp).toList());
        for (final Endpoint.Tcp wanted : endpoints) {
            listeners.add(workers.getFirst().transport().listen(wanted, ListenOptions.DEFAULT, acceptor));
        }
    }

    private void warnOfUnlockedMemory(final Consumer<String> log) {
        final long all = counter(TcpCounter.ARENA_BYTES) + counter(TcpCounter.SEGMENT_BYTES);
        final long locked = counter(TcpCounter.ARENA_LOCKED_BYTES) + counter(TcpCounter.SEGMENT_LOCKED_BYTES);
        if (locked < all) {
            log.accept("only " + (locked >> 20) + " of " + (all >> 20)
                    + " MiB of memory for data on its way are locked into RAM: raise RLIMIT_MEMLOCK (ulimit -l)");
        }
    }

    /**
     * Starts the loops and waits until each has run a turn. Once only.
     *
     * @throws NetException when a loop ends at once, as one does whose CPU is not there; the others go on until
     *     {@link #stop}
     */
    public void start() {
        started = true;
        workers.forEach(worker -> worker.loop().start());
        for (final Worker worker : workers) {
            // A loop that fails runs what it was given before it has ended.
            ask(worker, () -> true);
            final Throwable failure = worker.loop().failure();
            if (failure != null) {
                final String why =
                        failure instanceof NetException ? failure.getMessage() : worker.loop() + ": " + failure;
                throw new NetException(why, 0);
            }
        }
    }

    /**
     * Where it listens.
     *
     * @return as in the options, with the ports that the kernel chose
     */
    public List<Endpoint.Tcp> endpoints() {
        return listeners.stream()
                .map(listener -> (Endpoint.Tcp) listener.endpoint())
                .toList();
    }

    /**
     * Sums a counter over all loops.
     *
     * @param counter which
     * @return 0 or more; perhaps a little old
     */
    public long counter(final TcpCounter counter) {
        return workers.stream()
                .mapToLong(worker -> worker.tcp().counters().get(counter))
                .sum();
    }

    /**
     * Sums a counter of the transports over all loops.
     *
     * @param counter which
     * @return 0 or more; perhaps a little old
     */
    public long counter(final TransportCounter counter) {
        return workers.stream()
                .mapToLong(worker -> worker.transport().counter(counter))
                .sum();
    }

    /**
     * In how many entries requests had their data, over all loops.
     *
     * @return since the start; perhaps a little old
     */
    public RequestEntries entries() {
        return RequestEntries.of(
                workers.stream().map(worker -> worker.tcp().entries()).toList());
    }

    /**
     * How many requests had their data in how many entries, over all loops.
     *
     * @return requests since the start, by entries; perhaps a little old
     */
    public long[] requestsByEntries() {
        final long[] sums = new long[ReceiveOptions.LARGEST_MAX_SEGMENTS + 1];
        workers.forEach(worker -> worker.tcp().entries().addTo(sums));
        return sums;
    }

    /**
     * The loops, for example to run what must happen on each.
     *
     * @return in the order of the options
     */
    public List<EventLoop> loops() {
        return workers.stream().map(Worker::loop).toList();
    }

    /**
     * What connections there are.
     *
     * @return a copy; the loops are asked one after the other
     */
    public List<ConnectionInfo> connections() {
        return workers.stream()
                .flatMap(worker -> ask(worker, worker.tcp()::describe).orElse(List.of()).stream())
                .toList();
    }

    /** What a loop answers; empty when it has ended or does not answer for too long. */
    private static <T> Optional<T> ask(final Worker worker, final Supplier<T> question) {
        final CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            worker.loop().execute(() -> answer.complete(question.get()));
            return Optional.of(answer.get(STOP_SECONDS, TimeUnit.SECONDS));
        } catch (final RejectedExecutionException | TimeoutException gone) {
            return Optional.empty();
        } catch (final ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /**
     * Takes no more connections, ends those there are, waits until storage has given their memory back and ends the loops.
     * A loop that has failed keeps none of the others. Idempotent; not on a loop.
     */
    public void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        if (started) {
            workers.forEach(this::endAll);
            awaitEnds();
        }
        for (final Worker worker : workers) {
            worker.loop().close();
            // What is still at storage writes into this memory; then it stays.
            if (worker.tcp().queues().size() == 0) {
                worker.tcp().destroy();
            }
        }
    }

    private void endAll(final Worker worker) {
        try {
            worker.loop().execute(() -> {
                if (worker.loop().equals(workers.getFirst().loop())) {
                    listeners.forEach(Listener::close);
                }
                worker.tcp().end();
                worker.tcp().endAll(null);
            });
        } catch (final RejectedExecutionException failed) {
            // The loop has ended, and has closed its listeners and connections.
        }
    }

    /** Connections of the loops that still run; those of a failed one are never counted off. */
    private long living() {
        return workers.stream()
                .filter(worker -> worker.loop().failure() == null)
                .mapToLong(worker -> worker.tcp().counters().get(TcpCounter.CONNECTIONS))
                .sum();
    }

    private void awaitEnds() {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        while (living() > 0 && deadlineNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(POLL_NS);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    @Override
    public void close() {
        stop();
    }
}
