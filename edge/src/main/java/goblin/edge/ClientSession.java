// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.NativeBuffer;
import goblin.net.ReceiveSegment;
import goblin.net.SharedBytes;
import goblin.net.Timer;
import goblin.pubsub.Kind;
import goblin.pubsub.SubscriptionHolder;
import goblin.pubsub.Subscriptions;
import goblin.resp.Arguments;
import goblin.resp.ReplyWriter;
import goblin.resp.RespLimits;
import java.util.ArrayDeque;

/**
 * One client of the edge: its connection, what it has said, and how its end goes.
 *
 * <p>A client that ends its side leaves the registry at once; what it had sent before still runs in order and is
 * answered while writing works, bounded in time; then everything is given back.
 */
final class ClientSession implements ConnectionHandler, SubscriptionHolder<ClientSession> {
    private static final long LINGER_NS = 2_000_000_000L;
    private static final long ENDING_NS = 30_000_000_000L;

    private final Edge edge;
    private final Connection connection;
    private final long id;
    private final ClientOutput output;
    private final OutputSequencer sequencer;
    private final ClientInput input;
    private final Subscriptions<ClientSession> subscriptions = new Subscriptions<>();
    private final LogicalNames names = new LogicalNames();
    /** Null while there are none. */
    private ArrayDeque<Interest.Change> pendingLeaves;

    private final Transaction transaction = new Transaction();
    private final ClientAttributes attributes;
    private UpstreamSession upstream;
    private int protocol = 2;
    private boolean authenticated;
    private boolean busy;
    private final ReplyMode replyMode = new ReplyMode();
    private boolean fenceDue;
    private long awaitedFence;
    private boolean wakeQueued;
    private boolean awaitsPublisher;
    private boolean left;
    private boolean peerEnded;
    private boolean inputEnded;
    private boolean condemned;
    private boolean gone;
    private Timer ending;

    ClientSession(final Edge edge, final Connection connection, final long id) {
        this.edge = edge;
        this.connection = connection;
        this.id = id;
        this.authenticated = !edge.authentication().isRequired();
        this.output = new ClientOutput(edge, this, connection);
        this.sequencer = new OutputSequencer(edge.slots(), output);
        this.input = new ClientInput(edge, this, authenticated ? RespLimits.AUTHENTICATED : RespLimits.UNAUTHENTICATED);
        this.attributes = new ClientAttributes(edge.nowNs());
    }

    // ---- events of the connection

    @Override
    public void onReceive(final Connection from, final ReceiveSegment segment) {
        attributes.heardAt(edge.nowNs());
        input.onBytes(segment.address(), segment.length());
    }

    @Override
    public void onEndOfStream(final Connection from) {
        endOfInput();
    }

    @Override
    public void onPeerEndedWhilePaused(final Connection from) {
        // Told once: a blocked command that is forwarded later must be released too.
        peerEnded = true;
        leaveNames();
        releaseIfBlocked();
    }

    private void releaseIfBlocked() {
        if (peerEnded && sequencer.blocking() > 0) {
            endOfInput();
        }
    }

    @Override
    public void onWritable(final Connection to) {
        output.flush();
    }

    @Override
    public void onClosed(final Connection from, final int errno) {
        output.die();
        endOfInput();
        edge.finishIfDone(this);
    }

    // ---- input

    /** Sets whether reading goes on, after the input has done what it could. */
    void inputSettled() {
        releaseIfBlocked();
        if (!gone && connection.isOpen()) {
            if (input.mustPause() || output.isBacklogged()) {
                connection.pauseReceive();
            } else {
                connection.resumeReceive();
            }
        }
        if (inputEnded) {
            edge.finishIfDone(this);
        }
    }

    /** Something a waiting command may have waited for has happened; looked at once, later in this turn. */
    void wake() {
        if (!wakeQueued && !gone) {
            wakeQueued = true;
            edge.atTurnEnd().resume(this);
        }
    }

