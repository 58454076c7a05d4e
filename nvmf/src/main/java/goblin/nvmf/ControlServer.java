// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.FaultReporter;
import goblin.net.IdlePolicy;
import goblin.net.ListenOptions;
import goblin.net.NetException;
import goblin.net.SegmentArena;
import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Errno;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The control socket: a Unix socket for its owner only, on a loop of its own, for up to {@value #MOST_SESSIONS} clients at
 * once, of which each may be slow or silent for a minute. A client sends one line, its words parted
 * by tabs (or by spaces when there is no tab), and gets a line {@code ok} or {@code error: WHY}, then text, then the end.
 * Each request runs on a thread of its own, up to {@value #MOST_REQUESTS} at once, so a slow one delays nobody.
 */
final class ControlServer implements AcceptHandler, AutoCloseable {
    private static final int OWNER_ONLY = 0600;
    private static final int BACKLOG = 64;
    private static final long ARENA_BYTES = 1 << 20;
    private static final int MOST_SESSIONS = 64;
    private static final int MOST_REQUESTS = 16;
    private static final long IDLE_SECONDS = 10;
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final Path path;
    private final ControlCommands commands;
    private final NvmfLog log;
    private final EventLoop loop;
    private final ExecutorService requests = new ThreadPoolExecutor(
            0, MOST_REQUESTS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), ControlServer::thread);

    private final long patienceNs;
    private int sessions;

    ControlServer(final Path path, final ControlCommands commands, final NvmfLog log) {
        this(path, commands, log, PATIENCE_NS);
    }

    ControlServer(final Path path, final ControlCommands commands, final NvmfLog log, final long patienceNs) {
        this.path = path;
        this.patienceNs = patienceNs;
        this.commands = commands;
        this.log = log;
        loop = new EventLoop(
                "control",
                new EpollTransport(new SegmentArena(ARENA_BYTES), FaultReporter.STANDARD_ERROR),
                IdlePolicy.BACKOFF);
    }

    /**
     * Starts listening.
     *
     * @throws NetException when the socket cannot be made
     */
    void start() {
        loop.start();
        final CompletableFuture<Void> listening = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                loop.transport().listen(new Endpoint.Unix(path), new ListenOptions(BACKLOG, OWNER_ONLY, false), this);
                listening.complete(null);
            } catch (final Throwable failure) {
                listening.completeExceptionally(failure);
            }
        });
        try {
            listening.get();
        } catch (final ExecutionException e) {
            loop.close();
            throw e.getCause() instanceof NetException refused
                    ? refused
                    : new NetException("the control socket " + path + " cannot be made: " + e.getCause(), 0);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The loop that it runs on. */
    EventLoop loop() {
        return loop;
    }

    @Override
    public ConnectionHandler onAccept(final Connection connection) {
        if (sessions == MOST_SESSIONS) {
            return null;
        }
        sessions++;
        return new ControlSession(this, connection);
    }

    /** A session has ended. On this loop. */
    void left() {
        sessions--;
    }

    /** Until when a client may be slow that begins to be so now. */
    long giveUpNs() {
        return loop.nowNs() + patienceNs;
    }

    @Override
    public void onAcceptError(final int errno) {
        log.line("the control socket cannot accept: " + Errno.name(errno));
    }

    /** Runs a request elsewhere and gives its reply to the session on this loop. */
    void run(final String line, final ControlSession session) {
        try {
            requests.execute(() -> answer(line, session));
        } catch (final RejectedExecutionException tooMany) {
            session.reply("error: " + MOST_REQUESTS + " requests are under way already\n");
        }
    }

    private void answer(final String line, final ControlSession session) {
        final String reply = commands.run(line);
        try {
            loop.execute(() -> session.reply(reply));
        } catch (final RejectedExecutionException ended) {
            // The program ends; so did the connection.
        }
    }

    private static Thread thread(final Runnable request) {
        // No virtual one: a request may hold ranges of a medium that loops wait for, and must not be parked behind
        // others.
        final Thread thread = new Thread(request, "control request");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        loop.close();
        requests.shutdown();
    }
}
