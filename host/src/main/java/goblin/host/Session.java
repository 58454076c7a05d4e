// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.host.command.Arguments;
import goblin.host.command.Client;
import goblin.host.command.CommandSpec;
import goblin.host.command.Dispatcher;
import goblin.host.command.Publication;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.NativeBuffer;
import goblin.net.ReceiveSegment;
import goblin.net.SendQueue;
import goblin.net.SharedBytes;
import goblin.net.linux.Errno;
import goblin.resp.CommandDecoder;
import goblin.resp.RespLimits;

/**
 * A RESP client's connection: decodes commands straight out of the received segment (only an incomplete command is
 * kept), gathers replies and pushes during the turn and sends them at its end.
 */
final class Session extends Client implements ConnectionHandler, Flushable {
    private static final long LINGER_NS = 200_000_000L;
    private static final long SHARED_FROM = 2048;
    private static final long LAST_SECONDS = 30;
    private static final int STALL_SECONDS = 60;

    private final Host host;
    private final Connection connection;
    private final CommandDecoder decoder;
    private final NativeBuffer input = new NativeBuffer();
    private final SendQueue queue;
    private NativeBuffer out;
    private int holds;
    private boolean backlogHeld;
    private boolean resuming;
    private boolean executing;
    private boolean closing;
    private boolean ended;
    private boolean peerEnded;
    private boolean gone;
    private long softLimitSinceMs;
    private int secondsAtEnd;
    private int secondsStalled;
    private long pendingASecondAgo;
    private boolean doomed;

    Session(final Host host, final Connection connection, final long id, final boolean authenticated) {
        super(id, host.server().nowMs(), authenticated);
        this.host = host;
        this.connection = connection;
        this.decoder = new CommandDecoder(authenticated ? RespLimits.AUTHENTICATED : RespLimits.UNAUTHENTICATED);
        this.queue = new SendQueue(host.chunks());
    }

    // ---- input

    @Override
    public void onReceive(final Connection from, final ReceiveSegment segment) {
        receive(segment.address(), segment.length());
    }

    void receive(final long address, final long length) {
        host.updateClock();
        if (closing || gone) {
            return;
        }
        if (!input.isEmpty() || !mayExecute()) {
            input.append(address, length);
            executeInput();
            return;
        }
        final long used = execute(address, length);
        if (used < length && !gone) {
            input.append(address + used, length - used);
        }
    }

    private void executeInput() {
        if (executing || input.isEmpty()) {
            return;
        }
        final long used = execute(input.address(), input.length());
        if (gone) {
            input.free();
            return;
        }
        input.consume(used);
        if (input.isEmpty()) {
            // An idle client holds no receive buffer.
            input.free();
        }
    }

    private boolean mayExecute() {
        return holds == 0 && !closing && !gone && !host.holdsAll(this);
    }

    /** Runs the complete commands in the bytes, as far as it may; answers how many bytes are done with. */
    private long execute(final long address, final long length) {
        final Dispatcher dispatcher = host.server().dispatcher();
        final Arguments args = host.arguments();
        long used = 0;
        executing = true;
        dispatcher.beginPipeline();
        try {
            while (used < length && mayExecute()) {
                final int decoded = decoder.decode(address + used, length - used);
                if (decoded == CommandDecoder.NEED_MORE) {
                    break;
                }
                if (decoded == CommandDecoder.ERROR) {
                    onProtocolError();
                    return length;
                }
                if (decoder.argumentCount() > 0) {
                    fill(args);
                    final CommandSpec spec = dispatcher.find(args);
                    if (host.mustDefer(this, dispatcher, spec, args)) {
                        decoder.reset();
                        break;
                    }
                    dispatcher.execute(this, args, spec);
                }
                used += decoder.consumed();
                limitReplies();
            }
        } finally {
            executing = false;
            dispatcher.endPipeline();
        }
        return closing ? length : used;
    }

    private void fill(final Arguments args) {
        args.clear();
        final int count = decoder.argumentCount();
        for (int i = 0; i < count; i++) {
            args.add(decoder.argument(i), decoder.argumentLength(i));
        }
    }

    private void onProtocolError() {
        host.server().dispatcher().answer(this, reply -> reply.error("ERR " + decoder.error()));
        closeAfterReply();
    }

    /** Goes on where a hold stopped it. Called at the end of the turn. */
    void resume() {
        resuming = false;
        if (holds > 0 || gone) {
            return;
        }
        host.updateClock();
        executeInput();
        if (mayExecute()) {
            connection.resumeReceive();
        }
        endIfDone();
    }

