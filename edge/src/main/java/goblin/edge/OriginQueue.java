// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/** Which loop asked for what was sent to the host, and by which number it knows it; answers come in the same order. */
final class OriginQueue {
    private static final int FIRST_CAPACITY = 64;
    private static final int LOOP_SHIFT = 56;
    private static final long NUMBER_MASK = (1L << LOOP_SHIFT) - 1;

    private long[] ring = new long[FIRST_CAPACITY];
    private long added;
    private long taken;

    /**
     * Appends one.
     *
     * @param loop   0 to 63
     * @param number below 2^56
     */
    void add(final int loop, final long number) {
        if (size() == ring.length) {
            grow();
        }
        ring[(int) added++ & ring.length - 1] = (long) loop << LOOP_SHIFT | number;
    }

    /** Takes the oldest; see {@link #loop} and {@link #number}. There must be one. */
    long take() {
        return ring[(int) taken++ & ring.length - 1];
    }

    static int loop(final long origin) {
        return (int) (origin >>> LOOP_SHIFT);
    }

    static long number(final long origin) {
        return origin & NUMBER_MASK;
    }

    long size() {
        return added - taken;
    }

    private void grow() {
        final long[] more = new long[ring.length * 2];
        for (long each = taken; each < added; each++) {
            more[(int) each & more.length - 1] = ring[(int) each & ring.length - 1];
        }
        ring = more;
    }
}
