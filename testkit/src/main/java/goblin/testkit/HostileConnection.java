// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Iovec;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Errno;
import java.util.ArrayDeque;

/**
 * One connection of a {@link HostileTransport}. Besides the contract it offers what tests do to it; holding and releasing
 * may be asked for from any thread, everything else on the loop's.
 */
public final class HostileConnection implements Connection {
    private static final long NEVER = Long.MAX_VALUE;

    private final HostileTransport transport;
    private final InnerHandler innerHandler = new InnerHandler();
    private Connection inner;
    private ConnectionHandler handler;
    /** Who gets tokens back, even when {@link #handler} is forgotten. */
    private ConnectionHandler lender;

    private boolean connected;
    private boolean open = true;
    private boolean over;
    private int failure;

    private final ArrayDeque<HostileSegment.Whole> input = new ArrayDeque<>();
    private boolean paused;
    private boolean innerEnded;
    private boolean peerEnded;
    private boolean endDelivered;
    private boolean pausedEndDelivered;
    private long deliverAtTurn;
    private long receivedBytes;
    private long failAfterReceived = NEVER;

    private final HostileOutput output = new HostileOutput();
    private boolean owesWritable;
    private long writableAtTurn;
    private boolean innerBlocked;
    private long flushAtTurn;
    private boolean sendShut;
    private long sentBytes;
    private long failAfterSent = NEVER;
    /** What is done to the inner connection once the output is flushed. */
    private Runnable afterFlush;

    private volatile boolean receiveHeld;
    private volatile boolean sendHeld;

    HostileConnection(final HostileTransport transport, final boolean connected) {
        this.transport = transport;
        this.connected = connected;
    }

    void inner(final Connection connection) {
        inner = connection;
    }

    void handler(final ConnectionHandler chosen) {
        lender = chosen;
        if (open) {
            handler = chosen;
        }
    }

    ConnectionHandler innerHandler() {
        return innerHandler;
    }

    // ---- what tests do

    /** Delivers nothing, the end of the stream included, until {@link #releaseReceive}. */
    public void holdReceive() {
        receiveHeld = true;
    }

    /** Ends {@link #holdReceive}. */
    public void releaseReceive() {
        receiveHeld = false;
        transport.wake();
    }

    /** Takes bytes (up to a bound) but passes none on until {@link #releaseSend}. */
    public void holdSend() {
        sendHeld = true;
    }

    /** Ends {@link #holdSend}. */
    public void releaseSend() {
        sendHeld = false;
        transport.wake();
    }

    /**
     * Lets the connection fail with ECONNRESET when that many bytes were delivered.
     *
     * @param bytes counted from the stream's start; 0 fails in the next turn
     */
    public void failAfterReceived(final long bytes) {
        failAfterReceived = bytes;
    }

    /**
     * Lets the connection fail with ECONNRESET when that many bytes were taken.
     *
     * @param bytes counted from the stream's start; 0 fails in the next turn
     */
    public void failAfterSent(final long bytes) {
        failAfterSent = bytes;
    }

    // ---- sending

    @Override
    public long send(final long address, final long length) {
        final long permitted = permitted(length);
        if (permitted <= 0) {
            return permitted;
        }
        if (mustQueue()) {
            output.copy(address, permitted);
            return took(permitted, permitted, length);
        }
        return took(inner.send(address, permitted), permitted, length);
    }

    @Override
    public long sendGathered(final long iovecs, final int count) {
        long sent = 0;
        for (int i = 0; i < count; i++) {
            final long length = Iovec.length(iovecs, i);
            final long taken = send(Iovec.address(iovecs, i), length);
            if (taken < 0) {
                return sent > 0 ? sent : CLOSED;
            }
            sent += taken;
            if (taken < length) {
                break;
            }
        }
        return sent;
    }

    @Override
    public long sendHeld(final long iovecs, final int count, final long token) {
        final long total = Iovec.total(iovecs, count);
        final long permitted = permitted(total);
        if (permitted <= 0) {
            return permitted;
        }
        final long taken = Math.min(permitted, Math.max(1, output.room()));
        long left = taken;
        for (int i = 0; left > 0; i++) {
            final long part = Math.min(left, Iovec.length(iovecs, i));
            left -= part;
            output.lend(Iovec.address(iovecs, i), part, left == 0, token);
        }
        // Read as late as possible: who changes lent memory early is found out.
        flushAtTurn = Math.max(flushAtTurn, transport.turn + 1 + transport.delay());
        return took(taken, permitted, total);
    }

