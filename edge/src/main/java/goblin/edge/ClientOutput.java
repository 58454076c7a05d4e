// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.Connection;
import goblin.net.SendQueue;
import goblin.net.SharedBytes;
import goblin.net.linux.Memory;

/**
 * What is on its way to one client: replies, and messages in a fixed ring.
 *
 * <p>The first message of a loop turn for a client with nothing queued goes to the socket directly, unless its publisher's
 * next command is here already; later ones are gathered and flushed at the end of the turn, or at once when the ring is
 * full ({@link Gathering}). Replies are gathered until the end of the turn. A message that is large for the ring is queued
 * as a reference to one shared frame. The ring is taken when a message must wait, and given back when none does. Only
 * would-block with a full ring is overflow.
 */
final class ClientOutput implements FrameOutput {
    private static final long DIRECT_BYTES = 2048;
    private static final Gathering GATHERING = Gathering.chosen();

    private final Edge edge;
    private final ClientSession client;
    private final Connection connection;
    private final SendQueue queue;
    private long ringAddress;
    private boolean ringRefused;
    private long directTurn = -1;
    private boolean dirty;
    /** The socket took less than there was: it tells when there is room, and asking before is in vain. */
    private boolean blocked;

    private boolean dead;
    private boolean closeWhenFlushed;
    private boolean backlogged;
    private long lastProgressNs;

    ClientOutput(final Edge edge, final ClientSession client, final Connection connection) {
        this.edge = edge;
        this.client = client;
        this.connection = connection;
        this.queue = new SendQueue(edge.chunks());
    }

    @Override
    public void append(final long address, final long length) {
        if (!dead) {
            queue.append(address, length);
            queued();
        }
    }

    @Override
    public void appendInteger(final long value) {
        if (!dead) {
            edge.scratchReply(client.protocol()).integer(value);
            append(edge.scratch().address(), edge.scratch().length());
        }
    }

    @Override
    public void appendShared(final SharedBytes bytes) {
        if (dead) {
            return;
        }
        if (bytes.length() <= DIRECT_BYTES) {
            queue.append(bytes.address(), bytes.length());
        } else {
            queue.appendShared(bytes, 0, bytes.length());
        }
        queued();
    }

    /** Reply bytes that were just received from the host: large runs are sent from where they lie. */
    void appendRun(final long address, final long length) {
        long sent = 0;
        if (!dead && length >= DIRECT_BYTES && queue.isEmpty()) {
            sent = Math.max(0, connection.send(address, length));
        }
        if (sent < length) {
            append(address + sent, length - sent);
        }
    }

    /**
     * Sends or queues one message frame, or overflows.
     *
     * @return false when the client must be cut
     */
    boolean push(final long address, final long length) {
        if (dead) {
            return true;
        }
        final long turn = edge.turn();
        long sent = 0;
        if (queue.isEmpty() && (GATHERING.goesDirectly(directTurn == turn, edge.moreFollows()) || !gathers(turn))) {
            directTurn = turn;
            sent = connection.send(address, length);
            if (sent == length) {
                return true;
            }
            if (sent == Connection.CLOSED) {
                die();
                return true;
            }
        }
        return queueInRing(address + sent, length - sent);
    }

    private boolean queueInRing(final long address, final long length) {
        if (length > edge.context().ringBytes() / Fanout.LARGE_PART_OF_RING) {
            // Long for its channel's or pattern's name: the ring would be full although the client reads.
            if (queue.bytes() > 0 && queue.bytes() + length > edge.context().maxOutputBytes()) {
                return false;
            }
            queue.append(address, length);
            markDirty();
            return true;
        }
        if (!appendToRing(address, length)) {
            flush();
            if (!dead && !appendToRing(address, length)) {
                // Without a ring the socket may still take it now that nothing is before it.
                return ringRefused && queue.isEmpty() && connection.send(address, length) == length;
            }
        }
        markDirty();
        return true;
    }

    private boolean appendToRing(final long address, final long length) {
        return obtainRing(edge.turn()) && queue.appendToRing(address, length);
    }

    private boolean gathers(final long turn) {
        return edge.rings().worthGathering(turn) && obtainRing(turn);
    }

    private boolean obtainRing(final long turn) {
        if (ringAddress == 0) {
            ringAddress = edge.rings().take(turn);
            ringRefused = ringAddress == 0;
            if (!ringRefused) {
                queue.attachRing(ringAddress, edge.context().ringBytes());
            }
        }
        return ringAddress != 0;
    }

