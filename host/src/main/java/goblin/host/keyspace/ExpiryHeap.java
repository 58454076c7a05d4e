// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

import java.util.Arrays;

/** The keys that expire, the next one first: a binary heap that knows where each entry is, so changes cost log n. */
final class ExpiryHeap {
    private Entry[] heap = new Entry[16];
    private int size;

    int size() {
        return size;
    }

    Entry first() {
        return size == 0 ? null : heap[0];
    }

    /** Puts the entry where its {@code expireAtMs} says, or takes it out when that is {@link Entry#NEVER}. */
    void update(final Entry entry) {
        if (entry.expireAtMs == Entry.NEVER) {
            remove(entry);
            return;
        }
        if (entry.heapIndex < 0) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            place(entry, size++);
        }
        final int index = entry.heapIndex;
        up(index);
        if (entry.heapIndex == index) {
            down(index);
        }
    }

    void remove(final Entry entry) {
        final int index = entry.heapIndex;
        if (index < 0) {
            return;
        }
        entry.heapIndex = -1;
        final Entry last = heap[--size];
        heap[size] = null;
        if (last != entry) {
            place(last, index);
            up(index);
            if (last.heapIndex == index) {
                down(index);
            }
        }
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            heap[i].heapIndex = -1;
        }
        heap = new Entry[16];
        size = 0;
    }

    private void place(final Entry entry, final int index) {
        heap[index] = entry;
        entry.heapIndex = index;
    }

    private void up(final int from) {
        int index = from;
        final Entry entry = heap[index];
        while (index > 0) {
            final int parent = (index - 1) >>> 1;
            if (heap[parent].expireAtMs <= entry.expireAtMs) {
                break;
            }
            place(heap[parent], index);
            index = parent;
        }
        place(entry, index);
    }

    private void down(final int from) {
        int index = from;
        final Entry entry = heap[index];
        while (true) {
            int child = 2 * index + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && heap[child + 1].expireAtMs < heap[child].expireAtMs) {
                child++;
            }
            if (entry.expireAtMs <= heap[child].expireAtMs) {
                break;
            }
            place(heap[child], index);
            index = child;
        }
        place(entry, index);
    }
}
