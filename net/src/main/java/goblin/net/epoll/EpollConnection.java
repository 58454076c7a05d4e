// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.Iovec;
import goblin.net.LentSegment;
import goblin.net.SegmentQueue;
import goblin.net.Timer;
import goblin.net.TransportCounter;
import goblin.net.linux.Errno;

/**
 * A kernel socket, registered once for all edges. What the edges said is kept in flags: {@code readable} until a receive
 * shows that nothing is left, {@code blocked} from a short send until the kernel reports room.
 */
final class EpollConnection extends Pollable implements Connection {
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

    /** A receive may find bytes, the end of the stream or an error. */
    private boolean readable;
    /** The kernel reported RDHUP or HUP: a short receive does not mean that nothing is left. */
    private boolean peerEnded;
    /** The kernel reported ERR. */
    private boolean errored;

    private boolean paused;
    private boolean starved;
    private boolean endDelivered;
    private boolean pausedEndDelivered;
    private long resumedTurn;
    /** Received when the handler paused, and not delivered yet. */
    private final SegmentQueue kept = new SegmentQueue();
    /** Bytes of the last receive that are still in the window. */
    private long undelivered;
    /** Null until something is expected. */
    private Placement placement;

    /** A send took less than it was given, and the handler waits for room. */
    private boolean blocked;
    /** There is room again: {@code onWritable} is due. */
    private boolean writable;

    private boolean sendShut;
    private boolean sentSinceReceive;
    /** In the transport's list of connections that may need an acknowledgement of their own. */
    boolean inQuickAckList;

    EpollConnection(final EpollTransport transport, final int descriptor, final Endpoint remote, final Endpoint local) {
        super(transport, descriptor);
        this.remote = remote;
        this.local = local;
        tcp = remote instanceof Endpoint.Tcp;
    }

    /** An outgoing connection whose handler is told when it is established, or that it failed with {@code errno}. */
    void connecting(final ConnectionHandler handler, final int errno) {
        this.handler = handler;
        connecting = true;
        if (errno != 0) {
            fail(errno);
        }
    }

    void handler(final ConnectionHandler handler) {
        this.handler = handler;
    }

    boolean isTcp() {
        return tcp;
    }

    // ---- sending

    @Override
    public long send(final long address, final long length) {
        if (!maySend()) {
            return connecting && open ? waitForConnection() : CLOSED;
        }
        return sent(transport.calls.send(descriptor, address, Math.min(length, MAX_SEND)), length);
    }

    @Override
    public long sendGathered(final long iovecs, final int count) {
        if (count == 1) {
            return send(Iovec.address(iovecs, 0), Iovec.length(iovecs, 0));
        }
        if (!maySend()) {
            return connecting && open ? waitForConnection() : CLOSED;
        }
        return sent(transport.calls.sendGathered(descriptor, iovecs, count), Iovec.total(iovecs, count));
    }

