// SPDX-License-Identifier: Apache-2.0
package goblin.net.epoll;

import goblin.net.Endpoint;
import goblin.net.LentSegment;
import goblin.net.SegmentQueue;
import goblin.net.TransportCounter;
import goblin.net.linux.Errno;
import goblin.net.socket.PollEvents;
import goblin.net.socket.SocketConnection;
import goblin.net.socket.SocketCore;

/**
 * A kernel socket, registered once for all edges. What the edges said is kept in flags: {@code readable} until a receive
 * shows that nothing is left.
 */
final class EpollConnection extends SocketConnection {
    private static final int READABLE = PollEvents.IN | PollEvents.RDHUP | PollEvents.HUP | PollEvents.ERR;

    private final EpollTransport transport;

    /** A receive may find bytes, the end of the stream or an error. */
    private boolean readable;

    private boolean starved;
    /** Received when the handler paused, and not delivered yet. */
    private final SegmentQueue kept = new SegmentQueue();
    /** Bytes of the last receive that are still in the window. */
    private long undelivered;
    /** Null until something is expected. */
    private Placement placement;

    EpollConnection(
            final EpollTransport transport,
            final SocketCore core,
            final int descriptor,
            final Endpoint remote,
            final Endpoint local) {
        super(core, descriptor, remote, local);
        this.transport = transport;
    }

    // ---- placing

    @Override
    public void expect(final int headerBytes, final int payloadBytes) {
        if (placement == null) {
            if (payloadBytes == 0 || !isOpen() || !Placement.isPossible(transport.arena)) {
                return;
            }
            placement = new Placement(transport.arena);
        }
        if (undelivered > 0 || !kept.isEmpty() || !isOpen()) {
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

    // ---- receiving

    @Override
    public void onEvents(final int events) {
        if ((events & READABLE) != 0) {
            readable = true;
        }
        super.onEvents(events);
    }

    /** Memory came back to the arena; returns whether this connection is still interested. */
    boolean feed() {
        starved = false;
        return queueIfReady();
    }

    @Override
    protected void receivingChanged() {
        if (isFinishing()) {
            // Not knowing whether input is unread: a receive tells.
            readable = true;
        }
    }

    @Override
    protected boolean wantsReceive() {
        return !kept.isEmpty() || (readable && !endDelivered() && !starved);
    }

    @Override
    protected void receive() {
        if (!kept.isEmpty()) {
            deliverKept();
            return;
        }
        final ReceiveWindow window = transport.window;
        final boolean placed = placement != null && placement.isActive();
        if (window.fill() == 0 && !(placed && placement.hasPartial())) {
            starved = true;
            transport.starve(this);
            return;
        }
        final long bytes =
                placed ? placement.receive(window, core.calls, descriptor) : window.receive(core.calls, descriptor);
        core.count(TransportCounter.RECEIVES, 1);
        if (bytes > 0) {
            // A short receive emptied the socket; the next byte is a new edge. After RDHUP no edge follows: read on.
            readable = bytes == window.asked() || endReported();
            core.count(TransportCounter.RECEIVED_BYTES, bytes);
            received();
            lendAll(bytes, placed);
            delivered();
            return;
        }
        readable = false;
        if (bytes == 0) {
            cancelPlacement();
            deliverEnd();
        } else if (bytes != -Errno.EAGAIN) {
            fail((int) -bytes);
        }
    }

    /** What is not lent when the connection ends stays in the window, to be overwritten. */
    private void lendAll(final long bytes, final boolean placed) {
        final ReceiveWindow window = transport.window;
        undelivered = bytes;
        while (undelivered > 0 && isOpen()) {
            final LentSegment lent;
            if (placed) {
                lent = placement.lend(window, undelivered);
                if (placement.hasPartial()) {
                    transport.keepsPartlyFilled();
                }
            } else {
                lent = window.lend(undelivered);
                core.count(TransportCounter.COPIED_BYTES, window.copied());
            }
            undelivered -= lent.length();
            core.count(TransportCounter.RECEIVED_SEGMENTS, 1);
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

    @Override
    protected void forgetInput() {
        kept.releaseAll();
        cancelPlacement();
    }

    @Override
    protected boolean wantsDrain() {
        return readable;
    }

    @Override
    protected void drain() {
        final long bytes = core.calls.receive(descriptor, transport.dropBuffer, EpollTransport.DROP_BUFFER_BYTES);
        core.count(TransportCounter.RECEIVES, 1);
        if (bytes > 0) {
            readable = bytes == EpollTransport.DROP_BUFFER_BYTES || endReported();
        } else if (bytes == -Errno.EAGAIN) {
            readable = false;
        } else {
            close();
        }
    }
}
