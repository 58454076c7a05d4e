// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.LinkEncoder;
import goblin.net.ChunkPool;
import goblin.net.EventLoop;
import goblin.net.NativeBuffer;
import goblin.net.SharedBytes;
import goblin.net.Timer;
import goblin.net.Transport;
import goblin.net.linux.Errno;
import goblin.pubsub.SubscriptionRegistry;
import goblin.resp.HelloRequest;
import goblin.resp.ReplyWriter;
import java.util.ArrayList;
import java.util.concurrent.RejectedExecutionException;

/**
 * An edge's work on one event loop: what its parts share. Everything here runs on the loop's thread; the order of things
 * within a turn is in {@link EdgeTurn}. With one loop it is the whole edge; {@link LoopRole} makes it one of several.
 */
final class Edge {
    private static final int SCRATCH_BYTES = 16 * 1024;
    private static final long TICK_NS = 200_000_000L;

    private final EdgeLoops all;
    private final EdgeContext context;
    private final EventLoop loop;
    private final int index;
    private final EdgeCounters counters = new EdgeCounters();
    private final ChunkPool chunks = new ChunkPool();
    private final SharedBytes.Pool shared = new SharedBytes.Pool();
    private final ReplySlots slots = new ReplySlots();
    private final Decoders decoders = new Decoders();
    private final NativeBuffer scratch = new NativeBuffer(SCRATCH_BYTES);
    private final NativeBuffer confirmations = new NativeBuffer();
    private final ReplyWriter writer = new ReplyWriter();
    private final HelloRequest helloRequest = new HelloRequest();
    private final LinkEncoder encoder = new LinkEncoder();
    private final Rings rings;
    private final StalledClients stalls;
    private final Clients clients;
    private final SubscriptionRegistry<ClientSession> registry = new SubscriptionRegistry<>();
    private final Fanout fanout;
    private final Publications publications;
    private final LoopRole role;
    private final InterestTable interests;
    private final Fences fences;
    private final CommandRouter router;
    private final Timer ticker;
    private final EdgeTurn turn;
    private boolean saidExhausted;
    private boolean moreFollows;

    private final ArrayList<ClientSession> condemned = new ArrayList<>();

    /**
     * Makes one of the edge's loops.
     *
     * @param index which, from 0 on; 0 is the home
     */
    Edge(final EdgeLoops all, final EventLoop loop, final int index) {
        this.all = all;
        this.loop = loop;
        this.index = index;
        context = all.context();
        clients = new Clients(all);
        rings = new Rings(context.ringBytes(), all.log());
        stalls = new StalledClients(context.clientStallNs());
        fanout = new Fanout(this, registry);
        publications = new Publications(context.loops());
        role = all.exchange() == null ? new SoleLoop(this) : index == 0 ? new HomeLoop(this) : new FurtherLoop(this);
        interests = new InterestTable(role, change -> change.client.changeHolds(change), all.exchange() != null);
        fences = new Fences(role);
        router = new CommandRouter(this, new EdgeCommands());
        ticker = loop.newTimer(this::tick);
        turn = new EdgeTurn(this);
        loop.atTurnEnd(turn::end);
    }

    /** Begins its work; the home starts connecting to the host, and {@link EdgeLife} is told how it goes. */
    void start() {
        role.connect();
        tick();
    }

    /** Both links are registered. */
    void linked() {
        all.life().onLinked();
    }

    /** A link is lost: ends both and lets the program decide. On the home's thread. */
    void fatal(final String why) {
        for (final Edge each : all.all()) {
            each.tell(each::disconnect);
        }
        all.life().onFatal(why);
    }

    /**
     * Runs a task on this loop: at once on its own thread, else soon.
     *
     * @return false when the loop has ended
     */
    boolean tell(final Runnable task) {
        if (loop.inLoop()) {
            task.run();
            return true;
        }
        try {
            loop.execute(task);
            return true;
        } catch (final RejectedExecutionException ended) {
            return false;
        }
    }

    private void disconnect() {
        role.disconnect();
        final SharedBytes error = copyOfAscii("-ERR delivered to this edge's subscribers, but the host was lost: "
                + "others may not have received it\r\n");
        for (final ClientSession client : clients.all()) {
            client.sequencer().fail(error.address(), error.length(), SlotType.PUBLISH);
        }
        error.release();
    }

    // ---- the turn

    private void tick() {
        final long nowNs = loop.nowNs();
        role.tick(nowNs);
        stalls.check(nowNs);
        rings.trim();
        ticker.arm(nowNs + TICK_NS);
    }

    /** Gives back what a rare large command made of the loop's own buffers. */
    void shrinkBuffers(final long largestKept) {
        if (scratch.capacity() > largestKept) {
            scratch.free();
        }
        if (confirmations.capacity() > largestKept) {
            confirmations.free();
        }
        fanout.shrink(largestKept);
    }

    /** Says once what to do when the system has no more sockets. */
    void reportExhaustion(final int errno) {
        if (!saidExhausted && (errno == Errno.EMFILE || errno == Errno.ENFILE || errno == Errno.EADDRNOTAVAIL)) {
            saidExhausted = true;
            log().line("cannot connect to the host: " + Errno.name(errno)
                    + "; raise LimitNOFILE, or widen net.ipv4.ip_local_port_range");
        }
    }

    /**
     * Says whether more of the present sender's input is here already. Then a message for a client need not be sent for
     * itself: what follows in this turn goes with it.
     */
    void moreFollows(final boolean now) {
        moreFollows = now;
    }

    boolean moreFollows() {
        return moreFollows;
    }

    /** A delivery found the client full: it is cut when the publication is done. */
    void condemn(final ClientSession client) {
        if (client.condemn()) {
            condemned.add(client);
        }
    }

    void buryCondemned() {
        for (int i = 0; i < condemned.size(); i++) {
            final ClientSession client = condemned.get(i);
            if (client.output().isRingRefused()) {
                client.cut(EdgeCounter.SUBSCRIBERS_WITHOUT_RING, "no memory for a ring, and it does not read");
            } else {
                client.cut(EdgeCounter.SUBSCRIBERS_OVERFLOWED, "its output is full, it does not read");
            }
        }
        condemned.clear();
    }

    /** Gives the client back at the end of the turn. */
    void bury(final ClientSession client) {
        turn.bury(client);
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

    /** All loops of this edge. */
    EdgeLoops all() {
        return all;
    }

    /** Which of them this is, from 0 on. */
    int index() {
        return index;
    }

    LoopRole role() {
        return role;
    }

    EdgeLog log() {
        return all.log();
    }

    Authentication authentication() {
        return all.authentication();
    }

    long nowNs() {
        return loop.nowNs();
    }

    /** The number of the present turn. */
    long turn() {
        return loop.turn();
    }

    /** What is put off to the end of the turn. */
    EdgeTurn atTurnEnd() {
        return turn;
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

    Decoders decoders() {
        return decoders;
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
        return all.requestMemory();
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

    Publications publications() {
        return publications;
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
}
