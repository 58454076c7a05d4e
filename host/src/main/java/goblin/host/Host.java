// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.host.command.Arguments;
import goblin.host.command.Client;
import goblin.host.command.Clock;
import goblin.host.command.CommandSpec;
import goblin.host.command.Dispatcher;
import goblin.host.command.Server;
import goblin.host.command.Surroundings;
import goblin.link.LinkLimits;
import goblin.link.Release;
import goblin.net.AcceptHandler;
import goblin.net.ChunkPool;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.EventLoop;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.NativeBuffer;
import goblin.net.SharedBytes;
import goblin.net.Timer;
import goblin.net.epoll.EpollTransport;
import goblin.net.linux.Errno;
import goblin.net.linux.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The running server: one loop, its listeners and sessions, and the order of a turn: commands as they arrive, then what
 * was put off, then edges are flushed, then clients.
 */
final class Host implements Surroundings, AutoCloseable {
    private static final long CRON_NS = 100_000_000L;
    private static final int CRON_TURNS_A_SECOND = 10;
    /** Time that a connection past the most clients has for showing that it is an edge. */
    private static final long UNDECIDED_NS = 5_000_000_000L;

    private static final int EXPIRE_AT_ONCE = 200;
    /** Descriptors that are not clients: listeners, edges, epoll, the JVM's own. */
    private static final int RESERVED_FILES = 64;

    private static final int LARGEST_KEPT_BUFFER = 256 << 10;
    private static final int KEPT_BUFFERS = 256;

    private final HostContext context;
    private final EpollTransport transport = new EpollTransport();
    private final EventLoop loop;
    private final Clock clock = new Clock(System::currentTimeMillis);
    private final ChunkPool chunks = new ChunkPool();
    private final SharedBytes.Pool shared = new SharedBytes.Pool();
    private final Server server;
    private final LoginDesk logins;
    private final LongScripts scripts;
    private final List<Listener> listeners = new ArrayList<>();
    private final ArrayDeque<NativeBuffer> buffers = new ArrayDeque<>();
    private ArrayList<Flushable> edgesToFlush = new ArrayList<>();
    private ArrayList<Session> clientsToFlush = new ArrayList<>();
    private ArrayList<Session> spareClients = new ArrayList<>();
    private ArrayList<Flushable> spareEdges = new ArrayList<>();
    private final ArrayDeque<Session> toResume = new ArrayDeque<>();
    private final ArrayList<Session> toClose = new ArrayList<>();
    private final EdgePeers edges;
    private final ClientPause pause = new ClientPause();
    private final Arguments arguments = new Arguments();
    private final Arguments nestedArguments = new Arguments();
    private final CountDownLatch ended = new CountDownLatch(1);
    private Timer cron;
    private Timer deadline;
    private long armedDeadlineMs = Long.MAX_VALUE;
    private boolean stopping;
    private volatile boolean ending;
    private long cronTurns;
    private int port;

    Host(final HostContext context) {
        this.context = context;
        this.port = context.bind().port();
        this.loop = new EventLoop("goblin-core", transport, context.idle(), context.cpu());
        this.logins = LoginDesk.open(context.authFile(), loop);
        this.server = new Server(this, clock);
        this.scripts = new LongScripts(this);
        final EdgeOptions edgeOptions = new EdgeOptions(
                Release.current().text(),
                context.linkTimeoutSeconds() * 1_000_000_000L,
                context.edgeOutputBufferBytes(),
                LinkLimits.MAX_FRAME_BYTES);
        this.edges = new EdgePeers(loop, chunks, server.pubSub(), edgeOptions, this::markEdge, this::log);
        server.settings().setMaxMemory(context.maxMemory());
        server.settings().setPubSubHardBytes(context.unsolicitedOutputBufferBytes());
    }

    // ---- life

    /** Listens and starts the loop; throws {@link goblin.net.NetException} when an address is taken. */
    void start() {
        final long files = Limits.raiseOpenFiles() - RESERVED_FILES;
        if (files < server.settings().maxClients()) {
            server.settings().setMaxClients(Math.max(1, files));
        }
        final ListenOptions options = new ListenOptions(context.backlog(), context.udsMode(), false);
        listeners.add(transport.listen(
                context.bind(),
                options,
                accept(context.enableSbe() && context.bind().address().isLoopbackAddress())));
        if (listeners.get(0).endpoint() instanceof Endpoint.Tcp tcp) {
            port = tcp.port();
        }
        for (final Endpoint.Tcp trusted : context.trusted()) {
            listeners.add(transport.listen(trusted, options, accept(context.enableSbe())));
        }
        if (context.uds() != null) {
            listeners.add(transport.listen(context.uds(), options, accept(context.enableSbe())));
        }
        if (context.numaAsked()) {
            log("--numa and --numa-arena: not bound yet");
        }
        cron = loop.newTimer(this::onCron);
        deadline = loop.newTimer(this::onDeadline);
        loop.atTurnEnd(this::endTurn);
        cron.arm(System.nanoTime() + CRON_NS);
        server.scripting().prepare();
        loop.start();
    }

