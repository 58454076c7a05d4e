// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.SegmentArena;

/**
 * What may become of a loop's receive memory, so that receiving never ends however slow storage is: an eighth of it, and the
 * segment being read, stay free of payload that commands reference; of that half may be kept unread by connections whose
 * data has no place. With so few segments that nothing could be left, all payload is copied and nothing is kept unread.
 *
 * @param windowBytes most bytes of one receive: as asked for, but an eighth of the segments at most, and one at least
 * @param watermark   bytes lent above which payload is copied
 * @param mostPaused  how many connections may keep a window of bytes unread
 */
record ReceiveBudget(int windowBytes, long watermark, long mostPaused) {
    private static final int RESERVED = 8;

    /**
     * Divides it.
     *
     * @param receiveBytes all of it, with small pieces
     * @param segmentBytes of one segment
     * @param windowBytes  of one receive, as asked for
     */
    static ReceiveBudget of(final long receiveBytes, final int segmentBytes, final int windowBytes) {
        final long piece = SegmentArena.strideOf(segmentBytes);
        final long segments = SegmentArena.segmentsOf(receiveBytes, segmentBytes);
        final int mostPieces = Math.clamp(segments / RESERVED, 1, windowBytes / segmentBytes);
        final long kept = mostPieces * piece;
        final long watermark = Math.max(0, segments * piece - receiveBytes / RESERVED - piece);
        // One at least, if a segment is left to receive into then.
        final long paused = Math.max(
                receiveBytes / (2 * RESERVED) / kept,
                watermark + kept <= segments * piece - piece && watermark > 0 ? 1 : 0);
        return new ReceiveBudget(mostPieces * segmentBytes, watermark, paused);
    }

    /** Divides what a loop has. */
    static ReceiveBudget of(final TcpOptions options) {
        return of(
                options.receiveBytes(),
                options.receive().segmentBytes(),
                options.sockets().windowBytes(options.receive().windowBytes()));
    }
}