    /** How much may be taken now: at least 1, or what the send returns instead. */
    private long permitted(final long length) {
        if (!isOpen() || sendShut) {
            return CLOSED;
        }
        if (!connected) {
            oweWritable(NEVER);
            return 0;
        }
        if (sentBytes >= failAfterSent) {
            fail(Errno.ECONNRESET);
            return CLOSED;
        }
        if (transport.blocksByChance()) {
            oweWritable(transport.turn + 1 + transport.delay());
            return 0;
        }
        if (mustQueue() && output.room() == 0) {
            oweWritable(NEVER);
            return 0;
        }
        final long bounded = Math.min(length, failAfterSent - sentBytes);
        final int cut = Mischief.cut(transport.random, transport.mischief.maxSend(), bounded);
        return mustQueue() ? Math.min(cut, output.room()) : cut;
    }

    private boolean mustQueue() {
        return sendHeld || !output.isEmpty();
    }

    private long took(final long taken, final long permitted, final long asked) {
        if (taken < 0) {
            return CLOSED;
        }
        sentBytes += taken;
        if (taken < permitted) {
            innerBlocked = true;
            oweWritable(NEVER);
        } else if (taken < asked) {
            oweWritable(transport.turn + 1 + transport.delay());
        }
        return taken;
    }

    private void oweWritable(final long atTurn) {
        owesWritable = true;
        writableAtTurn = atTurn;
    }

    @Override
    public void expect(final int headerBytes, final int payloadBytes) {
        inner.expect(headerBytes, payloadBytes);
    }

    // ---- receiving

    @Override
    public void pauseReceive() {
        paused = true;
        inner.pauseReceive();
    }

    @Override
    public void resumeReceive() {
        if (paused) {
            paused = false;
            deliverAtTurn = Math.max(deliverAtTurn, transport.turn + 1);
            resumeInner();
        }
    }

    @Override
    public boolean receivePaused() {
        return paused;
    }

    private void resumeInner() {
        // One segment at a time: what is not delivered yet stays with the peer.
        if (open && !paused && input.isEmpty() && !receiveHeld) {
            inner.resumeReceive();
        }
    }

    // ---- a turn

    /** Does one step of everything that is due; returns how much was done. */
    int turn() {
        if (over) {
            return 0;
        }
        int work = flush();
        if (failure != 0) {
            deliverFailure();
            return work + 1;
        }
        if (!open) {
            return work;
        }
        if (failAfterReceived <= receivedBytes || (failAfterSent <= sentBytes && output.isEmpty())) {
            fail(Errno.ECONNRESET);
            return work + 1;
        }
        if (owesWritable && writableAtTurn <= transport.turn && !(mustQueue() && output.room() == 0)) {
            owesWritable = false;
            work++;
            if (!sendShut) {
                guarded(() -> handler.onWritable(this));
            }
        }
        if (open && failure == 0) {
            work += receive();
        }
        if (!over && failure == 0) {
            resumeInner();
        }
        return work + (hasWork() ? 1 : 0);
    }

    /** Whether a later turn has something to do although nothing new happens below. */
    boolean hasWork() {
        if (over) {
            return false;
        }
        if (failure != 0 || (!output.isEmpty() && !sendHeld && !innerBlocked)) {
            return true;
        }
        if (!open) {
            return false;
        }
        return (owesWritable && writableAtTurn != NEVER)
                || (!paused && !receiveHeld && (!input.isEmpty() || (innerEnded && !endDelivered)));
    }

    boolean isOver() {
        return over;
    }

    private int flush() {
        if (sendHeld || innerBlocked || flushAtTurn > transport.turn) {
            return 0;
        }
        long flushed = 0;
        if (!output.isEmpty()) {
            flushed = output.flush(inner, this::giveBack);
            if (flushed == CLOSED) {
                // onClosed follows from below.
                output.clear(this::giveBack);
            }
            innerBlocked = !output.isEmpty();
            if (owesWritable && writableAtTurn == NEVER && !innerBlocked) {
                writableAtTurn = transport.turn + transport.delay();
            }
        }
        if (output.isEmpty() && afterFlush != null) {
            final Runnable last = afterFlush;
            afterFlush = null;
            last.run();
            over = !open;
        }
        return flushed == 0 ? 0 : 1;
    }