    String describe() {
        final StringBuilder text = new StringBuilder();
        for (final Listener listener : listeners) {
            text.append(text.isEmpty() ? "" : ", ").append(listener.endpoint());
        }
        return text.append(context.enableSbe() ? ", edges accepted" : "").toString();
    }

    /** Stops accepting, sends what is queued for at most so long, then ends. Called from any thread but the loop's. */
    void stop(final long drainNs) {
        ending = true;
        final long untilNs = System.nanoTime() + drainNs;
        loop.execute(() -> drain(untilNs));
        try {
            ended.await(drainNs + 1_000_000_000L, TimeUnit.NANOSECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        loop.close();
    }

    private void drain(final long untilNs) {
        if (!stopping) {
            stopping = true;
            listeners.forEach(Listener::close);
        }
        boolean pending = edges.unsent();
        for (final Client client : server.clients().all()) {
            pending |= client.pendingBytes() > 0;
        }
        if (!pending || System.nanoTime() - untilNs >= 0) {
            edges.close();
            loop.stop();
            ended.countDown();
        } else {
            loop.schedule(1_000_000, () -> drain(untilNs));
        }
    }

    void awaitEnd() throws InterruptedException {
        loop.join();
    }

    Throwable failure() {
        return loop.failure();
    }

    @Override
    public void close() {
        ending = true;
        loop.close();
        if (logins != null) {
            logins.close();
        }
    }

    // ---- connections

    private AcceptHandler accept(final boolean mayBeEdge) {
        return new AcceptHandler() {
            @Override
            public ConnectionHandler onAccept(final Connection connection) {
                final boolean full =
                        server.clients().count() >= server.settings().maxClients();
                // Where an edge may come, one more connection is let in until its first bytes decide.
                if (full && !mayBeEdge) {
                    refuse(connection);
                    return null;
                }
                final Incoming incoming = new Incoming(Host.this, mayBeEdge, full ? null : newSession(connection));
                if (full) {
                    loop.schedule(UNDECIDED_NS, () -> incoming.expire(connection));
                }
                return incoming;
            }

            @Override
            public void onAcceptError(final int errno) {
                log("accepting fails: " + Errno.name(errno) + "; raise the limit of open files or close connections");
            }
        };
    }

    /** Tells a client that there are too many; the caller closes. */
    void refuse(final Connection connection) {
        server.statistics().countRejectedConnection();
        final NativeBuffer line = takeBuffer();
        line.appendAscii("-ERR max number of clients reached\r\n");
        connection.send(line.address(), line.length());
        giveBuffer(line);
    }

    Session newSession(final Connection connection) {
        updateClock();
        final Session session = new Session(this, connection, server.clients().nextId(), !authenticationRequired());
        server.clients().add(session);
        return session;
    }

    EdgePeers edges() {
        return edges;
    }

    // ---- the turn

    /** Reads the clock, except for a script, for which time stands still. */
    void updateClock() {
        if (!scripts.isInScript()) {
            clock.update();
        }
    }

    private void endTurn() {
        if (scripts.isInScript()) {
            return;
        }
        scripts.allow(true);
        try {
            resumeAll();
        } finally {
            scripts.allow(false);
        }
        flushAll();
        armDeadline();
        if (!toResume.isEmpty() || !clientsToFlush.isEmpty() || !edgesToFlush.isEmpty() || !toClose.isEmpty()) {
            // Flushing released or queued something: the loop must not sleep on it.
            transport.wake();
        }
    }

    /** Goes on with the commands of released clients; what they release in turn is resumed as well. */
    void resumeAll() {
        while (!toResume.isEmpty()) {
            final Session session = toResume.poll();
            try {
                session.resume();
            } catch (final RuntimeException | StackOverflowError e) {
                // As in the transport's callbacks: the fault of one ends that one only.
                session.closeSoon("client " + session.id() + " (" + session.peerName() + ") closed: " + e);
            }
        }
    }

    /** Edges first: they stand for many clients and carry what the replies depend on. */
    void flushAll() {
        final ArrayList<Flushable> edgeBatch = edgesToFlush;
        edgesToFlush = spareEdges;
        spareEdges = edgeBatch;
        for (int i = 0; i < edgeBatch.size(); i++) {
            edgeBatch.get(i).flush();
        }
        edgeBatch.clear();
        final ArrayList<Session> clientBatch = clientsToFlush;
        clientsToFlush = spareClients;
        spareClients = clientBatch;
        for (int i = 0; i < clientBatch.size(); i++) {
            clientBatch.get(i).flush();
        }
        clientBatch.clear();
        for (int i = 0; i < toClose.size(); i++) {
            toClose.get(i).closeNow();
        }
        toClose.clear();
    }

    /** Something is gathered for an edge: it is flushed at the end of this turn. Call once until then. */
    void markEdge(final Flushable edge) {
        edgesToFlush.add(edge);
    }

    void markClient(final Session session) {
        clientsToFlush.add(session);
    }

    void resumeLater(final Session session) {
        toResume.add(session);
    }

    void closeLater(final Session session) {
        toClose.add(session);
    }

    private void onCron() {
        updateClock();
        final long untilNs = System.nanoTime() + 1_000_000;
        while (server.keyspace().expireDue(EXPIRE_AT_ONCE) == EXPIRE_AT_ONCE && System.nanoTime() - untilNs < 0) {
            Thread.onSpinWait();
        }
        server.dispatcher().afterEvent();
        pause.check(server.nowMs());
        if (++cronTurns % CRON_TURNS_A_SECOND == 0) {
            for (final Client client : server.clients().all()) {
                ((Session) client).onSecond(server.nowMs());
            }
        }
        cron.arm(loop.nowNs() + CRON_NS);
    }

    private void onDeadline() {
        updateClock();
        armedDeadlineMs = Long.MAX_VALUE;
        server.blocked().expire(server.nowMs());
    }

    private void armDeadline() {
        final long nextMs = server.blocked().nextDeadlineMs();
        if (nextMs != armedDeadlineMs) {
            armedDeadlineMs = nextMs;
            if (nextMs == Long.MAX_VALUE) {
                deadline.cancel();
            } else {
                final long delayMs = Math.max(0, nextMs - System.currentTimeMillis());
                deadline.arm(System.nanoTime() + delayMs * 1_000_000);
            }
        }
    }

    // ---- what sessions share

    boolean holdsAll(final Session session) {
        return scripts.holds(session);
    }

    /**
     * Whether a command must wait: a script for the end of the turn, a write for the end of CLIENT PAUSE, a publication
     * for the edges it goes to.
     */
    boolean mustDefer(
            final Session session, final Dispatcher dispatcher, final CommandSpec spec, final Arguments args) {
        if (pause.isOn() && pause.holds(session, dispatcher, spec)) {
            return true;
        }
        if (edges.anyCongested() && !scripts.isInScript() && dispatcher.holdsPublisher(session, spec, args)) {
            return true;
        }
        return scripts.mustDefer(session, dispatcher, spec);
    }

    Arguments arguments() {
        return scripts.isInScript() ? nestedArguments : arguments;
    }

    NativeBuffer takeBuffer() {
        final NativeBuffer buffer = buffers.poll();
        return buffer == null ? new NativeBuffer() : buffer;
    }

    void giveBuffer(final NativeBuffer buffer) {
        if (buffer.capacity() > LARGEST_KEPT_BUFFER || buffers.size() >= KEPT_BUFFERS) {
            buffer.free();
        } else {
            buffer.clear();
        }
        if (buffers.size() < KEPT_BUFFERS) {
            buffers.push(buffer);
        }
    }

    ChunkPool chunks() {
        return chunks;
    }

    SharedBytes.Pool shared() {
        return shared;
    }

    Server server() {
        return server;
    }

    HostContext context() {
        return context;
    }

    EventLoop loop() {
        return loop;
    }

    LongScripts scripts() {
        return scripts;
    }

    // ---- what the commands need

    @Override
    public boolean authenticationRequired() {
        return logins != null;
    }

    @Override
    public Verdict verify(
            final Client client, final byte[] user, final byte[] password, final Consumer<Verdict> later) {
        return logins == null ? Verdict.REFUSED : logins.verify(client, user, password, later);
    }

    @Override
    public void scriptBegins(final Client client) {
        client.hold();
        scripts.begin();
    }

    @Override
    public long scriptPolls() {
        return stopping || ending ? -1 : scripts.poll();
    }

    @Override
    public void scriptEnds(final Client client) {
        scripts.end();
        client.release();
        if (client instanceof Session session) {
            session.afterScript();
        }
    }

    @Override
    public void shutDown() {
        if (!stopping) {
            drain(System.nanoTime() + 2_000_000_000L);
        }
    }

    @Override
    public boolean isBusy() {
        return scripts.isBusy();
    }

    @Override
    public void log(final String line) {
        System.err.println("goblin-core: " + line);
    }

    @Override
    public void appendInfo(final String section, final StringBuilder into) {
        if (section.equals("edges") || section.equals("all")) {
            into.append("# Edges\r\n");
            edges.appendInfo(into);
        }
    }

    @Override
    public void pause(final long untilMs, final boolean onlyWrites) {
        pause.start(untilMs, onlyWrites);
    }

    @Override
    public void unpause() {
        pause.end();
    }

    @Override
    public String release() {
        return Release.current().text();
    }

    @Override
    public int tcpPort() {
        return port;
    }
}
