// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Read-write locks over ranges of bytes. A range is cut into units; units share a fixed number of stripes. The stripes of a
 * range are taken in ascending order, so that no two holders wait for each other; a thread that waits holds no other range.
 *
 * <p>Each stripe serves its askers in the order in which they came (a ticket lock; readers next to each other share it), so
 * that nobody starves. Waiting spins, then sleeps for tens of microseconds at a time. Any thread; allocates nothing.
 */
final class RangeLocks {
    /** Stripes of one object. */
    static final int STRIPES = 1024;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);

    // A stripe fills a cache line: the next ticket, the ticket that may read, the ticket that may write.
    private static final int STRIDE = 16;
    private static final int NEXT = 0;
    private static final int READ = 1;
    private static final int WRITE = 2;

    private static final int SPINS = 256;
    private static final long NAP_NS = 20_000;

    private final int[] words = new int[STRIPES * STRIDE];
    private final int unitShift;

    /** Makes locks; {@code unitBytes} is a power of two. */
    RangeLocks(final int unitBytes) {
        if (Integer.bitCount(unitBytes) != 1) {
            throw new IllegalArgumentException("a unit of " + unitBytes + " bytes");
        }
        unitShift = Integer.numberOfTrailingZeros(unitBytes);
    }

    /** Shares a range with other readers; {@code length} is 1 or more. */
    void lockRead(final long offset, final long length) {
        lock(offset, length, false);
    }

    /** Ends {@link #lockRead} of the same range. */
    void unlockRead(final long offset, final long length) {
        unlock(offset, length, false);
    }

    /** Takes a range alone. */
    void lockWrite(final long offset, final long length) {
        lock(offset, length, true);
    }

    /** Ends {@link #lockWrite} of the same range. */
    void unlockWrite(final long offset, final long length) {
        unlock(offset, length, true);
    }

    /**
     * Shares a range if that needs no waiting. It succeeds only where nobody waits either, so that those who wait for their
     * turn are never overtaken. Ended by {@link #unlockRead}, perhaps on another thread.
     */
    boolean tryLockRead(final long offset, final long length) {
        return tryLock(offset, length, false);
    }

    /** Takes a range alone if that needs no waiting, as {@link #tryLockRead}. Ended by {@link #unlockWrite}. */
    boolean tryLockWrite(final long offset, final long length) {
        return tryLock(offset, length, true);
    }

    private boolean tryLock(final long offset, final long length, final boolean alone) {
        final long first = offset >>> unitShift;
        final long units = Math.min(((offset + length - 1) >>> unitShift) - first + 1, STRIPES);
        for (long i = 0; i < units; i++) {
            if (!tryStripe((int) ((first + i) & (STRIPES - 1)) * STRIDE, alone)) {
                unlockStripes(first, i, alone);
                return false;
            }
        }
        return true;
    }

    private boolean tryStripe(final int at, final boolean alone) {
        // Only who is served at once may take a ticket: it cannot be given back unserved.
        final int ticket = (int) WORD.getVolatile(words, at + (alone ? WRITE : READ));
        if (!WORD.compareAndSet(words, at + NEXT, ticket, ticket + 1)) {
            return false;
        }
        if (!alone) {
            WORD.getAndAdd(words, at + READ, 1);
        }
        return true;
    }

    private void lock(final long offset, final long length, final boolean alone) {
        final long first = offset >>> unitShift;
        final long units = ((offset + length - 1) >>> unitShift) - first + 1;
        if (units >= STRIPES) {
            lockStripes(0, STRIPES, alone);
            return;
        }
        final int from = (int) (first & (STRIPES - 1));
        final int end = from + (int) units;
        if (end > STRIPES) {
            lockStripes(0, end - STRIPES, alone);
        }
        lockStripes(from, Math.min(end, STRIPES), alone);
    }

    private void unlock(final long offset, final long length, final boolean alone) {
        final long first = offset >>> unitShift;
        unlockStripes(first, Math.min(((offset + length - 1) >>> unitShift) - first + 1, STRIPES), alone);
    }

    private void unlockStripes(final long first, final long units, final boolean alone) {
        for (long i = 0; i < units; i++) {
            final int at = (int) ((first + i) & (STRIPES - 1)) * STRIDE;
            if (alone) {
                WORD.getAndAdd(words, at + READ, 1);
            }
            WORD.getAndAdd(words, at + WRITE, 1);
        }
    }

    private void lockStripes(final int from, final int end, final boolean alone) {
        for (int stripe = from; stripe < end; stripe++) {
            final int at = stripe * STRIDE;
            final int ticket = (int) WORD.getAndAdd(words, at + NEXT, 1);
            if (alone) {
                await(at + WRITE, ticket);
            } else {
                await(at + READ, ticket);
                WORD.getAndAdd(words, at + READ, 1);
            }
        }
    }

    private void await(final int word, final int ticket) {
        int tries = 0;
        while ((int) WORD.getVolatile(words, word) != ticket) {
            tries++;
            if (tries < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(NAP_NS);
            }
        }
    }
}
