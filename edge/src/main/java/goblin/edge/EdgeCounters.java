// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/** The values of {@link EdgeCounter}; owned by the loop's thread. */
@SuppressWarnings("EnumOrdinal") // an array slot for each counter, never stored or shown by number
final class EdgeCounters {
    private final long[] values = new long[EdgeCounter.values().length];

    void increment(final EdgeCounter counter) {
        values[counter.ordinal()]++;
    }

    void add(final EdgeCounter counter, final long amount) {
        values[counter.ordinal()] += amount;
    }

    long get(final EdgeCounter counter) {
        return values[counter.ordinal()];
    }
}