    /**
     * Sends or queues a message that is large for the ring: its head, and its payload by reference.
     *
     * @return false when the client must be cut
     */
    boolean pushLarge(final long head, final long headLength, final SharedBytes payload) {
        if (dead) {
            return true;
        }
        if (queue.bytes() > 0
                && queue.bytes() + payload.length() > edge.context().maxOutputBytes()) {
            flush();
            if (!dead
                    && queue.bytes() > 0
                    && queue.bytes() + payload.length() > edge.context().maxOutputBytes()) {
                return false;
            }
        }
        queue.append(head, headLength);
        queue.appendShared(payload, 0, payload.length());
        if (directTurn == edge.turn()) {
            markDirty();
        } else {
            directTurn = edge.turn();
            flush();
        }
        return true;
    }

    @Override
    public void pushHeld(final byte firstByte, final SharedBytes frame, final SharedBytes payload) {
        if (dead) {
            return;
        }
        edge.scratch().clear();
        edge.scratch().append(frame.address(), Math.min(frame.length(), DIRECT_BYTES));
        Memory.putByte(edge.scratch().address(), firstByte);
        queue.append(edge.scratch().address(), edge.scratch().length());
        if (frame.length() > DIRECT_BYTES) {
            queue.appendShared(frame, DIRECT_BYTES, frame.length() - DIRECT_BYTES);
        }
        if (payload != null) {
            queue.appendShared(payload, 0, payload.length());
        }
        markDirty();
    }

    @Override
    public SharedBytes copyOf(final long address, final long length) {
        return edge.copyOf(address, length);
    }

    /** Sends what is queued as far as the socket takes it. */
    void flush() {
        if (dead) {
            return;
        }
        final long sent = queue.isEmpty() ? 0 : queue.flush(connection);
        if (sent == Connection.CLOSED) {
            die();
            return;
        }
        if (sent > 0) {
            lastProgressNs = edge.nowNs();
        }
        blocked = !queue.isEmpty();
        if (queue.ringBytes() == 0) {
            releaseRing();
        }
        if (queue.isEmpty()) {
            if (closeWhenFlushed) {
                client.outputFinished();
                return;
            }
            client.flushed();
        }
        if (backlogged && replyBytes() <= edge.context().maxOutputBytes() / 2) {
            backlogged = false;
            edge.stalls().remove(client);
            client.outputDrained();
        }
    }

    /** The end-of-turn flush of a client that had something queued in the turn. */
    void flushAtTurnEnd() {
        dirty = false;
        if (!blocked) {
            flush();
        }
    }

    @Override
    public void closeWhenFlushed() {
        closeWhenFlushed = true;
        client.closing();
        if (dead) {
            client.outputFinished();
        }
        markDirty();
    }

    ClientSession client() {
        return client;
    }

    /** Replies past the bound: neither the client's requests nor its host session are read. */
    boolean isBacklogged() {
        return backlogged;
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** The socket takes nothing more: output is dropped from now on. */
    boolean isDead() {
        return dead;
    }

    /** Bytes queued. */
    long bytes() {
        return queue.bytes();
    }

    long lastProgressNs() {
        return lastProgressNs;
    }

    /** Whether what did not fit had no ring because the system had no memory for one. */
    boolean isRingRefused() {
        return ringRefused;
    }

    /** Drops everything queued; nothing more is written. */
    void die() {
        dead = true;
        queue.clear();
        releaseRing();
        if (backlogged) {
            backlogged = false;
            edge.stalls().remove(client);
        }
    }

    private void releaseRing() {
        if (ringAddress != 0) {
            queue.detachRing();
            edge.rings().giveBack(ringAddress);
            ringAddress = 0;
        }
    }

    private long replyBytes() {
        return queue.bytes() - queue.ringBytes();
    }

    private void queued() {
        if (!backlogged && replyBytes() > edge.context().maxOutputBytes()) {
            flush();
            if (!dead && replyBytes() > edge.context().maxOutputBytes()) {
                backlogged = true;
                lastProgressNs = edge.nowNs();
                edge.stalls().add(client);
            }
        }
        markDirty();
    }

    private void markDirty() {
        if (!dirty && !dead) {
            dirty = true;
            edge.atTurnEnd().flushAtEnd(this);
        }
    }
}
