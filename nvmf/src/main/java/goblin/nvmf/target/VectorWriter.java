// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.linux.Memory;

/**
 * Puts pages that the target makes (Identify structures, log pages) into a request's vector, whatever its pieces.
 *
 * <p>A page is made in parts: each is written into {@link #part()} by absolute puts, then {@link #send} says where in the
 * page it belongs. Only what the host asked for is copied: the window that begins at the offset of {@link #open} and is
 * as long as the vector. What no part covers is zero. Used by one thread at a time; allocates nothing after it was made.
 */
final class VectorWriter implements AutoCloseable {
    /** The longest part. */
    static final int PART_BYTES = 4096;

    private final long part = Memory.allocate(PART_BYTES);
    private RequestVector vector;
    private long from;

    /**
     * Begins a page.
     *
     * @param into   the request's vector; zeroed
     * @param offset the page's first byte that goes there, 0 or more
     */
    void open(final RequestVector into, final long offset) {
        vector = into;
        from = offset;
        for (int i = 0; i < into.count(); i++) {
            Memory.fill(into.address(i), into.length(i), (byte) 0);
        }
        clear();
    }

    /**
     * Where the next part is written.
     *
     * @return address of {@link #PART_BYTES} bytes, zero after {@link #open} and {@link #send}
     */
    long part() {
        return part;
    }

    /**
     * Places the part in the page and begins another.
     *
     * @param at     where its first byte is in the page
     * @param length its bytes, 0 to {@link #PART_BYTES}
     */
    void send(final long at, final int length) {
        final long first = Math.max(at, from);
        final long end = Math.min(at + length, from + vector.bytes());
        if (first < end) {
            scatter(part + (first - at), first - from, end - first);
        }
        clear();
    }

    private void scatter(final long source, final long start, final long length) {
        long read = source;
        long skip = start;
        long left = length;
        for (int i = 0; left > 0; i++) {
            final long room = vector.length(i);
            if (skip >= room) {
                skip -= room;
                continue;
            }
            final long now = Math.min(left, room - skip);
            Memory.copy(read, vector.address(i) + skip, now);
            read += now;
            left -= now;
            skip = 0;
        }
    }

    private void clear() {
        Memory.fill(part, PART_BYTES, (byte) 0);
    }

    @Override
    public void close() {
        Memory.free(part);
    }
}
