// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.LentSegment;
import goblin.net.ReceiveSegment;
import goblin.net.linux.Memory;
import goblin.nvmf.target.RequestVector;
import goblin.nvmf.tcp.TcpRequest.Phase;
import java.util.Arrays;

/**
 * Puts received payload into requests' vectors, in place when that is possible: the pieces stay in the segments that the
 * stack lent, which are retained until the request is done. Vectors and references start inline and double when they are
 * exceeded, up to a limit; what becomes of a larger vector says {@link GrownVectors}. When the limit is reached, memory for
 * growth is refused, or too much receive memory is pinned, the payload is copied into what the request has reserved, at its
 * own offset, so that the stream's position stays exact.
 *
 * <p>What makes the copy always possible: a piece is referenced only while, after it, every block reserved still has an
 * entry left.
 *
 * <p>Of data for a medium that wants it aligned, only pieces are referenced that it takes as they lie; what is copied lies as
 * in the data, in memory that begins at a page, and so is aligned wherever the data is.
 *
 * <p>One connection's.
 */
final class ReceiveVectors {
    private final TcpLoop loop;
    private final TcpCounters counters;
    private final GrownVectors grown;
    private final PduVector pdu;
    /** Bytes at the end of the PDU's that were referenced and fill no unit of a medium that wants data aligned. */
    private int loose;

    ReceiveVectors(final TcpLoop loop) {
        this.loop = loop;
        counters = loop.counters();
        grown = loop.grown();
        pdu = new PduVector(grown);
    }

    /** Whether data that lies in one piece in the segment being read will be referenced there by a request without any. */
    boolean referencesInPlace(final TcpRequest request, final long address, final long length) {
        return loop.options().receive().path() != ReceivePath.COPIED
                && !loop.isPinnedTooMuch()
                && isAligned(address | length, request.dataAlignment());
    }

    /** Takes a piece of the PDU's data that belongs to the request. */
    void take(final TcpRequest request, final ReceiveSegment segment, final long address, final int length) {
        counters.add(TcpCounter.PAYLOAD_BYTES, length);
        final int alignment = request.dataAlignment();
        if (alignment == 1 || isCopiedByOrder(request)) {
            takePiece(request, segment, address, length);
        } else {
            takeAligned(request, segment, address, length, alignment);
        }
    }

    /**
     * Takes of a piece what its medium takes as it lies. A piece that ends in the middle of a unit is referenced whole as
     * well: the next may go on where it ends; if it does not, that end is copied.
     */
    private void takeAligned(
            final TcpRequest request,
            final ReceiveSegment segment,
            final long address,
            final int length,
            final int alignment) {
        if (loose > 0 && !pdu.continues(address)) {
            copyLoose(request);
        }
        int head = 0;
        if (loose == 0) {
            head = (int) Math.min(length, -(request.received + pdu.bytes()) & (alignment - 1));
            copyForAlignment(request, address, head);
        }
        if (length == head) {
            return;
        }
        if (loose > 0 || isAligned(address + head, alignment)) {
            takePiece(request, segment, address + head, length - head);
        } else {
            copyForAlignment(request, address + head, length - head);
        }
    }

    /** Copies the end of what was referenced that fills no unit of its medium. */
    private void copyLoose(final TcpRequest request) {
        final int length = loose;
        loose = 0;
        copyForAlignment(request, pdu.cut(length), length);
    }

    private void copyForAlignment(final TcpRequest request, final long address, final int length) {
        if (length > 0) {
            copy(request, address, length);
            counters.add(TcpCounter.COPIED_ALIGNMENT_BYTES, length);
        }
    }

    private static boolean isAligned(final long value, final int alignment) {
        return (value & (alignment - 1)) == 0;
    }

    private void takePiece(
            final TcpRequest request, final ReceiveSegment segment, final long address, final int length) {
        final TcpCounter cause = whyCopy(request, segment, address);
        if (cause == null) {
            pdu.append(address, length);
            if (!pdu.holds(segment)) {
                pdu.hold(segment);
            }
            final int before = loose;
            loose = (int) (request.received + pdu.bytes()) & (request.dataAlignment() - 1);
            counters.add(
                    wasCopied(segment) ? TcpCounter.COPIED_SMALL_BYTES : TcpCounter.IN_PLACE_BYTES,
                    before + length - loose);
        } else {
            if (loose > 0) {
                copyLoose(request);
            }
            copy(request, address, length);
            counters.add(cause, length);
        }
    }

    /** Whether the transport has copied what it received, because it was little. */
    private static boolean wasCopied(final ReceiveSegment segment) {
        return segment instanceof LentSegment lent && lent.isSmall();
    }

    /** The PDU is whole: its data becomes the request's. */
    void accept(final TcpRequest request) {
        if (loose > 0) {
            copyLoose(request);
        }
        final RequestVector vector = request.vector();
        for (int i = 0; i < pdu.count(); i++) {
            if (!vector.append(pdu.address(i), pdu.length(i))) {
                throw new IllegalStateException("a request's vector is full");
            }
        }
        for (int i = 0; i < pdu.segmentCount(); i++) {
            request.segments[request.segmentCount++] = pdu.segment(i);
        }
        request.received += pdu.bytes();
        pdu.clear();
    }

    /** The PDU is damaged, or the connection ends: its data is forgotten. */
    void drop() {
        loose = 0;
        pdu.drop();
    }

