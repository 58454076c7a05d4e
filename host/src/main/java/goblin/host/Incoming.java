// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.link.LinkDetector;
import goblin.link.Preamble;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.NativeBuffer;
import goblin.net.ReceiveSegment;

/**
 * An accepted connection until its first bytes decide whether it is a RESP client or the link of an edge. It counts as a
 * client from the start: most are, and some say nothing for a long time.
 */
final class Incoming implements ConnectionHandler {
    private final Host host;
    private final boolean mayBeEdge;
    private final Session session;
    private final LinkDetector detector = new LinkDetector();
    private ConnectionHandler handler;
    private boolean decided;
    private boolean ended;

    /**
     * Begins to look.
     *
     * @param session the client that it probably is; null when no more clients are taken
     */
    Incoming(final Host host, final boolean mayBeEdge, final Session session) {
        this.host = host;
        this.mayBeEdge = mayBeEdge;
        this.session = session;
        this.handler = session;
    }

    @Override
    public void onReceive(final Connection connection, final ReceiveSegment segment) {
        if (!decided) {
            decide(connection, segment);
        } else if (handler != null) {
            handler.onReceive(connection, segment);
        }
    }

    /** One for whom there is no room has had time to show that it is an edge. */
    void expire(final Connection connection) {
        if (session == null && !decided && !ended) {
            ended = true;
            host.refuse(connection);
            connection.close();
        }
    }

    private void decide(final Connection connection, final ReceiveSegment segment) {
        final int decision = detector.offer(segment.address(), segment.length());
        if (decision == LinkDetector.RESP) {
            decided = true;
            if (session == null) {
                host.refuse(connection);
                connection.close();
            } else {
                replay();
                session.onReceive(connection, segment);
            }
        } else if (decision == LinkDetector.SBE) {
            decided = true;
            becomeLink(connection, segment);
        }
    }

    private void becomeLink(final Connection connection, final ReceiveSegment segment) {
        handler = null;
        if (session != null) {
            session.abandon();
        }
        if (mayBeEdge) {
            final EdgeLink link = host.edges().accept(connection);
            handler = link;
            final int consumed = detector.consumed();
            link.onBytes(segment.address() + consumed, segment.length() - consumed);
        } else {
            host.edges()
                    .reject(
                            connection,
                            host.context().enableSbe()
                                    ? "edges are accepted on --trusted-listen, --uds-listen and loopback only"
                                    : "edges are accepted with --enable-sbe only");
        }
    }

    /** A prefix of the preamble that arrived alone belongs to the RESP client. */
    private void replay() {
        final int replayed = detector.replayed();
        if (replayed > 0) {
            final NativeBuffer bytes = new NativeBuffer();
            bytes.appendAscii(Preamble.TEXT.substring(0, replayed));
            session.receive(bytes.address(), bytes.length());
            bytes.free();
        }
    }

    @Override
    public void onEndOfStream(final Connection connection) {
        if (handler == null) {
            ended = true;
            connection.close();
        } else {
            handler.onEndOfStream(connection);
        }
    }

    @Override
    public void onPeerEndedWhilePaused(final Connection connection) {
        if (handler != null) {
            handler.onPeerEndedWhilePaused(connection);
        }
    }

    @Override
    public void onWritable(final Connection connection) {
        if (handler != null) {
            handler.onWritable(connection);
        }
    }

    @Override
    public void onSent(final Connection connection, final long token) {
        if (handler != null) {
            handler.onSent(connection, token);
        }
    }

    @Override
    public void onClosed(final Connection connection, final int errno) {
        ended = true;
        if (handler != null) {
            handler.onClosed(connection, errno);
        }
    }
}
