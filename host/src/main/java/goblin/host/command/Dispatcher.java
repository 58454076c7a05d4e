// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import goblin.resp.ReplyWriter;
import java.util.function.Consumer;

/**
 * Runs commands by the rules between them: arity, authentication, subscribed mode, MULTI, memory, busy scripts; then
 * serves who waited for what the command added. Every reply goes through here, so {@code CLIENT REPLY} holds everywhere.
 */
public final class Dispatcher {
    private final Server server;
    private final Frame ordinary;
    /** For clients that are answered while somebody's script runs too long. */
    private final Frame whileBusy;

    private final Call inner;
    private final Call scripted;
    private final NativeBuffer dropped = new NativeBuffer();
    private boolean inPipeline;
    private long clockNs;

    Dispatcher(final Server server) {
        this.server = server;
        this.ordinary = new Frame(server);
        this.whileBusy = new Frame(server);
        this.inner = new Call(server);
        this.scripted = new Call(server);
    }

    /**
     * Finds the row of a command's first word. Allocates nothing.
     *
     * @param args at least one word
     * @return null for an unknown command; the container for a subcommand
     */
    public CommandSpec find(final Arguments args) {
        return server.table().find(args.address(0), args.length(0));
    }

    /**
     * Whether a command must run at the end of the turn, outside the transport's callbacks, because it may keep the
     * loop answering while it runs.
     *
     * @param client who sends it
     * @param spec   what {@link #find} found
     * @return true for scripts and for an EXEC that has one queued
     */
    public boolean isLong(final Client client, final CommandSpec spec) {
        if (spec == null || server.surroundings().isBusy()) {
            return false;
        }
        final Transaction transaction = client.transaction;
        if (transaction == null) {
            return spec.has(Flag.LONG);
        }
        return transaction.anyLong() && spec.name().equals("exec");
    }

    /**
     * Whether a command may change the keyspace, an EXEC with such a command queued included.
     *
     * @param client who sends it
     * @param spec   what {@link #find} found
     * @return what {@code CLIENT PAUSE … WRITE} holds back
     */
    public boolean mayWrite(final Client client, final CommandSpec spec) {
        if (spec == null) {
            return false;
        }
        final Transaction transaction = client.transaction;
        if (transaction == null) {
            return spec.has(Flag.WRITE) || spec.has(Flag.MAY_REPLICATE);
        }
        return transaction.anyWrite() && spec.name().equals("exec");
    }

