// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import java.util.Arrays;

/** Connections, in an array that only grows. */
final class QueueList {
    private TcpQueue[] queues = new TcpQueue[16];
    private int size;

    int size() {
        return size;
    }

    TcpQueue get(final int index) {
        return queues[index];
    }

    void add(final TcpQueue queue) {
        if (size == queues.length) {
            queues = Arrays.copyOf(queues, size * 2);
        }
        queues[size++] = queue;
    }

    /** Removes one by moving the last one there, whose new place is told to it. */
    void removeAt(final int index) {
        final TcpQueue moved = queues[--size];
        queues[size] = null;
        if (index < size) {
            queues[index] = moved;
            moved.index = index;
        }
    }

    void clear() {
        Arrays.fill(queues, 0, size, null);
        size = 0;
    }
}
