// SPDX-License-Identifier: Apache-2.0
package goblin.host.script;

/** The 48-bit linear congruential generator of the C library's {@code lrand48}, the same on every machine. */
final class RandomNumbers {
    private static final long MULTIPLIER = 0x5DEECE66DL;
    private static final long INCREMENT = 0xB;
    private static final long MASK = (1L << 48) - 1;
    private static final int LOWEST_OF_SEED = 0x330E;

    private long state = 0x1234ABCD330EL;

    void seed(final int seed) {
        state = ((seed & 0xFFFFFFFFL) << 16) | LOWEST_OF_SEED;
    }

    /** A number in [0, 1). */
    double next() {
        state = (state * MULTIPLIER + INCREMENT) & MASK;
        return (double) (state >>> 17) % Integer.MAX_VALUE / Integer.MAX_VALUE;
    }
}
