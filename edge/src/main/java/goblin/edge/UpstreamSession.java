// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.Connection;
import goblin.net.ConnectionHandler;
import goblin.net.NativeBuffer;
import goblin.net.ReceiveSegment;
import goblin.net.SendQueue;
import goblin.net.Timer;
import goblin.net.linux.Errno;
import goblin.net.linux.Memory;
import goblin.resp.ReplyScanner;

/**
 * A client's private session at the host. Requests and replies stream through: a reply goes on as it comes, its end is
 * found incrementally, and reading pauses when the client does not drain. Never closed with unread input, because the
 * host's last bytes or its own sockets would suffer a reset.
 */
final class UpstreamSession implements ConnectionHandler {
    /** Unsent request bytes at which the client's reading pauses. */
    private static final long MOST_UNSENT = 256 * 1024;

    private static final long LINGER_NS = 30_000_000_000L;
    private static final byte ERROR = '-';
    private static final byte BULK_ERROR = '!';
    private static final byte PUSH = '>';
    private static final int COLLECTED = ReplySlot.INFO | ReplySlot.SESSION_ID | ReplySlot.MUST_SUCCEED;

    private final Edge edge;
    private final ClientSession client;
    private final SendQueue queue;
    private final ReplyScanner scanner = new ReplyScanner();
    private final NativeBuffer held = new NativeBuffer();
    private final CollectedReply collected = new CollectedReply();
    private Connection connection;
    private boolean endRequested;
    private boolean sendEnded;
    private boolean ended;
    private boolean processing;
    private boolean foreign;
    private boolean dirty;
    private long hostId;
    private Timer lingering;
    private long runAddress;
    private long runLength;

    UpstreamSession(final Edge edge, final ClientSession client) {
        this.edge = edge;
        this.client = client;
        this.queue = new SendQueue(edge.chunks());
    }

    /** Starts connecting. Bytes appended from now on go out once it is established. */
    void open() {
        connection = edge.transport().connect(edge.context().upstreamEndpoint(), this);
    }

    /** Appends request bytes; they leave at the end of the client's turn. */
    void append(final long address, final long length) {
        if (!ended && !sendEnded) {
            queue.append(address, length);
            markDirty();
        }
    }

    /** Appends many request bytes: sent from where they lie as far as the socket takes them. */
    void stream(final long address, final long length) {
        long sent = 0;
        if (!ended && !sendEnded && queue.isEmpty()) {
            sent = Math.max(0, connection.send(address, length));
        }
        append(address + sent, length - sent);
    }

    /** Sends what is queued. */
    void flush() {
        dirty = false;
        if (ended || sendEnded) {
            return;
        }
        if (!queue.isEmpty() && queue.flush(connection) == Connection.CLOSED) {
            return;
        }
        if (queue.isEmpty()) {
            if (endRequested) {
                sendEnded = true;
                connection.shutdownSend();
            }
        }
    }

    /** Too much unsent: the client's requests wait, and it is woken when there is room. */
    boolean isBacklogged() {
        return queue.bytes() > MOST_UNSENT;
    }

    /** Ends our side once everything forwarded is flushed: a blocked command at the host is released. */
    void end() {
        endRequested = true;
        flush();
    }

    /** The client is gone for good: ends our side, and drops what still comes. */
    void abandon() {
        end();
        if (!ended && queue.isEmpty()) {
            ended = true;
            connection.finish(LINGER_NS);
            release();
        }
        // Else onWritable flushes the rest; what comes meanwhile is dropped. The time is bounded.
        if (!ended && lingering == null) {
            lingering = edge.loop().schedule(LINGER_NS, this::close);
        }
    }

    /** Received bytes wait until their place in the client's order comes. */
    boolean holdsReplies() {
        return !held.isEmpty();
    }

    boolean isEnded() {
        return ended;
    }

    ClientSession client() {
        return client;
    }

    /** The id of this session at the host, 0 while unknown. */
    long hostId() {
        return hostId;
    }

    /** Goes on with what was held when the first slot was not a forwarded one, or when the client was full. */
    void resume() {
        if (ended || processing) {
            return;
        }
        if (!held.isEmpty()) {
            processHeld();
        }
        pauseOrResume();
    }

    @Override
    public void onConnected(final Connection established) {
        flush();
    }

    @Override
    public void onReceive(final Connection from, final ReceiveSegment segment) {
        if (held.isEmpty()) {
            final long used = process(segment.address(), segment.length());
            if (used < segment.length() && !ended) {
                held.append(segment.address() + used, segment.length() - used);
            }
        } else {
            held.append(segment.address(), segment.length());
            processHeld();
        }
        pauseOrResume();
    }

    @Override
    public void onWritable(final Connection to) {
        flush();
        if (!isBacklogged()) {
            client.wake();
        }
        if (client.isGone()) {
            abandon();
        }
    }

    @Override
    public void onEndOfStream(final Connection from) {
        lost("the host closed the session");
    }

