// SPDX-License-Identifier: Apache-2.0
package goblin.testkit;

import goblin.net.ReceiveSegment;
import java.util.concurrent.atomic.AtomicInteger;

/** A piece of a segment of the transport below. The segment is given back when all its pieces were. */
final class HostileSegment implements ReceiveSegment {
    private final Whole whole;
    private final long address;
    private final int length;
    private final AtomicInteger holds = new AtomicInteger(1);

    private HostileSegment(final Whole whole, final long address, final int length) {
        this.whole = whole;
        this.address = address;
        this.length = length;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void retain() {
        if (holds.get() <= 0) {
            throw new IllegalStateException("a segment that was given back cannot be retained");
        }
        holds.incrementAndGet();
    }

    @Override
    public void release() {
        final int left = holds.decrementAndGet();
        if (left < 0) {
            holds.incrementAndGet();
            throw new IllegalStateException("a segment was released more often than retained");
        }
        if (left == 0) {
            whole.release();
        }
    }

    /** A retained segment of the transport below, being cut from its front. */
    static final class Whole {
        private final ReceiveSegment segment;
        private final AtomicInteger holds = new AtomicInteger(1);
        private int cut;

        Whole(final ReceiveSegment segment) {
            this.segment = segment;
            segment.retain();
        }

        int left() {
            return segment.length() - cut;
        }

        HostileSegment cut(final int length) {
            holds.incrementAndGet();
            final HostileSegment piece = new HostileSegment(this, segment.address() + cut, length);
            cut += length;
            return piece;
        }

        void release() {
            if (holds.decrementAndGet() == 0) {
                segment.release();
            }
        }
    }
}
