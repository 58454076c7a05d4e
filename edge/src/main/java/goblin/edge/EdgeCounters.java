// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import java.util.concurrent.atomic.AtomicLongArray;

/** The values of {@link EdgeCounter} of one loop: its thread alone writes them, any thread may read them. */
@SuppressWarnings("EnumOrdinal") // an array slot for each counter, never stored or shown by number
final class EdgeCounters {
    private final AtomicLongArray values = new AtomicLongArray(EdgeCounter.values().length);

    void increment(final EdgeCounter counter) {
        add(counter, 1);
    }

    void add(final EdgeCounter counter, final long amount) {
        final int index = counter.ordinal();
        values.setOpaque(index, values.getPlain(index) + amount);
    }

    /** The value; on other threads than the loop's it may be a little old. */
    long get(final EdgeCounter counter) {
        return values.getOpaque(counter.ordinal());
    }
}
