// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Iovec;
import goblin.net.ReceiveSegment;
import java.util.Arrays;
import java.util.List;

/**
 * One request and one vector of PDUs as connections have them, made so that their size can be measured: first as they are
 * after data that needed no growth, then as they are after data in many pieces. One thread.
 */
public final class VectorObjects implements AutoCloseable {
    private final GrownVectors grown;
    private final TcpRequest request;
    private final PduVector pdu;

    /**
     * Makes them.
     *
     * @param options how large vectors are
     */
    public VectorObjects(final ReceiveOptions options) {
        grown = new GrownVectors(VectorMemory.HEAP, new TcpCounters(), options, Long.MAX_VALUE);
        request = TcpRequest.make(0, grown.requestEntries());
        pdu = new PduVector(grown);
        hold();
    }

    /**
     * Lets them be as after data in so many pieces, or as many as they may have.
     *
     * @param pieces 1 or more
     */
    public void need(final int pieces) {
        final int before = request.vector().capacity();
        final int entries = GrownVectors.grown(before, pieces, grown.requestLimit());
        if (entries > before) {
            grown.free(request.vector().extend(allocated(entries), entries), before);
        }
        final int forPdu = GrownVectors.grown(pdu.capacity(), pieces, grown.pduLimit());
        if (forPdu > pdu.capacity() && !pdu.grow(forPdu)) {
            throw new OutOfMemoryError("no memory for a vector");
        }
        hold();
    }

    private long allocated(final int entries) {
        final long address = grown.allocate(entries);
        if (address == 0) {
            throw new OutOfMemoryError("no memory for " + (long) entries * Iovec.BYTES + " bytes");
        }
        return address;
    }

    /** As many references to segments as entries, which is what the first data in place makes of a request. */
    private void hold() {
        request.segments = Arrays.copyOf(request.segments, request.vector().capacity(), ReceiveSegment[].class);
    }

    /**
     * What a request is on the Java heap.
     *
     * @return all objects that are its own
     */
    public List<Object> request() {
        return List.of(request, request.vector(), request.segments);
    }

    /**
     * What a request is beside the heap.
     *
     * @return bytes
     */
    public long requestNativeBytes() {
        return request.nativeBytes();
    }

    /**
     * What a vector of PDUs is on the Java heap.
     *
     * @return all objects that are its own
     */
    public List<Object> pdu() {
        return List.of(pdu, pdu.references());
    }

    /**
     * What a vector of PDUs is beside the heap.
     *
     * @return bytes
     */
    public long pduNativeBytes() {
        return pdu.nativeBytes();
    }

    @Override
    public void close() {
        final int entries = request.vector().capacity();
        grown.free(request.vector().shrink(), entries);
        request.destroy();
        pdu.destroy();
    }
}
