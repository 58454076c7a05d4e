// SPDX-License-Identifier: Apache-2.0
package goblin.net.uring;

import goblin.net.Endpoint;
import goblin.net.LentSegment;
import goblin.net.SegmentQueue;
import goblin.net.TransportCounter;
import goblin.net.linux.Errno;
import goblin.net.socket.PollEvents;
import goblin.net.socket.SocketConnection;
import goblin.net.socket.SocketCore;

/**
 * A socket whose bytes the kernel receives by itself, as long as they are wanted. What came is queued when completions are
 * fetched, and delivered when the connection is served.
 */
final class UringConnection extends SocketConnection {
    private final UringTransport transport;
    private final SegmentQueue kept = new SegmentQueue();

    /** The kernel will bring no more: the peer ended its side, or an error. */
    private boolean inputOver;
    /** The error, 0 for the peer's end. */
    private int inputError;
    /** The kernel had no buffer. */
    boolean starved;
    /**
     * The peer's end was reported, and the receive under way may have come to the last byte without noticing the end: of a
     * Unix socket it waits for a change, and there will be none. Begun anew it looks.
     */
    boolean mayMissTheEnd;

    UringConnection(
            final UringTransport transport,
            final SocketCore core,
            final int descriptor,
            final Endpoint remote,
            final Endpoint local) {
        super(core, descriptor, remote, local);
        this.transport = transport;
    }

    @Override
    public void expect(final int headerBytes, final int payloadBytes) {
        // Which segment the next bytes go to is settled: the kernel has them all.
    }

    // ---- what the kernel brings

    /** Whether the kernel is to receive. */
    boolean wantsBytes() {
        return isReceiving() && !inputOver && !starved;
    }

    @Override
    public void onEvents(final int events) {
        super.onEvents(events);
        if (endReported() && !inputOver) {
            mayMissTheEnd = true;
            transport.changed(this);
        }
    }

    /** The kernel filled a buffer. */
    void onBytes(final int number, final int length, final boolean moreIsThere) {
        if (!moreIsThere && endReported()) {
            mayMissTheEnd = true;
            transport.changed(this);
        }
        core.count(TransportCounter.RECEIVES, 1);
        core.count(TransportCounter.RECEIVED_BYTES, length);
        final LentSegment lent = isOpen() ? transport.lend(number, length) : null;
        if (lent == null) {
            transport.provide(number);
            return;
        }
        core.count(TransportCounter.RECEIVED_SEGMENTS, 1);
        kept.add(lent);
        queueIfReady();
    }

    /** The kernel receives no more, with this result. */
    void onReceiveEnded(final int result) {
        switch (-result) {
            case Errno.ENOBUFS -> {
                starved = true;
                transport.starve(this);
            }
            case Errno.ECANCELED, Errno.EAGAIN, Errno.EINTR, Errno.ENOMEM -> {
                // Received again as soon as it is wanted.
            }
            default -> {
                inputOver = true;
                inputError = -result;
                onEvents(result == 0 ? PollEvents.RDHUP : PollEvents.ERR);
            }
        }
    }

    @Override
    protected void receivingChanged() {
        transport.changed(this);
    }

    // ---- delivering

    @Override
    protected boolean wantsReceive() {
        return !kept.isEmpty() || (inputOver && !endDelivered());
    }

    @Override
    protected void receive() {
        if (!kept.isEmpty()) {
            received();
            while (mayDeliver() && !kept.isEmpty()) {
                deliver(kept.poll());
            }
            delivered();
        }
        if (inputOver && kept.isEmpty() && mayDeliver()) {
            if (inputError != 0) {
                fail(inputError);
            } else {
                deliverEnd();
            }
        }
    }

    /** An error that a receive has reported is no longer the socket's. */
    @Override
    protected int pendingError() {
        return inputError != 0 ? inputError : super.pendingError();
    }

    @Override
    protected boolean wantsDrain() {
        return inputOver;
    }

    @Override
    protected void drain() {
        close();
    }

    @Override
    protected void forgetInput() {
        kept.releaseAll();
    }
}
