// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

/** Messages that wait for room in their ring, in order. Grows as needed; owned by the sender. */
final class Spill {
    private static final int LONGS = 5;
    private static final int FIRST_MESSAGES = 64;
    private static final int MOST_KEPT_MESSAGES = 16 * 1024;

    private long[] longs = new long[FIRST_MESSAGES * LONGS];
    private int mask = FIRST_MESSAGES - 1;
    private long head;
    private long tail;

    boolean isEmpty() {
        return head == tail;
    }

    void add(final int type, final long first, final long address, final int a, final int b, final int c, final int d) {
        if (tail - head > mask) {
            grow();
        }
        final int at = at(tail);
        longs[at] = type;
        longs[at + 1] = first;
        longs[at + 2] = address;
        longs[at + 3] = pack(a, b);
        longs[at + 4] = pack(c, d);
        tail++;
    }

    /** Of the first message; the spill is not empty. */
    int type() {
        return (int) longs[at(head)];
    }

    long first() {
        return longs[at(head) + 1];
    }

    long address() {
        return longs[at(head) + 2];
    }

    int a() {
        return (int) (longs[at(head) + 3] >>> Integer.SIZE);
    }

    int b() {
        return (int) longs[at(head) + 3];
    }

    int c() {
        return (int) (longs[at(head) + 4] >>> Integer.SIZE);
    }

    int d() {
        return (int) longs[at(head) + 4];
    }

    void remove() {
        head++;
        if (head == tail && mask >= MOST_KEPT_MESSAGES) {
            longs = new long[FIRST_MESSAGES * LONGS];
            mask = FIRST_MESSAGES - 1;
        }
    }

    private static long pack(final int high, final int low) {
        return ((long) high << Integer.SIZE) | (low & 0xFFFF_FFFFL);
    }

    private int at(final long position) {
        return ((int) position & mask) * LONGS;
    }

    private void grow() {
        final int messages = mask + 1;
        final long[] more = new long[longs.length * 2];
        for (int i = 0; i < messages; i++) {
            System.arraycopy(longs, at(head + i), more, i * LONGS, LONGS);
        }
        longs = more;
        mask = messages * 2 - 1;
        tail -= head;
        head = 0;
    }
}
