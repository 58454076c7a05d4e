// SPDX-License-Identifier: Apache-2.0
package goblin.net.socket;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.Iovec;
import goblin.net.LentSegment;
import goblin.net.Timer;
import goblin.net.TransportCounter;
import goblin.net.linux.Errno;

/**
 * A kernel socket. What the kernel reported is kept in flags, and acted on when the connection is served: {@code blocked}
 * from a short send until the kernel reports room, the peer's end, an error. How bytes are received is the backend's.
 */
public abstract class SocketConnection extends Pollable implements Connection {
    /** What a connection is watched for, besides bytes. Errors and hang-up are always reported. */
    public static final int EVENTS = PollEvents.OUT | PollEvents.RDHUP;

    /** The kernel takes no more in one call; a longer send is cut here and goes on with the next call. */
    private static final long MAX_SEND = 0x7FFFF000L;

    private final Endpoint remote;
    private Endpoint local;
    private ConnectionHandler handler;

    private final boolean tcp;
    private boolean connecting;
    private boolean open = true;
    private boolean finishing;
    private int failure;
    private Timer linger;

    /** The kernel reported RDHUP or HUP: a short receive does not mean that nothing is left. */
    private boolean peerEnded;
    /** The kernel reported an error. */
    private boolean errored;

    private boolean paused;
    private boolean endDelivered;
    private boolean pausedEndDelivered;
    private long resumedTurn;

    /** A send took less than it was given, and the handler waits for room. */
    private boolean blocked;
    /** There is room again: {@code onWritable} is due. */
    private boolean writable;

    private boolean sendShut;
    private boolean sentSinceReceive;
    /** In the list of connections that may need an acknowledgement of their own. */
    boolean inQuickAckList;

    /**
     * For backends.
     *
     * @param core       what its transport's sockets share
     * @param descriptor the socket, or negative when there is none
     * @param remote     the peer
     * @param local      the own address, or null to ask the kernel when somebody wants to know
     */
    protected SocketConnection(
            final SocketCore core, final int descriptor, final Endpoint remote, final Endpoint local) {
        super(core, descriptor);
        this.remote = remote;
        this.local = local;
        tcp = remote instanceof Endpoint.Tcp;
    }

    /** An outgoing connection whose handler is told when it is established, or that it failed with {@code errno}. */
    final void connecting(final ConnectionHandler handler, final int errno) {
        this.handler = handler;
        connecting = true;
        if (errno != 0) {
            fail(errno);
        }
    }

    final void handler(final ConnectionHandler handler) {
        this.handler = handler;
    }

    final boolean isTcp() {
        return tcp;
    }

    // ---- what a backend does

    /**
     * Tells whether bytes, the end of the stream or an error can be received now. Asked for open connections only.
     *
     * @return whether {@link #receive} has something to do
     */
    protected abstract boolean wantsReceive();

    /** Receives once and delivers it by {@link #deliver}; called when {@link #wantsReceive} and the handler may be called. */
    protected abstract void receive();

    /**
     * Tells whether there is input to drop after {@link #finish}.
     *
     * @return whether {@link #drain} has something to do
     */
    protected abstract boolean wantsDrain();

    /** Drops input once, and closes after the last. */
    protected abstract void drain();

    /** Gives up what was received and not delivered; the handler is gone. */
    protected abstract void forgetInput();

    /** The handler paused, resumed, was told that the connection is established, or is gone: another wish for bytes. */
    protected abstract void receivingChanged();

    // ---- what a backend may know

    /**
     * Tells whether bytes are to be received: established, the handler has not paused and is not gone.
     *
     * @return whether they are; also while bytes are dropped after {@link #finish}
     */
    protected final boolean isReceiving() {
        return open ? !connecting && !paused && !endDelivered : finishing;
    }

    /**
     * Tells whether the handler may be given bytes in this turn.
     *
     * @return false while it paused, in the turn in which it resumed, and when it is gone
     */
    protected final boolean mayDeliver() {
        return open && !paused && resumedTurn != core.turn();
    }

    /**
     * Tells whether the peer's end or an error was reported, after which no further edge comes.
     *
     * @return whether a short receive proves nothing
     */
    protected final boolean endReported() {
        return peerEnded || errored;
    }

    /**
     * Tells whether input is dropped until the peer's end.
     *
     * @return whether {@link #finish} was called
     */
    protected final boolean isFinishing() {
        return finishing;
    }