    @Override
    public long sendHeld(final long iovecs, final int count, final long token) {
        final long taken = sendGathered(iovecs, count);
        if (taken > 0) {
            // The kernel copied: the memory is free, and the callback must not come from inside this call.
            transport.heldTokens.add(this, handler, token);
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
        transport.count(TransportCounter.SENDS, 1);
        if (result > 0) {
            transport.count(TransportCounter.SENT_BYTES, result);
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
        transport.count(TransportCounter.SHORT_SENDS, 1);
        blocked = true;
        if (tryNextTurn) {
            writable = true;
            queueIfReady();
        }
    }

    @Override
    public void expect(final int headerBytes, final int payloadBytes) {
        if (placement == null) {
            if (payloadBytes == 0 || !open || !Placement.isPossible(transport.arena)) {
                return;
            }
            placement = new Placement(transport.arena);
        }
        if (undelivered > 0 || !kept.isEmpty() || !open) {
            // Some of it is there already, wherever that is.
            placement.cancel();
        } else {
            placement.expect(headerBytes, payloadBytes);
        }
    }

    private void cancelPlacement() {
        if (placement != null) {
            placement.cancel();
        }
    }

    void giveUpPartlyFilled() {
        if (placement != null && placement.hasPartial()) {
            placement.cancel();
        }
    }

    @Override
    public void shutdownSend() {
        if (!open || sendShut) {
            return;
        }
        sendShut = true;
        if (!connecting) {
            transport.calls.shutdownSend(descriptor);
        }
    }

    // ---- receiving

    @Override
    public void pauseReceive() {
        paused = true;
        // The peer may have ended already, with data unread: the handler is owed the news.
        queueIfReady();
    }

    @Override
    public void resumeReceive() {
        if (paused) {
            paused = false;
            resumedTurn = transport.turn;
            queueIfReady();
        }
    }

    @Override
    public boolean receivePaused() {
        return paused;
    }

    /** Memory came back to the arena; returns whether this connection is still interested. */
    boolean feed() {
        starved = false;
        queueIfReady();
        return inReadyList;
    }

    void requestQuickAck() {
        inQuickAckList = false;
        if (open && !sentSinceReceive) {
            transport.quickAck(descriptor);
        }
    }

    // ---- events

    @Override
    void onEvents(final int events) {
        if ((events & EpollEvents.ERR) != 0) {
            errored = true;
        }
        if ((events & (EpollEvents.RDHUP | EpollEvents.HUP)) != 0) {
            peerEnded = true;
        }
        if ((events & (EpollEvents.IN | EpollEvents.RDHUP | EpollEvents.HUP | EpollEvents.ERR)) != 0) {
            readable = true;
        }
        if ((events & EpollEvents.OUT) != 0 && (blocked || connecting)) {
            writable = true;
        }
        queueIfReady();
    }

    @Override
    boolean wantsService() {
        if (connecting) {
            return open && (writable || errored);
        }
        if (!open) {
            return finishing && readable;
        }
        if (writable || (errored && (paused || endDelivered))) {
            return true;
        }
        return paused ? owesPausedEnd() : !kept.isEmpty() || (readable && !endDelivered && !starved);
    }

    private boolean owesPausedEnd() {
        return peerEnded && !pausedEndDelivered && !endDelivered;
    }

    @Override
    int serve() {
        if (!wantsService()) {
            return 0;
        }
        if (connecting) {
            return finishConnecting();
        }
        if (finishing) {
            return drainBeforeClose();
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
        } else if (mayDeliver() && !kept.isEmpty()) {
            deliverKept();
        } else if (mayDeliver() && readable && !endDelivered && !starved) {
            receive();
        }
        return 1;
    }

    private int finishConnecting() {
        final int errno = transport.pendingError(descriptor);
        if (errno != 0) {
            fail(errno);
            return 1;
        }
        connecting = false;
        errored = false;
        writable = blocked;
        transport.count(TransportCounter.CONNECTED, 1);
        if (sendShut) {
            transport.calls.shutdownSend(descriptor);
        }
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
        final int errno = transport.pendingError(descriptor);
        if (errno != 0) {
            fail(errno);
        }
    }

    private void receive() {
        final ReceiveWindow window = transport.window;
        final boolean placed = placement != null && placement.isActive();
        if (window.fill() == 0 && !(placed && placement.hasPartial())) {
            starved = true;
            transport.starve(this);
            return;
        }
        final long received = placed
                ? placement.receive(window, transport.calls, descriptor)
                : window.receive(transport.calls, descriptor);
        transport.count(TransportCounter.RECEIVES, 1);
        if (received > 0) {
            // A short receive emptied the socket; the next byte is a new edge. After RDHUP no edge follows: read on.
            readable = received == window.asked() || peerEnded || errored;
            transport.count(TransportCounter.RECEIVED_BYTES, received);
            sentSinceReceive = false;
            lendAll(received, placed);
            if (open && !sentSinceReceive && !inQuickAckList && tcp) {
                transport.quickAckLater(this);
            }
            return;
        }
        readable = false;
        if (received == 0) {
            endDelivered = true;
            cancelPlacement();
            deliverEnd();
        } else if (received != -Errno.EAGAIN) {
            fail((int) -received);
        }
    }

    /** What is not lent when the connection ends stays in the window, to be overwritten. */
    private void lendAll(final long received, final boolean placed) {
        final ReceiveWindow window = transport.window;
        undelivered = received;
        while (undelivered > 0 && open) {
            final LentSegment lent;
            if (placed) {
                lent = placement.lend(window, undelivered);
                if (placement.hasPartial()) {
                    transport.keepsPartlyFilled();
                }
            } else {
                lent = window.lend(undelivered);
                transport.count(TransportCounter.COPIED_BYTES, window.copied());
            }
            undelivered -= lent.length();
            transport.count(TransportCounter.RECEIVED_SEGMENTS, 1);
            if (mayDeliver()) {
                deliver(lent);
            } else {
                kept.add(lent);
            }
        }
        undelivered = 0;
    }

    private void deliverKept() {
        while (mayDeliver() && !kept.isEmpty()) {
            deliver(kept.poll());
        }
    }

    private boolean mayDeliver() {
        return open && !paused && resumedTurn != transport.turn;
    }

    private void deliver(final LentSegment lent) {
        try {
            handler.onReceive(this, lent);
        } catch (final Throwable thrown) {
            handlerFault(thrown);
        } finally {
            lent.release();
        }
    }

    private void forgetInput() {
        kept.releaseAll();
        cancelPlacement();
    }

    // ---- callbacks

    private void deliverWritable() {
        try {
            handler.onWritable(this);
        } catch (final Throwable thrown) {
            handlerFault(thrown);
        }
    }

    private void deliverEnd() {
        try {
            handler.onEndOfStream(this);
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

    void deliverSent(final ConnectionHandler lender, final long token) {
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

    /** Called from the transport's list of failures: now no call of the handler is on the stack. */
    void deliverFailure() {
        final ConnectionHandler told = handler;
        handler = null;
        transport.unregister(this);
        if (told != null) {
            try {
                told.onClosed(this, failure);
            } catch (final Throwable thrown) {
                transport.handlerFault(this + " closed", thrown);
            }
        }
    }

    private void handlerFault(final Throwable thrown) {
        transport.handlerFault(toString(), thrown);
        fail(Errno.ECONNABORTED);
    }

    private void fail(final int errno) {
        if (open) {
            open = false;
            failure = errno;
            forgetInput();
            transport.count(TransportCounter.FAILED, 1);
            transport.failed.add(this);
        }
    }

    // ---- ending

    @Override
    public void close() {
        open = false;
        finishing = false;
        handler = null;
        forgetInput();
        if (linger != null) {
            linger.cancel();
        }
        transport.unregister(this);
    }

    @Override
    public void finish(final long lingerNs) {
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
        // Not knowing whether input is unread: a receive tells.
        readable = true;
        linger = transport.timers.newTimer(this::close);
        linger.arm(transport.nowNs + lingerNs);
        queueIfReady();
    }

    private int drainBeforeClose() {
        final long received =
                transport.calls.receive(descriptor, transport.dropBuffer, EpollTransport.DROP_BUFFER_BYTES);
        transport.count(TransportCounter.RECEIVES, 1);
        if (received > 0) {
            readable = received == EpollTransport.DROP_BUFFER_BYTES || peerEnded || errored;
        } else if (received == -Errno.EAGAIN) {
            readable = false;
        } else {
            close();
        }
        return 1;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    // ---- names

    @Override
    public String peerName() {
        return remote.toString();
    }

    @Override
    public String localName() {
        if (local == null) {
            local = open && !connecting ? transport.ownEndpoint(descriptor, remote) : null;
        }
        return local == null ? "not connected" : local.toString();
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public boolean isLocalPeer() {
        return Addresses.isLocal(remote);
    }

    @Override
    public String toString() {
        return peerName() + " (descriptor " + descriptor + ")";
    }
}
