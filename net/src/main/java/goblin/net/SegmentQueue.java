// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/**
 * Received segments that wait to be delivered, first in, first out: what a connection keeps while its handler is paused.
 * The queue has the transport's hold on each. Costs no memory of its own; a segment is in one queue at most, and nobody
 * else holds it meanwhile.
 *
 * <p>On the loop's thread.
 */
public final class SegmentQueue {
    private LentSegment head;
    private LentSegment tail;

    /** An empty queue. */
    public SegmentQueue() {}

    /**
     * Appends.
     *
     * @param segment whose only hold is the caller's, and goes to the queue
     */
    public void add(final LentSegment segment) {
        if (tail == null) {
            head = segment;
        } else {
            tail.next = segment;
        }
        tail = segment;
    }

    /**
     * Takes the oldest.
     *
     * @return a segment whose hold is now the caller's, or null when there is none
     */
    public LentSegment poll() {
        final LentSegment oldest = head;
        if (oldest != null) {
            head = oldest.next;
            oldest.next = null;
            if (head == null) {
                tail = null;
            }
        }
        return oldest;
    }

    /**
     * Tells whether nothing waits.
     *
     * @return whether {@link #poll} has nothing
     */
    public boolean isEmpty() {
        return head == null;
    }

    /** Releases everything that waits. */
    public void releaseAll() {
        for (LentSegment segment = poll(); segment != null; segment = poll()) {
            segment.release();
        }
    }
}
