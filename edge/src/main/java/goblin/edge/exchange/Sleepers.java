// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.linux.Pages;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Which loops sleep, and how they are woken. A loop marks itself, fences, then looks at its rings; a sender writes,
 * fences, then looks at the mark: one of them sees the other.
 */
final class Sleepers implements AutoCloseable {
    private static final int STRIDE = 128;
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;

    private final Runnable[] wakers;
    private final long address;
    private final UnsafeBuffer buffer;

    Sleepers(final int loops) {
        wakers = new Runnable[loops];
        address = Pages.map((long) loops * STRIDE);
        buffer = new UnsafeBuffer(address, loops * STRIDE);
    }

    /** How a loop is woken, from any thread. Before the loops run. */
    void bind(final int loop, final Runnable waker) {
        wakers[loop] = waker;
    }

    /** The loop will sleep, unless it finds something now. */
    void fallAsleep(final int loop) {
        buffer.putIntOpaque(loop * STRIDE, ASLEEP);
        VarHandle.fullFence();
    }

    void awake(final int loop) {
        buffer.putIntOpaque(loop * STRIDE, AWAKE);
    }

    /**
     * Wakes those that sleep. What they are to see was written before.
     *
     * @param loops mask of the loops written to
     * @return how many were woken
     */
    int wake(final long loops) {
        VarHandle.fullFence();
        int woken = 0;
        for (long left = loops; left != 0; left &= left - 1) {
            final int loop = Long.numberOfTrailingZeros(left);
            // Who takes the mark away wakes; a burst costs one call.
            if (buffer.getIntOpaque(loop * STRIDE) == ASLEEP && buffer.compareAndSetInt(loop * STRIDE, ASLEEP, AWAKE)) {
                wakers[loop].run();
                woken++;
            }
        }
        return woken;
    }

    @Override
    public void close() {
        Pages.unmap(address, (long) wakers.length * STRIDE);
    }
}
