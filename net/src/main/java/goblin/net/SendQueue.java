// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import goblin.net.SendPiece.Kind;
import goblin.net.linux.Memory;

/**
 * What a sender keeps of the bytes that one {@link Connection} did not take: first in, first out, whatever their home.
 *
 * <p>Bytes are copied into pooled chunks (large ones into a block of their own), or referred to as
 * {@link SharedBytes}, or copied into a fixed ring the sender attached. An empty queue holds no memory but its ring.
 * The queue has no bound of its own: its owner looks at {@link #bytes} and decides. One loop only.
 */
public final class SendQueue implements ByteSink {
    private final ChunkPool pool;
    private SendPiece head;
    private SendPiece tail;
    private long bytes;

    private long ring;
    private long ringCapacity;
    private long ringStart;
    private long ringBytes;

    /**
     * Makes an empty queue.
     *
     * @param pool the loop's
     */
    public SendQueue(final ChunkPool pool) {
        this.pool = pool;
    }

    /**
     * Tells whether everything was sent.
     *
     * @return true when no byte is queued
     */
    public boolean isEmpty() {
        return bytes == 0;
    }

    /**
     * Counts the queued bytes, shared ones and the ring's included.
     *
     * @return 0 or more
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Counts the bytes in the ring.
     *
     * @return 0 or more, at most the ring's capacity
     */
    public long ringBytes() {
        return ringBytes;
    }

    /**
     * Copies bytes to the end of the queue.
     *
     * @param address first byte; only read during the call
     * @param length  0 or more
     */
    @Override
    public void append(final long address, final long length) {
        if (length <= 0) {
            return;
        }
        final long room = chunkRoom();
        if (length > room + ChunkPool.CHUNK_BYTES) {
            appendExact(address, length);
            return;
        }
        final long first = Math.min(room, length);
        if (first > 0) {
            Memory.copy(address, tail.address + tail.length, first);
            grow(first);
        }
        if (length > first) {
            startChunk();
            Memory.copy(address + first, tail.address, length - first);
            grow(length - first);
        }
    }

    /**
     * Copies bytes of an array to the end of the queue.
     *
     * @param source the array
     * @param offset first element
     * @param length 0 or more
     */
    public void append(final byte[] source, final int offset, final int length) {
        int done = 0;
        while (done < length) {
            if (chunkRoom() == 0) {
                startChunk();
            }
            final int part = (int) Math.min(chunkRoom(), length - done);
            Memory.copyIn(source, offset + done, tail.address + tail.length, part);
            grow(part);
            done += part;
        }
    }

    /**
     * Finds room at the end of the queue to write a small frame in place; {@link #commit} must follow before any other
     * call.
     *
     * @param length 1 to {@link ChunkPool#CHUNK_BYTES}
     * @return address of that many contiguous bytes
     */
    public long reserve(final int length) {
        if (length > ChunkPool.CHUNK_BYTES) {
            throw new IllegalArgumentException("cannot reserve " + length + " bytes in one chunk");
        }
        if (chunkRoom() < length) {
            startChunk();
        }
        return tail.address + tail.length;
    }

    /**
     * Makes the bytes written at {@link #reserve}'s address part of the queue.
     *
     * @param length 0 to the length reserved
     */
    public void commit(final int length) {
        grow(length);
        if (tail.length == 0) {
            // Nothing was written into a chunk taken for it: an empty queue must not hold one.
            removeEmptyTail();
        }
    }

    /**
     * Queues a part of shared bytes; they are retained until they were sent or cleared.
     *
     * @param shared the bytes
     * @param offset first byte of the part
     * @param length bytes of the part, 0 or more
     */
    public void appendShared(final SharedBytes shared, final long offset, final long length) {
        if (length <= 0) {
            return;
        }
        shared.retain();
        final SendPiece piece = add(Kind.SHARED);
        piece.shared = shared;
        piece.address = shared.address() + offset;
        grow(length);
    }

    /**
     * Lends the queue a fixed ring.
     *
     * @param address  first byte
     * @param capacity bytes, at least 1
     */
    public void attachRing(final long address, final long capacity) {
        if (ring != 0) {
            throw new IllegalStateException("a ring is attached already");
        }
        ring = address;
        ringCapacity = capacity;
        ringStart = 0;
    }

    /**
     * Takes the ring back; bytes that are still in it are moved to blocks of their own and keep their place. Does
     * nothing when no ring is attached.
     *
     * @return the ring's address, 0 when there was none
     */
    public long detachRing() {
        for (SendPiece piece = head; piece != null; piece = piece.next) {
            if (piece.kind == Kind.RING) {
                moveOutOfRing(piece);
            }
        }
        final long detached = ring;
        ring = 0;
        ringCapacity = 0;
        return detached;
    }

    /**
     * Tells whether a ring is attached.
     *
     * @return true between {@link #attachRing} and {@link #detachRing}
     */
    public boolean hasRing() {
        return ring != 0;
    }

