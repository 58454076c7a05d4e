// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.LinkEncoder;
import goblin.net.ChunkPool;
import goblin.net.EventLoop;
import goblin.net.NativeBuffer;
import goblin.net.SharedBytes;
import goblin.net.Timer;
import goblin.net.Transport;
import goblin.pubsub.SubscriptionRegistry;
import goblin.resp.HelloRequest;
import goblin.resp.ReplyWriter;
import java.util.ArrayList;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One edge on one event loop: what its parts share, and the order of things within a turn. Everything here runs on the
 * loop's thread.
 *
 * <p>At the end of a turn: clients whose wait may be over go on; interests and fences are sent; clients are flushed;
 * then the publisher link, in one write; then what ended is given back.
 */
final class Edge {
    private static final int SCRATCH_BYTES = 16 * 1024;
    private static final long TICK_NS = 200_000_000L;

    private final EdgeContext context;
    private final EventLoop loop;
    private final EdgeLog log;
    private final Authentication authentication;
    private final long instance = ThreadLocalRandom.current().nextLong();
    private final EdgeCounters counters = new EdgeCounters();
    private final ChunkPool chunks = new ChunkPool();
    private final SharedBytes.Pool shared = new SharedBytes.Pool();
    private final ReplySlots slots = new ReplySlots();
    private final NativeBuffer scratch = new NativeBuffer(SCRATCH_BYTES);
    private final NativeBuffer confirmations = new NativeBuffer();
    private final ReplyWriter writer = new ReplyWriter();
    private final HelloRequest helloRequest = new HelloRequest();
    private final LinkEncoder encoder = new LinkEncoder();
    private final Rings rings;
    private final RequestMemory requestMemory;
    private final StalledClients stalls;
    private final Clients clients = new Clients();
    private final SubscriptionRegistry<ClientSession> registry = new SubscriptionRegistry<>();
    private final Fanout fanout;
    private final AggregateLink aggregate;
    private final PublisherLink publisher;
    private final InterestTable interests;
    private final Fences fences;
    private final CommandRouter router;
    private final EdgeInfo info;
    private final Timer ticker;
    private final EdgeLife life;

    private ArrayList<ClientSession> resumed = new ArrayList<>();
    private ArrayList<ClientSession> resuming = new ArrayList<>();
    private final ArrayList<ClientSession> nextTurn = new ArrayList<>();
    private ArrayList<ClientOutput> dirtyOutputs = new ArrayList<>();
    private ArrayList<ClientOutput> flushingOutputs = new ArrayList<>();
    private ArrayList<UpstreamSession> dirtySessions = new ArrayList<>();
    private ArrayList<UpstreamSession> flushingSessions = new ArrayList<>();
    private final ArrayList<ClientSession> condemned = new ArrayList<>();
    private final ArrayList<ClientSession> buried = new ArrayList<>();
    private final Runnable nextTurnTask = this::wakeNextTurn;

    Edge(
            final EdgeContext context,
            final EventLoop loop,
            final EdgeLog log,
            final Authentication authentication,
            final EdgeLife life) {
        this.context = context;
        this.loop = loop;
        this.log = log;
        this.authentication = authentication;
        this.life = life;
        rings = new Rings(context.ringBytes(), log);
        requestMemory = new RequestMemory(context.maxRequestMemory());
        stalls = new StalledClients(context.clientStallNs());
        fanout = new Fanout(this, registry);
        aggregate = new AggregateLink(this);
        publisher = new PublisherLink(this);
        interests = new InterestTable(
                aggregate, (interest, change) -> change.client.changeHolds(interest, change.join, change.slot));
        fences = new Fences(aggregate);
        router = new CommandRouter(this, new EdgeCommands());
        info = new EdgeInfo(this);
        ticker = loop.newTimer(this::tick);
        loop.atTurnEnd(this::endTurn);
    }

    /** Starts connecting to the host; {@link EdgeLife} is told how it goes. */
    void start() {
        aggregate.open();
        tick();
    }

    void aggregateReady() {
        publisher.open();
    }

    void publisherReady() {
        life.onLinked();
    }

    /** A link is lost: ends both and lets the program decide. */
    void fatal(final String why) {
        aggregate.close();
        publisher.close();
        final SharedBytes error = copyOfAscii("-ERR delivered to this edge's subscribers, but the host was lost: "
                + "others may not have received it\r\n");
        for (final ClientSession client : clients.all()) {
            client.sequencer().fail(error.address(), error.length(), SlotType.PUBLISH);
        }
        error.release();
        life.onFatal(why);
    }

    // ---- the turn

    private void endTurn() {
        resumeClients();
        interests.settleTurn();
        fences.sendTurn();
        aggregate.flushTurn();
        flushSessions();
        flushOutputs();
        publisher.flushTurn();
        buryEnded();
    }

    private void resumeClients() {
        // A resumed client may wake others, or itself: they are seen in the same turn, each once more at most.
        for (int round = 0; round < 2 && !resumed.isEmpty(); round++) {
            final ArrayList<ClientSession> turn = resumed;
            resumed = resuming;
            resuming = turn;
            for (int i = 0; i < turn.size(); i++) {
                turn.get(i).resumeNow();
            }
            turn.clear();
        }
        if (!resumed.isEmpty()) {
            loop.execute(nextTurnTask);
        }
    }

