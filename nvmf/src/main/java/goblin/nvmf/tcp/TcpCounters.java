// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** One value for each {@link TcpCounter}. Written by one loop; other threads read values that may be a little old. */
@SuppressWarnings("EnumOrdinal") // an array slot for each counter, never stored or shown by number
public final class TcpCounters {
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[TcpCounter.values().length];

    /** All zero. */
    TcpCounters() {}

    /** Counts. */
    void add(final TcpCounter counter, final long howMany) {
        set(counter, values[counter.ordinal()] + howMany);
    }

    /** Says how many there are. */
    void set(final TcpCounter counter, final long value) {
        VALUE.setOpaque(values, counter.ordinal(), value);
    }

    /**
     * Reads.
     *
     * @param counter which
     * @return 0 or more
     */
    public long get(final TcpCounter counter) {
        return (long) VALUE.getOpaque(values, counter.ordinal());
    }
}
