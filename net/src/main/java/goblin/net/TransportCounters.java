// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** One value for each {@link TransportCounter}. Written by one loop; other threads read values that may be a little old. */
@SuppressWarnings("EnumOrdinal") // an array slot for each counter, never stored or shown by number
public final class TransportCounters {
    private final long[] values = new long[TransportCounter.values().length];

    /** All zero. */
    public TransportCounters() {}

    /**
     * Counts.
     *
     * @param counter which
     * @param howMany 0 or more
     */
    public void add(final TransportCounter counter, final long howMany) {
        values[counter.ordinal()] += howMany;
    }

    /**
     * Reads.
     *
     * @param counter which
     * @return 0 or more
     */
    public long get(final TransportCounter counter) {
        return values[counter.ordinal()];
    }
}