    /**
     * Tells whether the handler was told of the end of the stream.
     *
     * @return whether it was
     */
    protected final boolean endDelivered() {
        return endDelivered;
    }

    /**
     * Lends a segment to the handler, and releases it.
     *
     * @param lent held by the caller, filled
     */
    protected final void deliver(final LentSegment lent) {
        try {
            handler.onReceive(this, lent);
        } catch (final Throwable thrown) {
            handlerFault(thrown);
        } finally {
            lent.release();
        }
    }

    /** Bytes were received: unless an answer is sent until the next turn, they are acknowledged then. */
    protected final void received() {
        sentSinceReceive = false;
    }

    /** What was received has been delivered; see {@link #received}. */
    protected final void delivered() {
        if (open && !sentSinceReceive && !inQuickAckList && tcp) {
            core.quickAckLater(this);
        }
    }

    /** Tells the handler that the peer ended its side. */
    protected final void deliverEnd() {
        endDelivered = true;
        try {
            handler.onEndOfStream(this);
        } catch (final Throwable thrown) {
            handlerFault(thrown);
        }
    }

    /**
     * The pending error of the socket; reading clears it.
     *
     * @return an error number, or 0
     */
    protected int pendingError() {
        return core.pendingError(descriptor);
    }

    // ---- sending

    @Override
    public final long send(final long address, final long length) {
        if (!maySend()) {
            return connecting && open ? waitForConnection() : CLOSED;
        }
        return sent(core.calls.send(descriptor, address, Math.min(length, MAX_SEND)), length);
    }

    @Override
    public final long sendGathered(final long iovecs, final int count) {
        if (count == 1) {
            return send(Iovec.address(iovecs, 0), Iovec.length(iovecs, 0));
        }
        if (!maySend()) {
            return connecting && open ? waitForConnection() : CLOSED;
        }
        return sent(core.calls.sendGathered(descriptor, iovecs, count), Iovec.total(iovecs, count));
    }

    @Override
    public final long sendHeld(final long iovecs, final int count, final long token) {
        final long taken = sendGathered(iovecs, count);
        if (taken > 0) {
            // The kernel copied: the memory is free, and the callback must not come from inside this call.
            core.held(this, handler, token);
        }
        return taken;
    }

    private boolean maySend() {
        return open && !sendShut && !connecting;
    }

    private long waitForConnection() {
        if (sendShut) {
            return CLOSED;
        }
        blocked = true;
        return 0;
    }

    private long sent(final long result, final long asked) {
        core.count(TransportCounter.SENDS, 1);
        if (result > 0) {
            core.count(TransportCounter.SENT_BYTES, result);
            sentSinceReceive = true;
            if (result < asked) {
                block(result == MAX_SEND);
            }
            return result;
        }
        switch ((int) -result) {
            case 0, Errno.EAGAIN -> block(false);
            // No edge will tell when the system has memory again: try in the next turn.
            case Errno.ENOBUFS, Errno.ENOMEM -> block(true);
            default -> {
                fail((int) -result);
                return CLOSED;
            }
        }
        return 0;
    }

    private void block(final boolean tryNextTurn) {
        core.count(TransportCounter.SHORT_SENDS, 1);
        blocked = true;
        if (tryNextTurn) {
            writable = true;
            queueIfReady();
        }
    }

    @Override
    public final void shutdownSend() {
        if (!open || sendShut) {
            return;
        }
        sendShut = true;
        if (!connecting) {
            core.calls.shutdownSend(descriptor);
        }
    }

    final void requestQuickAck() {
        inQuickAckList = false;
        if (open && !sentSinceReceive) {
            core.quickAck(descriptor);
        }
    }

    // ---- pausing

    @Override
    public final void pauseReceive() {
        paused = true;
        receivingChanged();
        // The peer may have ended already, with data unread: the handler is owed the news.
        queueIfReady();
    }

    @Override
    public final void resumeReceive() {
        if (paused) {
            paused = false;
            resumedTurn = core.turn();
            receivingChanged();
            queueIfReady();
        }
    }

    @Override
    public final boolean receivePaused() {
        return paused;
    }

    // ---- events

    @Override
    public void onEvents(final int events) {
        if ((events & PollEvents.ERR) != 0) {
            errored = true;
        }
        if ((events & (PollEvents.RDHUP | PollEvents.HUP)) != 0) {
            peerEnded = true;
        }
        if ((events & PollEvents.OUT) != 0 && (blocked || connecting)) {
            writable = true;
        }
        queueIfReady();
    }