    /** Goes on with what waited. Called by the edge, outside any handler. */
    void resumeNow() {
        wakeQueued = false;
        if (!gone) {
            input.resume();
            if (upstream != null) {
                upstream.resume();
            }
            if (inputEnded) {
                edge.finishIfDone(this);
            }
        }
    }

    /** A reply left, so a command that waits for its turn may go on. */
    void progressed() {
        if (input.isWaiting() || inputEnded || (upstream != null && upstream.holdsReplies())) {
            wake();
        }
    }

    /** No command may be read now: too many replies outstanding, a login being verified, or a full backlog. */
    boolean isBusy() {
        return busy
                || sequencer.isFull()
                || output.isBacklogged()
                || sequencer.heldBytes() > edge.context().maxOutputBytes();
    }

    /** While true no further command is handled. */
    void busy(final boolean now) {
        busy = now;
        if (!now) {
            wake();
        }
    }

    /** Answers malformed input and ends the connection; null means without a word. */
    void protocolError(final String error) {
        edge.counters().increment(EdgeCounter.PROTOCOL_ERRORS);
        final boolean streaming = input.isStreaming();
        input.stop();
        leaveNames();
        if (streaming) {
            // The host has half a command: it sees the end, and nobody waits for an answer to it.
            sequencer.forgetLastForward();
            if (upstream != null) {
                upstream.end();
            }
        }
        if (error != null) {
            replyMode.allow();
            replyError("ERR " + error);
        }
        closeBehindReplies();
    }

    private void closeBehindReplies() {
        sequencer.close();
    }

    // ---- commands

    void commandRead(final EdgeCommand command, final Arguments arguments) {
        attributes.lastCommand(command, arguments);
    }

    /** A command is being answered. */
    void beginCommand() {
        replyMode.beginCommand();
    }

    boolean isReplySuppressed() {
        return replyMode.isSuppressed();
    }

    ReplyMode replyMode() {
        return replyMode;
    }

    /** The loop's writer for a short reply; follow with {@link #sendReply()}. */
    ReplyWriter reply() {
        return edge.scratchReply(protocol);
    }

    /** Gives the written reply its place. */
    void sendReply() {
        if (!replyMode.isSuppressed()) {
            final NativeBuffer scratch = edge.scratch();
            sequencer.reply(scratch.address(), scratch.length());
        }
    }

    void replyOk() {
        reply().ok();
        sendReply();
    }

    void replyInteger(final long value) {
        reply().integer(value);
        sendReply();
    }

    void replyError(final String text) {
        reply().error(text);
        sendReply();
    }

    /** The slot, of this client, has its whole reply. */
    void answered(final ReplySlot slot) {
        sequencer.ready(slot);
        progressed();
    }

    // ---- names

    /** A change of the registry holds at the host. */
    void changeHolds(final Interest.Change change) {
        final Interest interest = change.interest;
        final boolean join = change.join;
        final ReplySlot slot = change.slot;
        if (!join) {
            pendingLeaves.removeFirstOccurrence(change);
            if (pendingLeaves.isEmpty()) {
                pendingLeaves = null;
            }
        }
        if (!left) {
            edge.registry().setWeight(interest.kind, interest.name, interest.nameLength, this, join ? 1 : 0);
        }
        if (!gone && slot != null) {
            sequencer.changeHolds(slot, join);
            progressed();
        }
    }

    /** Its departures that wait for the host, in order; null when there are none. */
    ArrayDeque<Interest.Change> pendingLeaves() {
        return pendingLeaves;
    }

    /** A departure waits for the host. */
    void leavePending(final Interest.Change change) {
        if (pendingLeaves == null) {
            pendingLeaves = new ArrayDeque<>(1);
        }
        pendingLeaves.add(change);
    }

    /** Leaves all names at once, as a client that vanished: there is nobody to confirm to. */
    private void leaveNames() {
        if (left) {
            return;
        }
        left = true;
        edge.registry().removeAll(this);
        for (final Kind kind : EdgeCommands.KINDS) {
            if (names.of(kind) != null) {
                for (final Interest interest : names.of(kind)) {
                    edge.interests().vanished(interest);
                }
            }
        }
        names.clear();
    }