    /**
     * Holds a client that is about to publish, by itself or by EXEC, to an edge that must drain first.
     *
     * @param client who sends the command
     * @param spec   what {@link #find} found
     * @param args   the command
     * @return true when it is held: the command is to be looked at again after its release
     */
    public boolean holdsPublisher(final Client client, final CommandSpec spec, final Arguments args) {
        if (spec == null || !client.isAuthenticated()) {
            return false;
        }
        final Transaction transaction = client.transaction;
        if (transaction == null) {
            return holdsForEdge(client, spec, args);
        }
        if (isExec(spec)) {
            for (final Transaction.Queued queued : transaction.queue()) {
                if (holdsForEdge(client, queued.spec(), queued.args())) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean holdsForEdge(final Client client, final CommandSpec spec, final Arguments args) {
        final Kind kind = PubSubCommands.published(spec);
        return kind != null
                && spec.accepts(args.count())
                && server.pubSub().holdIfCongested(kind, args.address(1), args.length(1), client);
    }

    /**
     * Runs one command of a client, or queues it, or refuses it; the reply is in the client's output afterwards.
     *
     * @param client who sends it
     * @param args   at least one word; valid during the call
     * @param base   what {@link #find} found
     */
    public void execute(final Client client, final Arguments args, final CommandSpec base) {
        if (client.replyMode == Client.ReplyMode.SKIP_NEXT) {
            client.replyMode = Client.ReplyMode.SKIP;
        }
        final Client interrupted = server.clients().running();
        final Frame frame = interrupted == null ? ordinary : whileBusy;
        begin(frame, client);
        frame.call.args = args;
        frame.call.reexecuted = false;
        try {
            executeChecked(frame, client, args, base);
        } finally {
            if (base != null) {
                for (int i = base.secretFrom(); i < args.count(); i++) {
                    Memory.fill(args.address(i), args.length(i), (byte) 0);
                }
            }
            end(client, interrupted);
        }
        if (client.replyMode == Client.ReplyMode.SKIP && client.blocked == null) {
            client.replyMode = Client.ReplyMode.ON;
        }
        if (interrupted == null) {
            afterEvent();
        }
    }

    /** One command at the top level: its call and where its reply goes. */
    private static final class Frame {
        final ReplyWriter reply = new ReplyWriter();
        final Call call;
        NativeBuffer target;

        Frame(final Server server) {
            call = new Call(server);
            call.reply = reply;
        }
    }

    private void begin(final Frame frame, final Client client) {
        frame.target = client.isMuted() ? dropped : client.output();
        frame.reply.wrap(frame.target);
        frame.reply.protocol(client.protocol());
        frame.call.client = client;
        client.beginRunning();
        server.clients().setRunning(client);
        server.keyspace().setTouching(!client.noTouch);
    }

    private void end(final Client client, final Client interrupted) {
        dropped.clear();
        if (client.tracking.on) {
            client.tracking.afterCommand(client.inMulti());
        }
        server.tracking().flush();
        server.clients().setRunning(interrupted);
        client.endRunning();
    }

    private void executeChecked(final Frame frame, final Client client, final Arguments args, final CommandSpec base) {
        client.commands++;
        server.statistics().commands++;
        if (base == null) {
            refuse(frame, null, Errors.unknownCommand(args));
            return;
        }
        CommandSpec spec = base;
        if (base.isContainer() && args.count() > 1) {
            spec = base.child(args.address(1), args.length(1));
            if (spec == null) {
                refuse(frame, base, Errors.unknownSubcommand(args, base));
                return;
            }
        }
        client.lastCommand = spec;
        client.lastCommandMs = server.nowMs();
        final String objection = objection(client, spec, args);
        if (objection != null) {
            refuse(frame, spec, objection);
            return;
        }
        final Transaction transaction = client.transaction;
        if (transaction != null && !spec.has(Flag.IMMEDIATE)) {
            transaction.add(spec, args);
            frame.reply.simple("QUEUED");
            return;
        }
        frame.call.spec = spec;
        run(frame.call, frame.target);
    }

    /** Why a command may not run now, or null. */
    private String objection(final Client client, final CommandSpec spec, final Arguments args) {
        if (!spec.accepts(args.count())) {
            return Errors.wrongNumberOfArguments(spec.fullName());
        }
        if (!client.isAuthenticated() && !spec.has(Flag.NO_AUTH)) {
            return "NOAUTH Authentication required.";
        }
        final Transaction transaction = client.transaction;
        if (client.protocol() == 2 && client.isSubscribed() && !spec.has(Flag.SUBSCRIBED)) {
            return "ERR Can't execute '" + spec.fullName()
                    + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context";
        }
        if (transaction != null && spec.has(Flag.NO_MULTI)) {
            return Errors.NO_MULTI;
        }
        final long limit = server.settings().maxMemory();
        if (limit != 0
                && (spec.has(Flag.DENYOOM) || (transaction != null && transaction.anyDenyOom() && isExec(spec)))
                && server.usedMemory() > limit) {
            return Errors.OOM;
        }
        if (server.surroundings().isBusy() && !spec.has(Flag.ALLOW_BUSY)) {
            return Errors.BUSY;
        }
        return null;
    }

    private static boolean isExec(final CommandSpec spec) {
        return spec.name().equals("exec");
    }

    /** Answers an error before the command ran; a transaction that was being queued fails with it. */
    private void refuse(final Frame frame, final CommandSpec spec, final String error) {
        final Client client = frame.call.client;
        if (spec != null) {
            spec.rejected++;
        }
        server.statistics().errorReplies++;
        if (client.transaction != null) {
            if (spec != null && isExec(spec)) {
                discard(client);
                final int code = error.startsWith("ERR ") ? 4 : 0;
                frame.reply.error("EXECABORT Transaction discarded because of: " + error.substring(code));
                return;
            }
            client.transaction.refuse();
        }
        frame.reply.error(error);
    }

    /** Ends a transaction without running it. */
    void discard(final Client client) {
        client.transaction.free();
        client.transaction = null;
        server.watches().unwatch(client);
    }

    /**
     * The commands of one receive follow each other: until {@link #endPipeline} the end of one is the start of the next,
     * so that each costs one reading of the clock.
     */
    public void beginPipeline() {
        clockNs = System.nanoTime();
        inPipeline = true;
    }

    /** Ends what {@link #beginPipeline} began. */
    public void endPipeline() {
        inPipeline = false;
    }

    private void run(final Call call, final NativeBuffer target) {
        final CommandSpec spec = call.spec;
        final long replyStart = target.length();
        final long startNs = inPipeline && !call.fromScript ? clockNs : System.nanoTime();
        try {
            spec.command().execute(call);
        } catch (final RuntimeException e) {
            server.statistics().unexpectedErrors++;
            server.surroundings().log("command " + spec.fullName() + " failed: " + e);
            if (target.length() >= replyStart) {
                target.truncate(replyStart);
            }
            call.reply.error("ERR internal error");
        }
        clockNs = System.nanoTime();
        final long tookNs = clockNs - startNs;
        if (!call.reexecuted) {
            spec.calls++;
        }
        spec.nanos += tookNs;
        final long slowMicros = server.settings().slowLogMicros();
        if (slowMicros >= 0 && tookNs >= slowMicros * 1000 && !spec.has(Flag.SKIP_SLOWLOG) && !call.fromScript) {
            server.slowLog().add(call, tookNs);
        }
        if (target.length() > replyStart && Memory.getByte(target.address() + replyStart) == '-') {
            spec.failed++;
            server.statistics().errorReplies++;
        }
        if (call.client.tracking.on && spec.has(Flag.READONLY)) {
            server.tracking().remember(call.client, spec, call.args);
        }
    }

    /**
     * Runs a client's queued commands inside EXEC.
     *
     * @param outer the EXEC
     */
    void runQueued(final Call outer, final Transaction transaction) {
        final Client client = outer.client;
        final ReplyWriter reply = outer.reply;
        reply.array(transaction.queue().size());
        for (final Transaction.Queued queued : transaction.queue()) {
            inner.client = client;
            inner.spec = queued.spec();
            inner.args = queued.args();
            inner.inTransaction = true;
            inner.reply = reply;
            run(inner, client.isMuted() ? dropped : client.output());
        }
    }

    /**
     * Runs a command of a script; the rules for scripts have been checked.
     *
     * @param client who the script belongs to
     * @param spec   the command
     * @param args   valid during the call
     * @param reply  wraps {@code target}
     * @param target where the reply goes
     */
    public void runScripted(
            final Client client,
            final CommandSpec spec,
            final Arguments args,
            final ReplyWriter reply,
            final NativeBuffer target) {
        scripted.client = client;
        scripted.spec = spec;
        scripted.args = args;
        scripted.reply = reply;
        scripted.fromScript = true;
        run(scripted, target);
    }

    /** Runs a waiting client's command again, because one of its keys got a value. */
    void reexecute(final Client client, final CommandSpec spec, final Arguments args) {
        final Client interrupted = server.clients().running();
        begin(ordinary, client);
        ordinary.call.spec = spec;
        ordinary.call.args = args;
        ordinary.call.reexecuted = true;
        try {
            run(ordinary.call, ordinary.target);
        } finally {
            ordinary.call.reexecuted = false;
            end(client, interrupted);
        }
    }

    /**
     * Writes a reply for a client outside of its own command.
     *
     * @param client   who gets it
     * @param writing  writes exactly one reply
     */
    public void answer(final Client client, final Consumer<ReplyWriter> writing) {
        final ReplyWriter reply = new ReplyWriter();
        final NativeBuffer target = client.isMuted() ? dropped : client.output();
        reply.wrap(target);
        reply.protocol(client.protocol());
        writing.accept(reply);
        if (target == dropped && client.replyMode == Client.ReplyMode.SKIP) {
            client.replyMode = Client.ReplyMode.ON;
        }
    }

    /** Serves who waited for keys that the last command, transaction, script or timer added. */
    public void afterEvent() {
        final KeyWaiters waiters = server.blocked().waiters();
        if (waiters.hasReady()) {
            waiters.serve();
        }
    }
}