    /** Runs what was put off to the end of the turn. */
    void runDeferred() {
        resume();
    }

    // ---- holding

    @Override
    public boolean mayBlock() {
        return !peerEnded;
    }

    @Override
    public void hold() {
        if (holds++ == 0 && !gone) {
            connection.pauseReceive();
        }
    }

    @Override
    public void release() {
        if (--holds == 0 && !gone && !resuming) {
            resuming = true;
            host.resumeLater(this);
        }
    }

    // ---- output

    @Override
    protected NativeBuffer output() {
        NativeBuffer buffer = out;
        if (buffer == null) {
            buffer = host.takeBuffer();
            out = buffer;
            host.markClient(this);
        }
        return buffer;
    }

    @Override
    protected void outputLarge(final byte[] bytes, final int length) {
        final NativeBuffer gathered = output();
        queue.append(gathered.address(), gathered.length());
        gathered.clear();
        final SharedBytes value = host.shared().allocate(length);
        goblin.net.linux.Memory.copyIn(bytes, 0, value.address(), length);
        queue.appendShared(value, 0, length);
        value.release();
    }

    @Override
    public void onMatch(final Publication publication) {
        final NativeBuffer frame = publication.frame(protocol());
        if (frame.length() < SHARED_FROM || isRunning() || gone || doomed) {
            super.onMatch(publication);
            return;
        }
        final NativeBuffer gathered = output();
        queue.append(gathered.address(), gathered.length());
        gathered.clear();
        final SharedBytes whole = publication.sharedFrame(protocol(), host.shared());
        queue.appendShared(whole, 0, whole.length());
        limitPushes(0);
    }

    @Override
    protected void pushNow(final NativeBuffer frame) {
        if (!gone && !doomed) {
            output().append(frame.address(), frame.length());
            limitPushes(0);
        }
    }

    @Override
    protected boolean mayDefer(final long bytes) {
        limitPushes(bytes);
        return !gone && !doomed;
    }

    /** A subscriber that does not read is disconnected, by the same rule as Redis's for its class {@code pubsub}. */
    private void limitPushes(final long deferred) {
        final long pending = pendingBytes() + deferred;
        final long hard = host.server().settings().pubSubHardBytes();
        final long soft = host.server().settings().pubSubSoftBytes();
        if (hard != 0 && pending > hard) {
            closeSoon("client " + id() + " (" + peerName() + ") disconnected: " + pending
                    + " bytes of messages unread, the limit is " + hard);
        } else if (soft == 0 || pending <= soft) {
            softLimitSinceMs = 0;
        } else if (softLimitSinceMs == 0) {
            softLimitSinceMs = host.server().nowMs();
        } else if (host.server().nowMs() - softLimitSinceMs
                > host.server().settings().pubSubSoftSeconds() * 1000) {
            closeSoon("client " + id() + " (" + peerName() + ") disconnected: more than " + soft
                    + " bytes of messages unread for too long");
        }
    }

    /** Past the limit of unread replies this client's commands wait until it has read. */
    private void limitReplies() {
        if (pendingBytes() > host.context().maxOutputBufferBytes()) {
            sendGathered();
            if (queue.bytes() > host.context().maxOutputBufferBytes() && !backlogHeld) {
                backlogHeld = true;
                hold();
            }
        }
    }

    @Override
    public void flush() {
        if (isRunning()) {
            flushDuringScript();
            return;
        }
        sendGathered();
        endIfDone();
    }

    /** A script of this client lets the turn's end happen within it; its command goes on writing to the buffer. */
    private void flushDuringScript() {
        if (out != null && !gone) {
            send(out);
            out.clear();
            host.markClient(this);
        }
    }

    private void sendGathered() {
        if (out != null && !gone) {
            send(out);
        }
        giveBack();
    }

    private void send(final NativeBuffer buffer) {
        if (queue.isEmpty()) {
            sendDirectly(buffer);
        } else {
            queue.append(buffer.address(), buffer.length());
            buffer.clear();
            sendQueued();
        }
    }

    private void giveBack() {
        if (out != null) {
            host.giveBuffer(out);
            out = null;
        }
    }

    private void sendDirectly(final NativeBuffer buffer) {
        if (buffer.isEmpty()) {
            return;
        }
        final long sent = connection.send(buffer.address(), buffer.length());
        if (sent >= 0 && sent < buffer.length()) {
            queue.append(buffer.address() + sent, buffer.length() - sent);
        }
    }