    /** Its registrations are gone for good; subscribing again changes nothing. */
    boolean hasLeft() {
        return left;
    }

    // ---- order with the host

    /** Whether it stands in the publisher link's queue of clients to wake. */
    boolean awaitsPublisher() {
        return awaitsPublisher;
    }

    void awaitsPublisher(final boolean now) {
        awaitsPublisher = now;
    }

    /** A command that may have published was answered: the next PUBLISH needs a fence sent after this. */
    void fenceDue() {
        fenceDue = true;
        awaitedFence = 0;
    }

    /** Whether a top-level PUBLISH may go now; asks for the fence it needs. */
    boolean isFencePassed() {
        if (!fenceDue) {
            return true;
        }
        if (awaitedFence == 0) {
            awaitedFence = edge.fences().request(this);
        }
        if (!edge.fences().hasPassed(awaitedFence)) {
            return false;
        }
        fenceDue = false;
        return true;
    }

    long awaitedFence() {
        return awaitedFence;
    }

    /** The client's host session, opened when there is none. */
    UpstreamSession obtainUpstream() {
        if (upstream == null) {
            upstream = new UpstreamSession(edge, this);
            upstream.open();
            final EdgeContext context = edge.context();
            if (context.upstreamUser() != null) {
                sequencer.expect(SlotType.FORWARD, ReplySlot.INTERNAL | ReplySlot.MUST_SUCCEED, false);
                ForwardedCommands.sendLogin(this, context.upstreamUser(), context.upstreamPassword());
            }
            if (protocol != 2) {
                sequencer.expect(SlotType.FORWARD, ReplySlot.INTERNAL | ReplySlot.MUST_SUCCEED, false);
                ForwardedCommands.send(this, "HELLO", Integer.toString(protocol));
            }
            sequencer.expect(SlotType.FORWARD, ReplySlot.INTERNAL | ReplySlot.SESSION_ID, false);
            ForwardedCommands.send(this, "CLIENT", "ID");
        }
        return upstream;
    }

    /** Switches the RESP version, at the host session too when there is one. */
    void protocol(final int version) {
        if (version != protocol && upstream != null) {
            sequencer.expect(SlotType.FORWARD, ReplySlot.INTERNAL | ReplySlot.MUST_SUCCEED, false);
            ForwardedCommands.send(this, "HELLO", Integer.toString(version));
        }
        protocol = version;
    }

    /** Closes the host session and with it all its state; the next forwarded command opens a new one. */
    void dropUpstream() {
        if (upstream != null) {
            upstream.abandon();
            upstream = null;
        }
        transaction.ended();
    }

    /** The host session ended: each command without a reply gets the cause, then the client is closed. */
    void upstreamLost(final UpstreamSession session, final String why, final boolean cut) {
        if (gone || session != upstream) {
            return;
        }
        upstream = null;
        transaction.ended();
        input.stop();
        leaveNames();
        if (inputEnded && (sequencer.isEmpty() || sequencer.blocking() > 0)) {
            // We ended it: everything is answered, or a blocked command was released and nobody waits for it.
            sequencer.forgetForwards();
            edge.finishIfDone(this);
            return;
        }
        edge.counters().increment(EdgeCounter.HOST_SESSIONS_LOST);
        if (cut) {
            edge.log().line("client " + id + " " + connection.peerName() + " closed: " + why + ", a reply was cut");
            edge.bury(this);
            return;
        }
        final SharedBytes error = edge.copyOfAscii("-ERR " + why + "\r\n");
        sequencer.fail(error.address(), error.length(), SlotType.FORWARD);
        error.release();
        closeBehindReplies();
    }

    // ---- the end

    private void endOfInput() {
        if (inputEnded) {
            return;
        }
        inputEnded = true;
        leaveNames();
        if (sequencer.blocking() > 0) {
            // What stands behind a blocked command cannot run before the block ends, and it ends now.
            input.stop();
        }
        endWithinBound();
        edge.finishIfDone(this);
    }

