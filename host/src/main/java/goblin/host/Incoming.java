// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import goblin.link.LinkDetector;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.NativeBuffer;
import goblin.net.ReceiveSegment;

/** A connection on a listener that accepts both RESP and links: its first bytes decide which it is. */
final class Incoming implements ConnectionHandler {
    private final Host host;
    private final LinkDetector detector = new LinkDetector();
    private ConnectionHandler decided;

    Incoming(final Host host) {
        this.host = host;
    }

    @Override
    public void onReceive(final Connection connection, final ReceiveSegment segment) {
        if (decided != null) {
            decided.onReceive(connection, segment);
            return;
        }
        final int decision = detector.offer(segment.address(), segment.length());
        if (decision == LinkDetector.RESP) {
            final Session session = host.newSession(connection);
            decided = session;
            replay(session);
            session.onReceive(connection, segment);
        } else if (decision == LinkDetector.SBE) {
            decided = host.edges().accept(connection);
            final int consumed = detector.consumed();
            if (consumed < segment.length()) {
                decided.onReceive(connection, new Rest(segment, consumed));
            }
        }
    }

    /** A prefix of the preamble that arrived alone belongs to the RESP client. */
    private void replay(final Session session) {
        final int replayed = detector.replayed();
        if (replayed > 0) {
            final NativeBuffer bytes = new NativeBuffer();
            bytes.appendAscii("GOBLINS!".substring(0, replayed));
            session.receive(bytes.address(), bytes.length());
            bytes.free();
        }
    }

    @Override
    public void onEndOfStream(final Connection connection) {
        if (decided == null) {
            connection.close();
        } else {
            decided.onEndOfStream(connection);
        }
    }

    @Override
    public void onPeerEndedWhilePaused(final Connection connection) {
        if (decided != null) {
            decided.onPeerEndedWhilePaused(connection);
        }
    }

    @Override
    public void onWritable(final Connection connection) {
        if (decided != null) {
            decided.onWritable(connection);
        }
    }

    @Override
    public void onSent(final Connection connection, final long token) {
        if (decided != null) {
            decided.onSent(connection, token);
        }
    }

    @Override
    public void onClosed(final Connection connection, final int errno) {
        if (decided != null) {
            decided.onClosed(connection, errno);
        }
    }

    /** What of a segment is behind the preamble. */
    private record Rest(ReceiveSegment whole, int offset) implements ReceiveSegment {
        @Override
        public long address() {
            return whole.address() + offset;
        }

        @Override
        public int length() {
            return whole.length() - offset;
        }

        @Override
        public void retain() {
            whole.retain();
        }

        @Override
        public void release() {
            whole.release();
        }
    }
}