    private void sendQueued() {
        queue.flush(connection);
        if (backlogHeld && queue.bytes() <= host.context().maxOutputBufferBytes() / 2) {
            backlogHeld = false;
            release();
        }
    }

    @Override
    public void onWritable(final Connection to) {
        if (gone) {
            return;
        }
        if (!queue.isEmpty()) {
            sendQueued();
        }
        endIfDone();
    }

    @Override
    public long pendingBytes() {
        return queue.bytes() + (out == null ? 0 : out.length());
    }

    @Override
    public long pendingInput() {
        return input.length();
    }

    // ---- endings

    @Override
    public void onEndOfStream(final Connection from) {
        ended = true;
        host.updateClock();
        leaveRegistries();
        endIfDone();
    }

    @Override
    public void onPeerEndedWhilePaused(final Connection from) {
        host.updateClock();
        leaveRegistries();
    }

    /** Whoever has ended its side hears nothing any more: no message is counted for it, no element popped for it. */
    private void leaveRegistries() {
        peerEnded = true;
        host.server().leave(this);
    }

    /** Ends what nobody waits for: a client that does not read its last replies, or is idle for too long. */
    void onSecond(final long nowMs) {
        if (closing || ended) {
            if (++secondsAtEnd > LAST_SECONDS) {
                closeSoon("client " + id() + " (" + peerName() + ") closed: it did not read its last replies");
            }
            return;
        }
        limitStall();
        final long timeout = host.server().settings().timeoutSeconds();
        if (timeout != 0 && subscriptions().isEmpty() && !isBlocked() && nowMs - lastCommandMs() > timeout * 1000) {
            closeSoon("client " + id() + " (" + peerName() + ") closed: idle for more than " + timeout + " s");
        }
    }

    /** A client whose commands wait until it reads, and that reads nothing, would wait for itself for ever. */
    private void limitStall() {
        final long pending = queue.bytes();
        secondsStalled = backlogHeld && pending >= pendingASecondAgo ? secondsStalled + 1 : 0;
        pendingASecondAgo = pending;
        if (secondsStalled > STALL_SECONDS) {
            closeSoon("client " + id() + " (" + peerName() + ") closed: " + pending
                    + " bytes of replies unread and none taken for " + STALL_SECONDS + " s");
        }
    }

    private void endIfDone() {
        final boolean over = closing || (ended && holds == 0 && !resuming);
        if (over && !gone && out == null && queue.isEmpty()) {
            connection.finish(LINGER_NS);
            forget();
        }
    }

    @Override
    public void closeAfterReply() {
        closing = true;
        connection.pauseReceive();
        host.markClient(this);
    }

    @Override
    public void closeSoon(final String reason) {
        if (gone || doomed) {
            return;
        }
        if (reason != null) {
            host.log(reason);
        }
        doomed = true;
        closing = true;
        host.server().pubSub().drop(this);
        if (!isRunning()) {
            // Nothing is popped any more for one whom it would not reach.
            host.server().blocked().leave(this);
        }
        host.closeLater(this);
    }

    /** Closes without sending what is left. */
    void closeNow() {
        if (!gone) {
            connection.close();
            forget();
        } else if (!isRunning()) {
            dispose();
        }
    }

    /** This client's script has ended: what a loss of the connection meanwhile had to leave alone can go. */
    void afterScript() {
        if (gone) {
            host.closeLater(this);
        }
    }

    @Override
    public void onClosed(final Connection from, final int errno) {
        host.updateClock();
        if (errno != 0 && errno != Errno.ECONNRESET && errno != Errno.EPIPE) {
            host.log("client " + id() + " (" + peerName() + ") lost: " + Errno.name(errno));
        }
        forget();
    }

    /** It is no client after all: it is forgotten, the connection goes on without it. */
    void abandon() {
        forget();
    }

    private void forget() {
        if (gone) {
            return;
        }
        gone = true;
        closing = true;
        host.server().forget(this);
        if (!isRunning()) {
            dispose();
        }
    }

    private void dispose() {
        giveBack();
        queue.clear();
        if (!executing) {
            input.free();
        }
        decoder.close();
        freeMemory();
    }

    // ---- for people

    @Override
    public boolean isOpen() {
        return !closing && !gone;
    }

    @Override
    public String peerName() {
        return connection.peerName();
    }

    @Override
    public String localName() {
        return connection.localName();
    }

    @Override
    public int descriptor() {
        return connection.descriptor();
    }

    @Override
    protected void onAuthenticated() {
        decoder.setLimits(isAuthenticated() ? RespLimits.AUTHENTICATED : RespLimits.UNAUTHENTICATED);
    }
}
