// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.EventLoop;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.NetException;
import goblin.net.Transport;
import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Errno;
import goblin.net.linux.Limits;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** The edge from its start to its end: links first, then the listener; at the end what is queued is flushed. */
final class EdgeProgram implements EdgeLife, AcceptHandler {
    private static final long FLUSH_NS = 2_000_000_000L;
    private static final long FLUSH_CHECK_NS = 5_000_000L;
    /** Descriptors kept for the links, the listener and the JVM. */
    private static final long RESERVED_FILES = 64;

    private static final String TOO_MANY = "-ERR max number of clients reached\r\n";

    private final EdgeContext context;
    private final EdgeLog log;
    private final EventLoop loop;
    private final Authentication authentication;
    private final Edge edge;
    private final long mostClients;
    private final CountDownLatch ended = new CountDownLatch(1);
    private Listener listener;
    private boolean stopping;
    private volatile int status;

    EdgeProgram(final EdgeContext context, final EdgeLog log) {
        this(context, log, UnaryOperator.identity());
    }

    /**
     * Makes an edge over a transport that a test may wrap.
     *
     * @param wrapping given kernel TCP, returns what to use
     */
    EdgeProgram(final EdgeContext context, final EdgeLog log, final UnaryOperator<Transport> wrapping) {
        this.context = context;
        this.log = log;
        mostClients = Limits.raiseOpenFiles() - RESERVED_FILES;
        loop = new EventLoop("edge", wrapping.apply(new EpollTransport()), context.idle(), context.cpu());
        // Before the loop pins itself: its thread inherits the CPUs of this one.
        authentication = Authentication.of(context, loop);
        edge = new Edge(context, loop, log, authentication, this);
    }

    /** Runs until it is stopped or fails; returns the exit status. */
    int run() {
        final Thread hook = new Thread(this::stopBySignal, "shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        start();
        awaitEnd();
        authentication.close();
        if (loop.failure() != null) {
            status = 1;
        }
        return status;
    }

    /** Starts the loop's thread; the rest follows there. */
    void start() {
        loop.execute(edge::start);
        loop.start();
    }

    /** Where clients connect; null until ready. */
    Listener listener() {
        return listener;
    }

    Edge edge() {
        return edge;
    }

    /** Stops accepting and ends the loop when everything queued is flushed, at the latest after 2 s. Any thread. */
    void stop() {
        loop.execute(this::drain);
    }

    @Override
    public void onLinked() {
        final ListenOptions options = new ListenOptions(context.backlog(), 0, false);
        try {
            listener = edge.transport().listen(context.listenEndpoint(), options, this);
        } catch (final NetException e) {
            onFatal(e.getMessage());
            return;
        }
        log.line("ready: tcp " + listener.endpoint() + ", upstream " + context.upstreamEndpoint() + ", edge id "
                + Long.toUnsignedString(context.edgeId()));
    }

    @Override
    public void onFatal(final String why) {
        if (!stopping) {
            log.line(why);
            status = 1;
            drain();
        }
    }

    @Override
    public ConnectionHandler onAccept(final Connection connection) {
        if (edge.clients().count() >= mostClients) {
            edge.counters().increment(EdgeCounter.CONNECTIONS_REFUSED);
            edge.scratch().clear();
            edge.scratch().appendAscii(TOO_MANY);
            connection.send(edge.scratch().address(), edge.scratch().length());
            return null;
        }
        edge.counters().increment(EdgeCounter.CONNECTIONS_ACCEPTED);
        final ClientSession client =
                new ClientSession(edge, connection, edge.clients().nextId());
        edge.clients().add(client);
        return client;
    }

    @Override
    public void onAcceptError(final int errno) {
        edge.counters().increment(EdgeCounter.ACCEPT_ERRORS);
        log.line("cannot accept: " + Errno.name(errno) + "; accepting pauses. Raise LimitNOFILE or the limit it names");
    }

    private void drain() {
        if (stopping) {
            return;
        }
        stopping = true;
        if (listener != null) {
            listener.close();
        }
        flushOrWait(loop.nowNs() + FLUSH_NS);
    }

    private void flushOrWait(final long deadlineNs) {
        long queued = edge.publisher().queuedBytes();
        for (final ClientSession client : edge.clients().all()) {
            client.output().flush();
            queued += client.output().bytes();
            if (client.upstream() != null) {
                client.upstream().flush();
                queued += client.upstream().queuedBytes();
            }
        }
        if (queued == 0 || loop.nowNs() - deadlineNs >= 0) {
            loop.stop();
        } else {
            loop.schedule(FLUSH_CHECK_NS, () -> flushOrWait(deadlineNs));
        }
    }

    private void awaitEnd() {
        try {
            loop.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ended.countDown();
    }

    private void stopBySignal() {
        if (status == 0 && ended.getCount() > 0) {
            stop();
            try {
                ended.await();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            // A hook cannot change the status of a signal otherwise; see Runtime#halt.
            Runtime.getRuntime().halt(status);
        }
    }
}
