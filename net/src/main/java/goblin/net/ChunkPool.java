// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import goblin.net.linux.Memory;
import java.util.Arrays;

/**
 * What the send queues of one loop share: 16 KiB chunks of native memory, queue entries, and one scratch array of
 * {@code struct iovec}s. An empty queue holds nothing of it.
 */
public final class ChunkPool implements AutoCloseable {
    /** Bytes of a chunk. */
    public static final int CHUNK_BYTES = 16 * 1024;

    /** How many chunks a pool keeps for later when its maker does not say (16 MiB). */
    public static final int DEFAULT_KEPT_CHUNKS = 1024;

    static final int IOVECS = 64;

    private final int keptChunks;
    private long[] chunks = new long[16];
    private int chunkCount;
    private SendPiece pieces;
    private int pieceCount;
    private long iovecs = Memory.allocate(IOVECS * (long) Iovec.BYTES);
    private long lentChunks;

    /** Makes a pool that keeps up to {@link #DEFAULT_KEPT_CHUNKS}. */
    public ChunkPool() {
        this(DEFAULT_KEPT_CHUNKS);
    }

    /**
     * Makes a pool.
     *
     * @param keptChunks how many unused chunks it keeps instead of freeing them, 0 or more
     */
    public ChunkPool(final int keptChunks) {
        this.keptChunks = keptChunks;
    }

    /**
     * Counts the chunks that queues hold.
     *
     * @return 0 when all queues are empty
     */
    public long lentChunks() {
        return lentChunks;
    }

    /** Frees what is kept. The loop's queues must be empty. */
    @Override
    public void close() {
        while (chunkCount > 0) {
            Memory.free(chunks[--chunkCount]);
        }
        Memory.free(iovecs);
        iovecs = 0;
        pieces = null;
        pieceCount = 0;
    }

    long iovecs() {
        return iovecs;
    }

    long takeChunk() {
        lentChunks++;
        return chunkCount > 0 ? chunks[--chunkCount] : Memory.allocate(CHUNK_BYTES);
    }

    void giveChunk(final long chunk) {
        lentChunks--;
        if (chunkCount == keptChunks) {
            Memory.free(chunk);
            return;
        }
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunkCount * 2);
        }
        chunks[chunkCount++] = chunk;
    }

    SendPiece takePiece() {
        final SendPiece piece = pieces;
        if (piece == null) {
            return new SendPiece();
        }
        pieces = piece.next;
        pieceCount--;
        piece.next = null;
        return piece;
    }

    void givePiece(final SendPiece piece) {
        if (pieceCount < 4 * DEFAULT_KEPT_CHUNKS) {
            piece.next = pieces;
            pieces = piece;
            pieceCount++;
        }
    }
}
