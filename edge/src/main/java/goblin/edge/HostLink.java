// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.Heartbeat;
import goblin.link.LinkDecoder;
import goblin.link.LinkEncoder;
import goblin.link.LinkError;
import goblin.link.LinkHandler;
import goblin.link.LinkLimits;
import goblin.link.LinkRole;
import goblin.link.Release;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.ReceiveSegment;
import goblin.net.SendQueue;
import goblin.net.linux.Errno;
import java.util.Locale;

/**
 * One of the edge's two links to its host: registration, heartbeats, queued output. Any failure ends both links and,
 * with {@code --upstream-loss exit}, the program.
 */
abstract class HostLink implements ConnectionHandler, LinkHandler {
    private final Edge edge;
    private final LinkRole role;
    private Heartbeat heartbeat;
    private final LinkDecoder decoder;
    private final SendQueue queue;
    private Connection connection;
    private boolean registered;
    private boolean dirty;
    private boolean paused;
    private boolean closed;

    HostLink(final Edge edge, final LinkRole role) {
        this.edge = edge;
        this.role = role;
        this.decoder = new LinkDecoder(LinkLimits.MAX_FRAME_BYTES);
        this.queue = new SendQueue(edge.chunks());
    }

    /** Starts connecting. */
    final void open() {
        heartbeat = new Heartbeat(edge.context().linkTimeoutNs(), edge.nowNs());
        connection = edge.transport().connect(edge.context().upstreamEndpoint(), this);
    }

    /** The host accepted this link; called once. */
    abstract void onReady();

    @Override
    public final void onConnected(final Connection established) {
        encoder().preamble(queue);
        encoder()
                .registerEdge(
                        queue,
                        edge.context().edgeId(),
                        edge.all().instance(),
                        role,
                        Release.current().text());
        flush();
    }

    @Override
    public final void onReceive(final Connection from, final ReceiveSegment segment) {
        heartbeat.onBytesReceived(edge.nowNs());
        decoder.onBytes(segment.address(), segment.length(), this);
    }

    @Override
    public final void onWritable(final Connection to) {
        flush();
    }

    @Override
    public final void onEndOfStream(final Connection from) {
        fail("the host closed it");
    }

    @Override
    public final void onClosed(final Connection from, final int errno) {
        fail(registered ? "lost: " + Errno.name(errno) : "cannot be opened: " + Errno.name(errno));
    }

    @Override
    public final boolean onRegistered(final long edgeId, final long instance, final String release) {
        if (registered
                || edgeId != edge.context().edgeId()
                || instance != edge.all().instance()) {
            return onUnexpected("registered");
        }
        registered = true;
        onReady();
        return true;
    }

    @Override
    public final boolean onError(final LinkError error, final String text) {
        fail("refused by the host: " + text + " (" + error + ")");
        return false;
    }

    @Override
    public final boolean onHeartbeat(final long sentNs) {
        heartbeat.onHeartbeat(edge.nowNs());
        return true;
    }

    @Override
    public final boolean onUnexpected(final String message) {
        onMalformed("unexpected message " + message);
        return false;
    }

    @Override
    public final void onMalformed(final String why) {
        if (!closed) {
            encoder().error(queue, LinkError.MALFORMED, why);
            flush();
            fail("broken: " + why);
        }
    }

    /** During a message: whether the host's next one is here already. */
    final boolean moreFollows() {
        return decoder.moreFollows();
    }

    /** Reads nothing more from the host until {@link #resume()}; what was received already is handled. */
    final void pause() {
        if (!closed && !paused) {
            paused = true;
            connection.pauseReceive();
        }
    }

    final void resume() {
        if (!closed && paused) {
            paused = false;
            heartbeat.onBytesReceived(edge.nowNs());
            connection.resumeReceive();
        }
    }

    /** Sends what became due; called a few times a second. */
    final void tick(final long nowNs) {
        if (closed || heartbeat == null) {
            return;
        }
        if (paused) {
            // It is we who do not listen.
            heartbeat.onBytesReceived(nowNs);
        }
        if (registered && heartbeat.due(nowNs)) {
            heartbeat.onSent(nowNs);
            encoder().heartbeat(queue, nowNs);
            flush();
        }
        if (heartbeat.dead(nowNs)) {
            fail("silent for " + heartbeat.silenceNs(nowNs) / Heartbeat.INTERVAL_NS + " s");
        }
    }

    /** Bytes that the host has not taken. */
    final long queuedBytes() {
        return queue.bytes();
    }

    /** Where messages are appended; follow with {@link #markDirty()}. */
    final SendQueue queue() {
        return queue;
    }

    final LinkEncoder encoder() {
        return edge.encoder();
    }

    final Edge edge() {
        return edge;
    }

    final void markDirty() {
        dirty = true;
    }

    /** Sends what the turn queued, in one write where the socket takes it. */
    final void flushTurn() {
        if (dirty) {
            dirty = false;
            flush();
        }
    }

    final void flush() {
        if (!closed && connection != null && !queue.isEmpty()) {
            // A failure is reported through onClosed.
            queue.flush(connection);
        }
    }

    /** Ends the link without a word to the edge. */
    final void close() {
        if (!closed) {
            closed = true;
            decoder.close();
            queue.clear();
            if (connection != null) {
                connection.close();
            }
        }
    }

    final void fail(final String why) {
        if (!closed) {
            close();
            edge.fatal(role.name().toLowerCase(Locale.ROOT) + " link to "
                    + edge.context().upstreamEndpoint() + " " + why);
        }
    }
}
