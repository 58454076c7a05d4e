// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import java.util.Arrays;

/** Which lengths occur, in ascending order, and how often. */
final class LengthCounts {
    private static final int FIRST_ROOM = 4;

    private int[] lengths = new int[FIRST_ROOM];
    private int[] counts = new int[FIRST_ROOM];
    private int size;

    /** How many different lengths there are. */
    int size() {
        return size;
    }

    /** One of the lengths; a greater index has a greater length. */
    int at(final int index) {
        return lengths[index];
    }

    void add(final int length) {
        final int found = Arrays.binarySearch(lengths, 0, size, length);
        if (found >= 0) {
            counts[found]++;
            return;
        }
        if (size == lengths.length) {
            resize(size * 2);
        }
        final int place = ~found;
        move(place, place + 1);
        lengths[place] = length;
        counts[place] = 1;
        size++;
    }

    /** Takes away a length that was added. */
    void remove(final int length) {
        final int place = Arrays.binarySearch(lengths, 0, size, length);
        if (--counts[place] > 0) {
            return;
        }
        move(place + 1, place);
        size--;
        if (lengths.length > FIRST_ROOM && size < lengths.length / 4) {
            resize(lengths.length / 2);
        }
    }

    private void move(final int from, final int to) {
        System.arraycopy(lengths, from, lengths, to, size - from);
        System.arraycopy(counts, from, counts, to, size - from);
    }

    private void resize(final int room) {
        lengths = Arrays.copyOf(lengths, room);
        counts = Arrays.copyOf(counts, room);
    }
}