    /** Its last bytes are queued: it is given back in bounded time, whether or not it reads them. */
    void closing() {
        endWithinBound();
    }

    /** From here on the client is given back in bounded time, whether or not it reads. */
    private void endWithinBound() {
        if (ending == null) {
            ending = edge.loop().schedule(ENDING_NS, () -> edge.bury(this));
        }
    }

    /** Whether nothing of an ended client is left to do; ends the host session's input on the way. */
    boolean isDone() {
        if (!inputEnded || gone || busy || !input.isDrained()) {
            return gone;
        }
        if (upstream != null) {
            upstream.end();
        }
        return output.isDead() || (sequencer.isEmpty() && output.isEmpty());
    }

    /** The output was flushed after the last reply: ends the connection politely. */
    void outputFinished() {
        edge.bury(this);
    }

    /** Replies drained: reading goes on. */
    void outputDrained() {
        wake();
    }

    /** Refuses further messages; true the first time. The client is cut when the publication is done. */
    boolean condemn() {
        final boolean first = !condemned;
        condemned = true;
        return first;
    }

    /** It was full once: nothing may follow what it did not get. */
    boolean isCondemned() {
        return condemned;
    }

    /**
     * Cuts the client at once.
     *
     * @param why for the log
     */
    void cut(final EdgeCounter cause, final String why) {
        if (gone || !connection.isOpen()) {
            return;
        }
        edge.counters().increment(cause);
        final ReplySlot first = sequencer.first();
        final boolean midReply = first != null && first.type == SlotType.FORWARD && first.started;
        edge.log()
                .line("client " + id + " " + connection.peerName() + " cut: " + why + " (" + output.bytes()
                        + " bytes queued" + (midReply ? ", a reply was cut" : "") + ")");
        killed();
    }

    /** {@code CLIENT KILL} by another client. */
    void killed() {
        input.stop();
        leaveNames();
        output.die();
        connection.close();
        edge.bury(this);
    }

    /** The output was flushed: an ended client may be done. */
    void flushed() {
        if (inputEnded) {
            edge.finishIfDone(this);
        }
    }

    /** Gives everything back. Called once, by the edge, outside any handler. */
    void release() {
        gone = true;
        if (ending != null) {
            ending.cancel();
        }
        leaveNames();
        input.stop();
        sequencer.clear();
        output.die();
        if (upstream != null) {
            upstream.abandon();
            upstream = null;
        }
        connection.finish(LINGER_NS);
    }

    /** {@code QUIT}: nothing after it is handled, and the connection ends behind its reply. */
    void quit() {
        input.stop();
        leaveNames();
        closeBehindReplies();
    }

    /** {@code RESET}: back to the state of a fresh connection; its names were given back before. */
    void reset() {
        // At once, because what came until the acknowledgement would come in the other protocol.
        edge.registry().removeAll(this);
        dropUpstream();
        protocol = 2;
        replyMode.set(false, false);
        attributes.reset();
        if (edge.authentication().isRequired()) {
            authenticated(false);
        }
    }

    // ---- reading access

    Edge edge() {
        return edge;
    }

    Connection connection() {
        return connection;
    }

    long id() {
        return id;
    }

    int protocol() {
        return protocol;
    }

    boolean isAuthenticated() {
        return authenticated;
    }

    void authenticated(final boolean now) {
        authenticated = now;
        input.limits(now ? RespLimits.AUTHENTICATED : RespLimits.UNAUTHENTICATED);
    }

    /** Registrations, output and host session are gone; nothing more happens. */
    boolean isGone() {
        return gone;
    }

    ClientOutput output() {
        return output;
    }

    OutputSequencer sequencer() {
        return sequencer;
    }

    /** What holds at the registry, kept by it. */
    @Override
    public Subscriptions<ClientSession> subscriptions() {
        return subscriptions;
    }

    LogicalNames names() {
        return names;
    }

    Transaction transaction() {
        return transaction;
    }

    ClientAttributes attributes() {
        return attributes;
    }

    /** The host session, or null while there is none. */
    UpstreamSession upstream() {
        return upstream;
    }
}
