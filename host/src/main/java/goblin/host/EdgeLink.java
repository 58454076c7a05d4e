// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.host.command.Publisher;
import goblin.link.Heartbeat;
import goblin.link.LinkDecoder;
import goblin.link.LinkError;
import goblin.link.LinkHandler;
import goblin.link.LinkRole;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.ReceiveSegment;
import goblin.net.SendQueue;
import goblin.net.linux.Errno;
import goblin.pubsub.Kind;

/**
 * One link of an edge, from its preamble to its end: bytes to messages, messages to the {@link EdgePeer} it belongs to,
 * heartbeats, and reading that stops while its publications are held.
 */
final class EdgeLink implements ConnectionHandler, LinkHandler, Publisher {
    /** An edge that publishes and does not read what it is answered waits from here on. */
    private static final long MOST_ANSWERS_BYTES = 1 << 20;

    private final EdgePeers peers;
    private final Connection connection;
    private final LinkDecoder decoder;
    private final SendQueue queue;
    private final Heartbeat heartbeat;
    private final long openedNs;
    private final Runnable goOn = this::goOn;

    private EdgePeer peer;
    private LinkRole role;
    private boolean waiting;
    private boolean dirty;
    private boolean closed;
    private int holds;
    private boolean answersHeld;
    private long lastHeartbeatNs;

    EdgeLink(final EdgePeers peers, final Connection connection) {
        this.peers = peers;
        this.connection = connection;
        decoder = new LinkDecoder(peers.options().maxFrameBytes());
        queue = new SendQueue(peers.chunks());
        openedNs = peers.nowNs();
        heartbeat = new Heartbeat(peers.options().linkTimeoutNs(), openedNs);
        lastHeartbeatNs = openedNs;
    }

    // --- from the connection

    @Override
    public void onReceive(final Connection from, final ReceiveSegment segment) {
        onBytes(segment.address(), segment.length());
    }

    /** Takes bytes of the link that follow its preamble. */
    void onBytes(final long address, final int length) {
        if (closed || length == 0) {
            return;
        }
        heartbeat.onBytesReceived(peers.nowNs());
        if (peer != null && this == peer.aggregate()) {
            peers.onAlive(peer);
        }
        decoder.onBytes(address, length, this);
        if (decoder.paused() && !closed) {
            connection.pauseReceive();
        }
    }

    @Override
    public void onEndOfStream(final Connection from) {
        peers.end(this, "was closed by the edge");
    }

    @Override
    public void onPeerEndedWhilePaused(final Connection from) {
        // A held publisher link is read to its end first: what it published counts. One that waits has nothing.
        if (waiting) {
            peers.end(this, "was closed by the edge");
        }
    }

    @Override
    public void onWritable(final Connection to) {
        flush();
    }

    @Override
    public void onClosed(final Connection from, final int errno) {
        peers.end(this, "was lost: " + Errno.name(errno));
    }

    // --- from the decoder

    @Override
    public boolean onRegisterEdge(final long edgeId, final long instance, final LinkRole wanted, final String release) {
        if (peer != null || waiting) {
            return onUnexpected("registerEdge");
        }
        role = wanted;
        peers.register(this, edgeId, instance, wanted, release);
        return !waiting;
    }

    @Override
    public boolean onSetInterest(
            final long sequence, final Kind kind, final long weight, final long name, final int nameLength) {
        if (!is(LinkRole.AGGREGATE)) {
            return onUnexpected("setInterest");
        }
        if (weight > Integer.MAX_VALUE) {
            return broken("weight " + weight + " is too large");
        }
        peer.setInterest(sequence, kind, (int) weight, name, nameLength);
        return true;
    }

    @Override
    public boolean onFence(final long sequence) {
        if (!is(LinkRole.AGGREGATE)) {
            return onUnexpected("fence");
        }
        peer.fence(sequence);
        return true;
    }

    @Override
    public boolean onPublish(
            final long sequence,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength) {
        if (!is(LinkRole.PUBLISHER)) {
            return onUnexpected("publish");
        }
        peer.publish(sequence, kind, channel, channelLength, payload, payloadLength);
        if (!answersHeld && queue.bytes() > MOST_ANSWERS_BYTES) {
            answersHeld = true;
            hold();
        }
        return holds == 0;
    }