    private int receive() {
        if (receiveHeld || deliverAtTurn > transport.turn) {
            return 0;
        }
        if (paused) {
            if ((peerEnded || innerEnded) && !endDelivered && !pausedEndDelivered) {
                pausedEndDelivered = true;
                guarded(() -> handler.onPeerEndedWhilePaused(this));
                return 1;
            }
            return 0;
        }
        if (!input.isEmpty()) {
            deliverPiece();
            return 1;
        }
        if (innerEnded && !endDelivered) {
            endDelivered = true;
            guarded(() -> handler.onEndOfStream(this));
            return 1;
        }
        return 0;
    }

    private void deliverPiece() {
        final HostileSegment.Whole whole = input.peek();
        final long bounded = Math.min(whole.left(), failAfterReceived - receivedBytes);
        final HostileSegment piece =
                whole.cut(Mischief.cut(transport.random, transport.mischief.maxReceive(), bounded));
        receivedBytes += piece.length();
        if (whole.left() == 0) {
            input.poll().release();
        }
        deliverAtTurn = transport.turn + 1 + transport.delay();
        guarded(() -> handler.onReceive(this, piece));
        piece.release();
    }

    private void guarded(final Runnable callback) {
        try {
            callback.run();
        } catch (final Throwable thrown) {
            transport.fault(toString(), thrown);
            fail(Errno.ECONNABORTED);
        }
    }

    private void giveBack(final long token) {
        if (lender != null) {
            lender.onSent(this, token);
        }
    }

    // ---- ending

    @Override
    public void shutdownSend() {
        if (isOpen() && !sendShut) {
            sendShut = true;
            whenFlushed(inner::shutdownSend);
        }
    }

    @Override
    public void close() {
        if (open) {
            forget();
            whenFlushed(inner::close);
        }
    }

    @Override
    public void finish(final long lingerNs) {
        if (open) {
            forget();
            whenFlushed(() -> inner.finish(lingerNs));
        }
    }

    private void whenFlushed(final Runnable action) {
        if (output.isEmpty()) {
            action.run();
            over = !open;
        } else {
            afterFlush = action;
        }
    }

    private void forget() {
        open = false;
        handler = null;
        inner.pauseReceive();
        dropInput();
    }

    private void fail(final int errno) {
        if (open && failure == 0) {
            failure = errno;
            dropInput();
        }
    }

    private void deliverFailure() {
        final ConnectionHandler told = handler;
        open = false;
        handler = null;
        over = true;
        output.clear(this::giveBack);
        inner.close();
        if (told != null) {
            told.onClosed(this, failure);
        }
    }

    /** The transport is closed: nothing is told. */
    void abandon() {
        open = false;
        over = true;
        handler = null;
        dropInput();
        output.clear(token -> {});
    }

    private void dropInput() {
        while (!input.isEmpty()) {
            input.poll().release();
        }
    }

    @Override
    public boolean isOpen() {
        return open && failure == 0 && inner.isOpen();
    }

    @Override
    public String peerName() {
        return inner.peerName();
    }

    @Override
    public String localName() {
        return inner.localName();
    }

    @Override
    public int descriptor() {
        return inner.descriptor();
    }

    @Override
    public boolean isLocalPeer() {
        return inner.isLocalPeer();
    }

    @Override
    public String toString() {
        return "hostile connection to " + peerName();
    }

    /** Hears from the transport below. */
    private final class InnerHandler implements ConnectionHandler {
        @Override
        public void onConnected(final Connection connection) {
            connected = true;
            if (owesWritable) {
                writableAtTurn = transport.turn + transport.delay();
            }
            if (handler != null) {
                handler.onConnected(HostileConnection.this);
            }
        }

        @Override
        public void onReceive(final Connection connection, final ReceiveSegment segment) {
            if (open && failure == 0) {
                input.add(new HostileSegment.Whole(segment));
                inner.pauseReceive();
            }
        }

        @Override
        public void onEndOfStream(final Connection connection) {
            innerEnded = true;
        }

        @Override
        public void onPeerEndedWhilePaused(final Connection connection) {
            peerEnded = true;
        }

        @Override
        public void onWritable(final Connection connection) {
            innerBlocked = false;
            if (owesWritable && writableAtTurn == NEVER) {
                writableAtTurn = transport.turn + transport.delay();
            }
        }

        @Override
        public void onClosed(final Connection connection, final int errno) {
            if (failure == 0) {
                failure = errno;
            }
            dropInput();
            output.clear(HostileConnection.this::giveBack);
            afterFlush = null;
            if (open) {
                deliverFailure();
            } else {
                over = true;
            }
        }
    }
}