    /**
     * Copies bytes into the ring, all or nothing.
     *
     * @param address first byte
     * @param length  0 or more
     * @return false when they do not fit or no ring is attached
     */
    public boolean appendToRing(final long address, final long length) {
        if (length > ringCapacity - ringBytes) {
            return false;
        }
        if (length <= 0) {
            return true;
        }
        final long end = wrapped(ringStart + ringBytes);
        final long first = Math.min(length, ringCapacity - end);
        Memory.copy(address, ring + end, first);
        Memory.copy(address + first, ring, length - first);
        if (tail == null || tail.kind != Kind.RING) {
            add(Kind.RING);
        }
        ringBytes += length;
        grow(length);
        return true;
    }

    /**
     * Sends until the connection would block or nothing is left.
     *
     * @param connection where to
     * @return bytes sent, 0 when it would block at once, or {@link Connection#CLOSED} (the queue then still holds what
     *     was not taken; {@link #clear} it)
     */
    public long flush(final Connection connection) {
        long sent = 0;
        while (bytes > 0) {
            final long iovecs = pool.iovecs();
            final int count = gather(iovecs);
            final long gathered = Iovec.total(iovecs, count);
            final long taken = count == 1
                    ? connection.send(Iovec.address(iovecs, 0), gathered)
                    : connection.sendGathered(iovecs, count);
            if (taken < 0) {
                return Connection.CLOSED;
            }
            drop(taken);
            sent += taken;
            if (taken < gathered) {
                break;
            }
        }
        return sent;
    }

    /** Forgets everything queued and gives its memory back; the ring stays attached. */
    public void clear() {
        drop(bytes);
    }

    private int gather(final long iovecs) {
        int count = 0;
        long ringAt = ringStart;
        for (SendPiece piece = head; piece != null && count < ChunkPool.IOVECS; piece = piece.next) {
            if (piece.kind != Kind.RING) {
                Iovec.put(iovecs, count++, piece.address, piece.length);
                continue;
            }
            final long first = Math.min(piece.length, ringCapacity - ringAt);
            Iovec.put(iovecs, count++, ring + ringAt, first);
            if (first < piece.length) {
                if (count == ChunkPool.IOVECS) {
                    break;
                }
                Iovec.put(iovecs, count++, ring, piece.length - first);
            }
            ringAt = wrapped(ringAt + piece.length);
        }
        return count;
    }

    private void drop(final long howMany) {
        bytes -= howMany;
        long left = howMany;
        while (left > 0) {
            final SendPiece piece = head;
            final long part = Math.min(left, piece.length);
            piece.address += part;
            piece.length -= part;
            left -= part;
            if (piece.kind == Kind.RING) {
                ringBytes -= part;
                ringStart = ringBytes == 0 ? 0 : wrapped(ringStart + part);
            }
            if (piece.length == 0) {
                head = piece.next;
                if (head == null) {
                    tail = null;
                }
                recycle(piece);
            }
        }
    }

    private void recycle(final SendPiece piece) {
        switch (piece.kind) {
            case CHUNK -> pool.giveChunk(piece.block);
            case EXACT -> Memory.free(piece.block);
            case SHARED -> piece.shared.release();
            case RING -> {}
        }
        piece.shared = null;
        piece.block = 0;
        pool.givePiece(piece);
    }

    private long chunkRoom() {
        return tail == null || tail.kind != Kind.CHUNK
                ? 0
                : tail.block + ChunkPool.CHUNK_BYTES - tail.address - tail.length;
    }

    private void startChunk() {
        final SendPiece piece = add(Kind.CHUNK);
        piece.block = pool.takeChunk();
        piece.address = piece.block;
    }

    private void appendExact(final long address, final long length) {
        final SendPiece piece = add(Kind.EXACT);
        piece.block = Memory.allocate(length);
        piece.address = piece.block;
        Memory.copy(address, piece.block, length);
        grow(length);
    }

    private void moveOutOfRing(final SendPiece piece) {
        final long first = Math.min(piece.length, ringCapacity - ringStart);
        final long block = Memory.allocate(piece.length);
        Memory.copy(ring + ringStart, block, first);
        Memory.copy(ring, block + first, piece.length - first);
        ringStart = wrapped(ringStart + piece.length);
        ringBytes -= piece.length;
        piece.kind = Kind.EXACT;
        piece.block = block;
        piece.address = block;
    }

    private SendPiece add(final Kind kind) {
        final SendPiece piece = pool.takePiece();
        piece.kind = kind;
        piece.length = 0;
        if (tail == null) {
            head = piece;
        } else {
            tail.next = piece;
        }
        tail = piece;
        return piece;
    }

    private void removeEmptyTail() {
        final SendPiece empty = tail;
        if (head == empty) {
            head = null;
            tail = null;
        } else {
            SendPiece before = head;
            while (before.next != empty) {
                before = before.next;
            }
            before.next = null;
            tail = before;
        }
        recycle(empty);
    }

    private void grow(final long length) {
        tail.length += length;
        bytes += length;
    }

    private long wrapped(final long position) {
        return position >= ringCapacity ? position - ringCapacity : position;
    }
}