    @Override
    final boolean wantsService() {
        if (connecting) {
            return open && (writable || errored);
        }
        if (!open) {
            return finishing && wantsDrain();
        }
        if (writable || (errored && (paused || endDelivered))) {
            return true;
        }
        return paused ? owesPausedEnd() : wantsReceive();
    }

    private boolean owesPausedEnd() {
        return peerEnded && !pausedEndDelivered && !endDelivered;
    }

    @Override
    final int serve() {
        if (!wantsService()) {
            return 0;
        }
        if (connecting) {
            return finishConnecting();
        }
        if (finishing) {
            drain();
            return 1;
        }
        if (writable) {
            writable = false;
            blocked = false;
            if (!sendShut) {
                deliverWritable();
            }
        }
        if (open && errored && (paused || endDelivered)) {
            failWithPendingError();
        } else if (open && paused && owesPausedEnd()) {
            pausedEndDelivered = true;
            deliverPausedEnd();
        } else if (mayDeliver() && wantsReceive()) {
            receive();
        }
        return 1;
    }

    private int finishConnecting() {
        final int errno = pendingError();
        if (errno != 0) {
            fail(errno);
            return 1;
        }
        connecting = false;
        errored = false;
        writable = blocked;
        core.count(TransportCounter.CONNECTED, 1);
        if (sendShut) {
            core.calls.shutdownSend(descriptor);
        }
        receivingChanged();
        try {
            handler.onConnected(this);
        } catch (final Throwable thrown) {
            handlerFault(thrown);
        }
        return 1;
    }

    /** Reading would tell the error after the data, but nobody reads. */
    private void failWithPendingError() {
        errored = false;
        final int errno = pendingError();
        if (errno != 0) {
            fail(errno);
        }
    }

    // ---- callbacks

    private void deliverWritable() {
        try {
            handler.onWritable(this);
        } catch (final Throwable thrown) {
            handlerFault(thrown);
        }
    }

    private void deliverPausedEnd() {
        try {
            handler.onPeerEndedWhilePaused(this);
        } catch (final Throwable thrown) {
            handlerFault(thrown);
        }
    }

    final void deliverSent(final ConnectionHandler lender, final long token) {
        // Lent while it was being accepted: the handler came later.
        final ConnectionHandler told = lender == null ? handler : lender;
        if (told == null) {
            return;
        }
        try {
            told.onSent(this, token);
        } catch (final Throwable thrown) {
            handlerFault(thrown);
        }
    }

    /** Called from the list of failures: now no call of the handler is on the stack. */
    final void deliverFailure() {
        final ConnectionHandler told = handler;
        handler = null;
        core.backend.unregister(this);
        if (told != null) {
            try {
                told.onClosed(this, failure);
            } catch (final Throwable thrown) {
                core.handlerFault(this + " closed", thrown);
            }
        }
    }

    private void handlerFault(final Throwable thrown) {
        core.handlerFault(toString(), thrown);
        fail(Errno.ECONNABORTED);
    }

    /**
     * Ends the connection; the handler is told later. Nothing when it is not open.
     *
     * @param errno why
     */
    protected final void fail(final int errno) {
        if (open) {
            open = false;
            failure = errno;
            forgetInput();
            core.count(TransportCounter.FAILED, 1);
            core.failed(this);
        }
    }

    // ---- ending

    @Override
    public final void close() {
        open = false;
        finishing = false;
        handler = null;
        forgetInput();
        if (linger != null) {
            linger.cancel();
        }
        core.backend.unregister(this);
    }

    @Override
    public final void finish(final long lingerNs) {
        if (finishing) {
            return;
        }
        if (!open || connecting) {
            close();
            return;
        }
        shutdownSend();
        open = false;
        finishing = true;
        handler = null;
        forgetInput();
        receivingChanged();
        linger = core.timers.newTimer(this::close);
        linger.arm(core.nowNs + lingerNs);
        queueIfReady();
    }

    @Override
    public final boolean isOpen() {
        return open;
    }

    // ---- names

    @Override
    public final String peerName() {
        return remote.toString();
    }

    @Override
    public final String localName() {
        if (local == null) {
            local = open && !connecting ? core.ownEndpoint(descriptor, remote) : null;
        }
        return local == null ? "not connected" : local.toString();
    }

    @Override
    public final boolean isLocalPeer() {
        return Addresses.isLocal(remote);
    }

    @Override
    public final String toString() {
        return peerName() + " (descriptor " + descriptor + ")";
    }
}
