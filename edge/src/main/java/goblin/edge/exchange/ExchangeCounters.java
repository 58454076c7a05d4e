// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The values of {@link ExchangeCounter}: written by one loop, read by any thread. */
@SuppressWarnings("EnumOrdinal") // an array slot for each counter, never stored or shown by number
final class ExchangeCounters {
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[ExchangeCounter.values().length];

    void increment(final ExchangeCounter counter) {
        VALUE.setOpaque(values, counter.ordinal(), values[counter.ordinal()] + 1);
    }

    long getOpaque(final ExchangeCounter counter) {
        return (long) VALUE.getOpaque(values, counter.ordinal());
    }
}
