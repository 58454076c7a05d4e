// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Iovec;
import goblin.net.linux.Memory;
import goblin.nvmf.target.RequestVector;

/**
 * Bytes that leave together: a head of its own, perhaps a request's data in place, perhaps a tail of its own. It lives
 * until the stack has taken its last byte.
 */
final class SendRecord {
    /** Room for a header with its digest and padding, and for a termination request. */
    static final int HEAD_BYTES = TermReq.MAX_BYTES;

    private static final int TAIL_BYTES = 40;

    private final long memory = Memory.allocate(HEAD_BYTES + TAIL_BYTES);

    SendRecord next;
    int headBytes;
    int tailBytes;
    /** Whose data is sent between head and tail; null without data. */
    TcpRequest request;

    private long sent;

    void reset() {
        headBytes = 0;
        tailBytes = 0;
        request = null;
        sent = 0;
        next = null;
    }

    long head() {
        return memory;
    }

    long tail() {
        return memory + HEAD_BYTES;
    }

    long left() {
        return headBytes + dataBytes() + tailBytes - sent;
    }

    /** Takes bytes off the front; {@link #left} at most. */
    void sent(final long bytes) {
        sent += bytes;
    }

    /** Writes iovecs for what is left from {@code index} on, as many as fit below {@code max}; returns the next index. */
    int gather(final long iovecs, final int index, final int max) {
        int at = put(iovecs, index, max, memory, headBytes, 0);
        long before = headBytes;
        if (request != null) {
            final RequestVector vector = request.vector();
            for (int i = 0; i < vector.count() && at < max; i++) {
                at = put(iovecs, at, max, vector.address(i), vector.length(i), before);
                before += vector.length(i);
            }
        }
        return at < max ? put(iovecs, at, max, tail(), tailBytes, headBytes + dataBytes()) : at;
    }

    void destroy() {
        Memory.free(memory);
    }

    private long dataBytes() {
        return request == null ? 0 : request.vector().bytes();
    }

    /** One run that begins {@code before} bytes into the record, without what was sent of it. */
    private int put(
            final long iovecs,
            final int index,
            final int max,
            final long address,
            final long length,
            final long before) {
        final long skipped = Math.clamp(sent - before, 0, length);
        if (skipped == length || index == max) {
            return index;
        }
        Iovec.put(iovecs, index, address + skipped, length - skipped);
        return index + 1;
    }
}
