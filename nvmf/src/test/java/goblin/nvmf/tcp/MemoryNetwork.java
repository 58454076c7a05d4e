// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.AcceptHandler;
import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.Endpoint;
import goblin.net.Iovec;
import goblin.net.ListenOptions;
import goblin.net.Listener;
import goblin.net.ReceiveSegment;
import goblin.net.Transport;
import goblin.net.TransportCounter;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A network without sockets: what a test sends is delivered piece by piece, one a turn, what the target sends is kept. */
final class MemoryNetwork implements Transport {
    private static final int PAGE = 4096;

    private final List<Wire> wires = new ArrayList<>();
    private long lent;
    private long pretended;
    private boolean placing;
    private int descriptors;

    /** A host connects; the acceptor must take it. */
    Wire connect(final AcceptHandler acceptor) {
        final Wire wire = new Wire(++descriptors);
        wire.handler = acceptor.onAccept(wire);
        wires.add(wire);
        return wire;
    }

    @Override
    public int poll(final long nowNs) {
        int work = 0;
        for (final Wire wire : List.copyOf(wires)) {
            work += wire.poll();
        }
        wires.removeIf(wire -> wire.over);
        return work;
    }

    @Override
    public long lentBytes() {
        return lent + pretended;
    }

    /** Lets the target believe that so much more is lent. */
    void pretendLent(final long bytes) {
        pretended = bytes;
    }

    /**
     * From now on what is expected is placed, and other pieces begin at odd addresses: a piece ends where what is expected
     * ends, and what arrives in several pieces arrives as one stream.
     */
    void place() {
        placing = true;
    }

    @Override
    public long counter(final TransportCounter counter) {
        return 0;
    }

