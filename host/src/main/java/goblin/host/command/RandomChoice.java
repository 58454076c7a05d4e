// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.concurrent.ThreadLocalRandom;

/** Chooses positions of a collection by chance. */
final class RandomChoice {
    private RandomChoice() {}

    /** One position of a collection that is not empty. */
    static int one(int size) {
        return ThreadLocalRandom.current().nextInt(size);
    }

    /**
     * Chooses different positions, each set of them equally likely.
     *
     * @param size how many there are
     * @param count how many to choose, 0 … size
     * @return the positions
     */
    static int[] distinct(int size, int count) {
        int[] chosen = new int[count];
        boolean drawRest = count > size / 2;
        int drawn = drawRest ? size - count : count;
        long[] marks = new long[(size + 63) >>> 6];
        for (int i = 0; i < drawn; ) {
            int position = one(size);
            if ((marks[position >>> 6] & (1L << position)) == 0) {
                marks[position >>> 6] |= 1L << position;
                if (!drawRest) {
                    chosen[i] = position;
                }
                i++;
            }
        }
        if (drawRest) {
            int filled = 0;
            for (int position = 0; position < size; position++) {
                if ((marks[position >>> 6] & (1L << position)) == 0) {
                    chosen[filled++] = position;
                }
            }
        }
        return chosen;
    }
}