    @Override
    public void onClosed(final Connection from, final int errno) {
        edge.reportExhaustion(errno);
        lost("host session failed: " + Errno.name(errno));
    }

    /** Frees what it holds; nothing is sent or received any more. */
    void close() {
        if (!ended) {
            ended = true;
            connection.finish(LINGER_NS);
        }
        release();
    }

    /** Bytes the host has not taken. */
    long queuedBytes() {
        return queue.bytes();
    }

    private void release() {
        if (lingering != null) {
            lingering.cancel();
        }
        queue.clear();
        held.free();
        collected.clear();
    }

    private void lost(final String why) {
        if (!ended) {
            ended = true;
            connection.close();
            final boolean cut = scanner.midFrame();
            release();
            client.upstreamLost(this, why, cut);
        }
    }

    private void pauseOrResume() {
        if (ended) {
            return;
        }
        if (!held.isEmpty() || client.output().isBacklogged()) {
            connection.pauseReceive();
        } else {
            held.free();
            connection.resumeReceive();
        }
    }

    private void processHeld() {
        final long used = process(held.address(), held.length());
        if (!ended) {
            held.consume(used);
        }
    }

    /** Handles received bytes as far as the order allows; returns how many were used. */
    private long process(final long address, final long length) {
        if (client.isGone()) {
            return length;
        }
        processing = true;
        long used = 0;
        while (used < length && !ended && !client.output().isBacklogged()) {
            if (!scanner.midFrame() && !begin(address + used)) {
                break;
            }
            final int result = scanner.scan(address + used, length - used);
            if (result == ReplyScanner.MALFORMED) {
                flushRun();
                lost("the host sent a malformed reply");
                break;
            }
            take(address + used, scanner.consumed());
            used += scanner.consumed();
            if (result == ReplyScanner.FRAME) {
                complete();
            }
        }
        flushRun();
        processing = false;
        return ended ? length : used;
    }

    /** Decides whose frame begins here; false when its place in the client's order has not come. */
    private boolean begin(final long address) {
        foreign = Memory.getByte(address) == PUSH;
        final OutputSequencer sequencer = client.sequencer();
        if (foreign) {
            flushRun();
            sequencer.foreignFrame(true);
            return true;
        }
        final ReplySlot slot = sequencer.first();
        if (slot == null) {
            flushRun();
            lost("the host sent what nobody asked for");
            return false;
        }
        if (slot.type != SlotType.FORWARD) {
            return false;
        }
        sequencer.replyBegan();
        return true;
    }

    private void take(final long address, final long length) {
        final ReplySlot slot = foreign ? null : client.sequencer().first();
        if (slot == null || passesThrough(slot)) {
            if (runLength > 0 && runAddress + runLength != address) {
                flushRun();
            }
            if (runLength == 0) {
                runAddress = address;
            }
            runLength += length;
        } else if (slot.has(COLLECTED)) {
            collected.append(address, length);
        }
    }

    private static boolean passesThrough(final ReplySlot slot) {
        return !slot.suppressed && !slot.has(ReplySlot.INTERNAL | ReplySlot.REPLACE | COLLECTED);
    }

    private void flushRun() {
        if (runLength > 0) {
            client.output().appendRun(runAddress, runLength);
            runLength = 0;
        }
    }

    private void complete() {
        final OutputSequencer sequencer = client.sequencer();
        if (foreign) {
            flushRun();
            sequencer.foreignFrame(false);
            client.progressed();
            return;
        }
        final ReplySlot slot = sequencer.first();
        if (slot.next == null || slot.next.type != SlotType.FORWARD || slot.flags != 0) {
            flushRun();
        }
        if (slot.flags != 0 && !completeSpecial(slot)) {
            return;
        }
        sequencer.forwardAnswered();
        client.progressed();
    }

    /** What some replies mean to the edge; false when the session ended over it, or the slot is no longer the host's. */
    private boolean completeSpecial(final ReplySlot slot) {
        final boolean error = scanner.type() == ERROR || scanner.type() == BULK_ERROR;
        if (slot.has(ReplySlot.OPENS_MULTI) && error) {
            client.transaction().refused();
        }
        if (slot.has(ReplySlot.MAY_PUBLISH)) {
            client.fenceDue();
        }
        if (slot.has(ReplySlot.MUST_SUCCEED) && error) {
            lost("the host refused the edge's own set-up: " + collected.firstLine());
            return false;
        }
        if (slot.has(ReplySlot.SESSION_ID)) {
            hostId = collected.integer();
        }
        if (slot.has(ReplySlot.INFO) && !slot.suppressed) {
            collected.writeInfo(client);
            collected.clear();
            return false;
        }
        if (slot.has(ReplySlot.REPLACE) && !slot.suppressed) {
            client.output().appendShared(slot.first);
        }
        collected.clear();
        return true;
    }

    private void markDirty() {
        if (!dirty) {
            dirty = true;
            edge.atTurnEnd().flushAtEnd(this);
        }
    }
}