    @Override
    public boolean onHeartbeat(final long sentNs) {
        if (peer == null) {
            return onUnexpected("heartbeat");
        }
        lastHeartbeatNs = peers.nowNs();
        return true;
    }

    @Override
    public boolean onError(final LinkError error, final String text) {
        peers.end(this, "ended with " + error + ": " + text);
        return true;
    }

    @Override
    public boolean onUnexpected(final String message) {
        return broken("message " + message + " is not expected " + (peer == null ? "before registration" : "here"));
    }

    @Override
    public void onMalformed(final String why) {
        broken(why);
    }

    private boolean broken(final String why) {
        peers.refuse(this, LinkError.MALFORMED, why);
        return true;
    }

    private boolean is(final LinkRole needed) {
        return peer != null && role == needed;
    }

    // --- from the directory

    /** The registration is put off: nothing more is read until it is decided. */
    void await() {
        waiting = true;
    }

    /** The registration is accepted. */
    void registered(final EdgePeer to) {
        peer = to;
        peers.encoder()
                .registered(queue, to.id(), to.instance(), peers.options().release());
        markDirty();
        if (waiting) {
            waiting = false;
            peers.execute(goOn);
        }
    }

    EdgePeer peer() {
        return peer;
    }

    LinkRole role() {
        return role;
    }

    boolean closed() {
        return closed;
    }

    boolean isDirty() {
        return dirty;
    }

    /** Where messages are appended; follow with {@link #markDirty}. */
    SendQueue queue() {
        return queue;
    }

    String peerName() {
        return connection.peerName();
    }

    long sinceHeartbeatNs(final long nowNs) {
        return nowNs - lastHeartbeatNs;
    }

    /** Something is queued: it is sent at the end of the turn. */
    void markDirty() {
        if (!dirty && !closed) {
            dirty = true;
            peers.dirty(this);
        }
    }

    /** Sends what is queued as far as the connection takes it. */
    void flush() {
        dirty = false;
        if (closed || queue.isEmpty()) {
            return;
        }
        // A failure is reported through onClosed.
        if (queue.flush(connection) > 0 && is(LinkRole.AGGREGATE)) {
            peer.onSent();
        }
        if (answersHeld && queue.bytes() <= MOST_ANSWERS_BYTES / 2) {
            answersHeld = false;
            release();
        }
    }

    /** Sends a sign of life when it is time, or at once when asked for. */
    void beat(final long nowNs, final boolean now) {
        if (peer != null && (now || heartbeat.due(nowNs))) {
            heartbeat.onSent(nowNs);
            peers.encoder().heartbeat(queue, nowNs);
            markDirty();
        }
    }

    /** Tells whether nothing came for too long, or no registration since the link was opened. */
    boolean dead(final long nowNs) {
        if (holds > 0) {
            // What it sends is not read: its silence is ours.
            heartbeat.onBytesReceived(nowNs);
        }
        final boolean silent = heartbeat.dead(nowNs);
        final boolean unregistered = peer == null && !waiting;
        return silent || (unregistered && nowNs - openedNs >= peers.options().linkTimeoutNs());
    }

    /** Closes without a word. */
    void close() {
        if (!closed) {
            connection.close();
            forget();
        }
    }

    /** Says why and closes once the peer has had time to read it. */
    void finish(final LinkError error, final String text) {
        if (!closed) {
            peers.encoder().error(queue, error, text);
            queue.flush(connection);
            connection.finish(EdgeOptions.LINGER_NS);
            forget();
        }
    }

    private void forget() {
        closed = true;
        decoder.close();
        queue.clear();
    }

    // --- as a publisher

    @Override
    public void hold() {
        holds++;
        connection.pauseReceive();
    }

    @Override
    public void release() {
        holds--;
        if (holds == 0 && !closed) {
            // Not here: whoever drained may be in the middle of something.
            peers.execute(goOn);
        }
    }

    private void goOn() {
        if (closed || waiting || holds > 0) {
            return;
        }
        decoder.resume(this);
        if (!closed && !decoder.paused()) {
            connection.resumeReceive();
        }
    }
}