    private void flushSessions() {
        final ArrayList<UpstreamSession> turn = dirtySessions;
        dirtySessions = flushingSessions;
        flushingSessions = turn;
        for (int i = 0; i < turn.size(); i++) {
            turn.get(i).flush();
        }
        turn.clear();
    }

    private void flushOutputs() {
        while (!dirtyOutputs.isEmpty()) {
            final ArrayList<ClientOutput> turn = dirtyOutputs;
            dirtyOutputs = flushingOutputs;
            flushingOutputs = turn;
            for (int i = 0; i < turn.size(); i++) {
                turn.get(i).flushAtTurnEnd();
            }
            turn.clear();
        }
    }

    private void buryEnded() {
        for (int i = 0; i < buried.size(); i++) {
            final ClientSession client = buried.get(i);
            if (!client.isGone()) {
                client.release();
                clients.remove(client);
            }
        }
        buried.clear();
        if (!resumed.isEmpty() || !dirtyOutputs.isEmpty() || !dirtySessions.isEmpty()) {
            loop.execute(nextTurnTask);
        }
    }

    private void wakeNextTurn() {
        for (int i = 0; i < nextTurn.size(); i++) {
            nextTurn.get(i).wake();
        }
        nextTurn.clear();
    }

    private void tick() {
        final long nowNs = loop.nowNs();
        aggregate.tick(nowNs);
        publisher.tick(nowNs);
        stalls.check(nowNs);
        rings.trim();
        ticker.arm(nowNs + TICK_NS);
    }

    /** The client may go on; it is asked once before the turn ends. */
    void resume(final ClientSession client) {
        resumed.add(client);
    }

    /** The client has used up its share of this turn. */
    void resumeNextTurn(final ClientSession client) {
        if (nextTurn.isEmpty()) {
            loop.execute(nextTurnTask);
        }
        nextTurn.add(client);
    }

    void flushAtTurnEnd(final ClientOutput output) {
        dirtyOutputs.add(output);
    }

    void flushAtTurnEnd(final UpstreamSession session) {
        dirtySessions.add(session);
    }

    /** A delivery found the client full: it is cut when the publication is done. */
    void condemn(final ClientSession client) {
        condemned.add(client);
    }

    void buryCondemned() {
        for (int i = 0; i < condemned.size(); i++) {
            condemned.get(i).cut(EdgeCounter.SUBSCRIBERS_OVERFLOWED, "its output is full, it does not read");
        }
        condemned.clear();
    }

    /** Gives the client back at the end of the turn. */
    void bury(final ClientSession client) {
        buried.add(client);
    }

    void finishIfDone(final ClientSession client) {
        if (!client.isGone() && client.isDone()) {
            bury(client);
        }
    }

    // ---- what the parts share

    EdgeContext context() {
        return context;
    }

    EventLoop loop() {
        return loop;
    }

    Transport transport() {
        return loop.transport();
    }

    EdgeLog log() {
        return log;
    }

    Authentication authentication() {
        return authentication;
    }

    /** A random number that tells this process from an earlier one with the same edge id. */
    long instance() {
        return instance;
    }

    long nowNs() {
        return loop.nowNs();
    }

    long turn() {
        return loop.turn();
    }

    EdgeCounters counters() {
        return counters;
    }

    ChunkPool chunks() {
        return chunks;
    }

    SharedBytes.Pool shared() {
        return shared;
    }

    ReplySlots slots() {
        return slots;
    }

    /** The loop's scratch; overwritten by the next user. */
    NativeBuffer scratch() {
        return scratch;
    }

    /** The loop's writer over the cleared scratch. */
    ReplyWriter scratchReply(final int protocol) {
        scratch.clear();
        return writer.wrap(scratch).protocol(protocol);
    }

    /** The loop's buffer for the confirmations of one command, cleared. */
    NativeBuffer confirmations() {
        confirmations.clear();
        return confirmations;
    }

    SharedBytes copyOf(final long address, final long length) {
        return shared.copyOf(address, length);
    }

    SharedBytes copyOfAscii(final String text) {
        final NativeBuffer bytes = new NativeBuffer(text.length());
        bytes.appendAscii(text);
        final SharedBytes copy = shared.copyOf(bytes.address(), bytes.length());
        bytes.free();
        return copy;
    }

    HelloRequest helloRequest() {
        return helloRequest;
    }

    LinkEncoder encoder() {
        return encoder;
    }

    Rings rings() {
        return rings;
    }

    RequestMemory requestMemory() {
        return requestMemory;
    }

    StalledClients stalls() {
        return stalls;
    }

    Clients clients() {
        return clients;
    }

    SubscriptionRegistry<ClientSession> registry() {
        return registry;
    }

    Fanout fanout() {
        return fanout;
    }

    AggregateLink aggregate() {
        return aggregate;
    }

    PublisherLink publisher() {
        return publisher;
    }

    InterestTable interests() {
        return interests;
    }

    Fences fences() {
        return fences;
    }

    CommandRouter router() {
        return router;
    }

    EdgeInfo info() {
        return info;
    }
}