    @Override
    public Listener listen(final Endpoint local, final ListenOptions options, final AcceptHandler acceptor) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Connection connect(final Endpoint remote, final ConnectionHandler handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void await(final long timeoutNs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int adopt(final int descriptor, final Endpoint remote, final Endpoint local, final AcceptHandler handler) {
        throw new UnsupportedOperationException("there are no sockets");
    }

    @Override
    public int wakeDescriptor() {
        throw new UnsupportedOperationException("nothing wakes it but its test");
    }

    @Override
    public void wake() {
        // The test turns the loop.
    }

    @Override
    public void close() {
        wires.clear();
    }

    /** What was said to come. */
    record Expected(int headerBytes, int payloadBytes) {}

    /** How a host's side ends. */
    enum End {
        NONE,
        FIN,
        RESET
    }

    /** One connection; the test is its host. */
    final class Wire implements Connection {
        private final int descriptor;
        private final Deque<byte[]> arriving = new ArrayDeque<>();
        private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
        private ConnectionHandler handler;
        private long room = Long.MAX_VALUE;
        private boolean full;
        private RuntimeException broken;
        private boolean paused;
        private boolean over;
        private End end = End.NONE;
        private boolean endTold;
        private final List<Expected> expected = new ArrayList<>();
        /** What expected bytes lie in, and how many are still to come. */
        private NativeSegment.Run run;

        private long placed;

        private Wire(final int descriptor) {
            this.descriptor = descriptor;
        }

        ConnectionHandler handler() {
            return handler;
        }

        /** Sends bytes as one piece. */
        void arrive(final byte[] bytes) {
            if (bytes.length > 0 && end == End.NONE) {
                arriving.add(bytes);
            }
        }

        /** Whether what the host sends still arrives. */
        boolean isFromHostOpen() {
            return !over && end == End.NONE;
        }

        /** How many bytes each send takes. */
        void room(final long bytes) {
            room = bytes;
        }

        /** Lets each send throw this. */
        void breakSending(final RuntimeException how) {
            broken = how;
        }

        void end(final End how) {
            end = how;
        }

        /** What the target sent since the last call. */
        byte[] takeSent() {
            final byte[] bytes = sent.toByteArray();
            sent.reset();
            return bytes;
        }

        private int poll() {
            if (over) {
                return 0;
            }
            if (full) {
                full = false;
                handler.onWritable(this);
                return 1;
            }
            if (end == End.RESET) {
                over = true;
                handler.onClosed(this, Errno.ECONNRESET);
                return 1;
            }
            if (!paused && !arriving.isEmpty()) {
                final Piece piece = placing ? nextPlaced() : new Piece(arriving.remove());
                handler.onReceive(this, piece);
                piece.release();
                return 1;
            }
            if (end == End.FIN && !endTold) {
                endTold = true;
                if (paused) {
                    handler.onPeerEndedWhilePaused(this);
                } else {
                    handler.onEndOfStream(this);
                }
                return 1;
            }
            return 0;
        }

        @Override
        public long send(final long address, final long length) {
            if (over) {
                return CLOSED;
            }
            final int taken = (int) Math.min(length, room);
            sent.writeBytes(Memory.toBytes(address, taken));
            full = taken < length;
            return taken;
        }

        @Override
        public long sendGathered(final long iovecs, final int count) {
            if (broken != null) {
                throw broken;
            }
            long left = room;
            long taken = 0;
            for (int i = 0; i < count && left > 0; i++) {
                final long length = Math.min(left, Iovec.length(iovecs, i));
                sent.writeBytes(Memory.toBytes(Iovec.address(iovecs, i), (int) length));
                taken += length;
                left -= length;
            }
            full = taken < Iovec.total(iovecs, count);
            return over ? CLOSED : taken;
        }

        @Override
        public long sendHeld(final long iovecs, final int count, final long token) {
            throw new UnsupportedOperationException();
        }

        /** One piece of what arrives, as long as nothing that is expected ends in it. */
        private Piece nextPlaced() {
            final byte[] all = arriving.remove();
            final int length = placed > 0 ? (int) Math.min(placed, all.length) : all.length;
            if (length < all.length) {
                arriving.addFirst(Arrays.copyOfRange(all, length, all.length));
            }
            final NativeSegment.Run into = placed > 0 ? run : NativeSegment.Run.inPage(length, 1);
            final Piece piece = new Piece(new NativeSegment(into, Arrays.copyOf(all, length)));
            placed = Math.max(0, placed - length);
            if (into != run) {
                into.release();
            } else if (placed == 0) {
                endRun();
            }
            return piece;
        }

        /** What was expected since the last call. */
        List<Expected> takeExpected() {
            final List<Expected> all = List.copyOf(expected);
            expected.clear();
            return all;
        }

        @Override
        public void expect(final int headerBytes, final int payloadBytes) {
            expected.add(new Expected(headerBytes, payloadBytes));
            endRun();
            if (placing && payloadBytes > 0) {
                placed = (long) headerBytes + payloadBytes;
                run = NativeSegment.Run.inPage(placed, -headerBytes & PAGE - 1);
            }
        }

        private void endRun() {
            placed = 0;
            if (run != null) {
                run.release();
                run = null;
            }
        }

        @Override
        public void pauseReceive() {
            paused = true;
        }

        @Override
        public void resumeReceive() {
            paused = false;
        }

        @Override
        public boolean receivePaused() {
            return paused;
        }

        @Override
        public void shutdownSend() {
            // What was sent is kept already.
        }

        @Override
        public void close() {
            over = true;
            endRun();
        }

        @Override
        public void finish(final long lingerNs) {
            over = true;
            endRun();
        }

        @Override
        public boolean isOpen() {
            return !over;
        }

        @Override
        public String peerName() {
            return "192.0.2.7:" + (40_000 + descriptor % 10_000);
        }

        @Override
        public String localName() {
            return "192.0.2.1:4420";
        }

        @Override
        public int descriptor() {
            return descriptor;
        }

        @Override
        public boolean isLocalPeer() {
            return false;
        }
    }

    /** Received bytes in memory of exactly their size, overwritten when they are given back. */
    private final class Piece implements ReceiveSegment {
        private final NativeSegment bytes;
        private final int length;
        private int holds = 1;

        Piece(final byte[] content) {
            this(new NativeSegment(content, 0, content.length));
        }

        Piece(final NativeSegment bytes) {
            this.bytes = bytes;
            length = bytes.length();
            lent += length;
        }

        @Override
        public long address() {
            return bytes.address();
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public void retain() {
            bytes.retain();
            holds++;
        }

        @Override
        public void release() {
            holds--;
            if (holds < 0) {
                throw new IllegalStateException("a segment was released more often than retained");
            }
            if (holds == 0) {
                lent -= length;
            }
            bytes.release();
        }
    }
}