    /** Gives back what holds a request's data, and its larger vector if that is not to be kept. */
    void release(final TcpRequest request) {
        final RequestVector vector = request.vector();
        request.needed = Math.max(request.needed, Math.max(vector.count(), request.segmentCount));
        for (int i = 0; i < request.segmentCount; i++) {
            request.segments[i].release();
            request.segments[i] = null;
        }
        request.segmentCount = 0;
        vector.clear();
        if (!vector.isExtended()) {
            return;
        }
        if (grown.retention() == VectorRetention.RELEASE || grown.isTooMuch()) {
            shrink(request);
            grown.countShrunk();
        } else if (request.isDue) {
            decayNow(request);
        }
    }

    /** Halves a request's larger vector that was not needed, now or as soon as it is given up. */
    void decay(final TcpRequest request) {
        if (request.phase == Phase.FREE) {
            decayNow(request);
        } else {
            request.isDue = true;
        }
    }

    private void decayNow(final TcpRequest request) {
        final RequestVector vector = request.vector();
        final int half = GrownVectors.halved(vector.capacity());
        if (vector.isExtended() && request.needed <= half) {
            shrink(request);
            grown.countShrunk();
            final long smaller = half > vector.capacity() ? grown.allocate(half) : 0;
            if (smaller != 0) {
                vector.extend(smaller, half);
            }
        }
        request.needed = 0;
        request.isDue = false;
    }

    /** Bytes of the PDU's data that are here. */
    long pduBytes() {
        return pdu.bytes();
    }

    /** Native memory of the vector of PDUs. */
    long pduNativeBytes() {
        return pdu.nativeBytes();
    }

    /** Lets the vector of PDUs decay. */
    void decay() {
        pdu.decay();
    }

    /** Gives back a request's larger vector; it is empty. */
    void shrink(final TcpRequest request) {
        final int entries = request.vector().capacity();
        grown.free(request.vector().shrink(), entries);
        if (request.segments.length > request.vector().capacity()) {
            request.segments = TcpRequest.NO_SEGMENTS;
        }
    }

    /** Gives all memory back; requests are {@link #shrink}ed before. */
    void destroy() {
        pdu.destroy();
    }

    private boolean isCopiedByOrder(final TcpRequest request) {
        return request.copiesAll || loop.options().receive().path() == ReceivePath.COPIED;
    }

    /** Null when the piece may be referenced in place, and there is an entry for it then. */
    private TcpCounter whyCopy(final TcpRequest request, final ReceiveSegment segment, final long address) {
        if (isCopiedByOrder(request)) {
            return TcpCounter.COPIED_BY_ORDER_BYTES;
        }
        final boolean held = pdu.holds(segment);
        if (!held && loop.isPinnedTooMuch()) {
            return TcpCounter.COPIED_WATERMARK_BYTES;
        }
        // What must be left for the copy of everything that follows.
        final int kept = request.chainBlocks + (request.room == 0 ? 0 : 1);
        final int entries = pdu.continues(address) ? 0 : 1;
        final int forPdu = Math.max(pdu.count() + entries + kept, pdu.segmentCount() + 1);
        final int forRequest = Math.max(
                request.vector().count() + pdu.count() + entries + kept,
                request.segmentCount + pdu.segmentCount() + (held ? 0 : 1));
        if (forPdu > grown.pduLimit() || forRequest > grown.requestLimit()) {
            return TcpCounter.COPIED_LIMIT_BYTES;
        }
        return roomFor(request, forPdu, forRequest) ? null : TcpCounter.COPIED_MEMORY_BYTES;
    }

    private boolean roomFor(final TcpRequest request, final int forPdu, final int forRequest) {
        if (forPdu > pdu.capacity() && !pdu.grow(GrownVectors.grown(pdu.capacity(), forPdu, grown.pduLimit()))) {
            return false;
        }
        final RequestVector vector = request.vector();
        if (forRequest > vector.capacity() && !grow(vector, forRequest)) {
            return false;
        }
        if (request.segments.length < vector.capacity()) {
            // As many as entries: each entry holds at least one segment, and most hold exactly one.
            request.segments = Arrays.copyOf(request.segments, vector.capacity());
        }
        return true;
    }

    private boolean grow(final RequestVector vector, final int needed) {
        final int before = vector.capacity();
        final int entries = GrownVectors.grown(before, needed, grown.requestLimit());
        final long larger = grown.grow(entries);
        if (larger == 0) {
            return false;
        }
        grown.free(vector.extend(larger, entries), before);
        return true;
    }

    private void copy(final TcpRequest request, final long address, final int length) {
        request.copied = true;
        long offset = request.received + pdu.bytes();
        if (request.room != 0) {
            Memory.copy(address, request.room + offset, length);
            pdu.append(request.room + offset, length);
            return;
        }
        final TransferArena arena = request.arena;
        int block = request.chain;
        while (offset >= arena.length(block)) {
            offset -= arena.length(block);
            block = arena.following(block);
        }
        long from = address;
        long left = length;
        while (left > 0) {
            final long part = Math.min(left, arena.length(block) - offset);
            final long to = arena.address(block) + offset;
            Memory.copy(from, to, part);
            pdu.append(to, part);
            from += part;
            left -= part;
            offset = 0;
            block = arena.following(block);
        }
    }
}
