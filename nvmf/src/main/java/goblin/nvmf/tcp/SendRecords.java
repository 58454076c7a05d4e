// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.Iovec;
import goblin.net.linux.Memory;

/** The records of one loop that nobody uses, and the iovecs that its sends are gathered in. */
final class SendRecords {
    /** Runs of one send. */
    static final int IOVECS = 256;

    private static final int KEPT = 4096;

    private final long iovecs = Memory.allocate((long) IOVECS * Iovec.BYTES);
    private SendRecord free;
    private int freeCount;

    long iovecs() {
        return iovecs;
    }

    SendRecord take() {
        final SendRecord record = free;
        if (record == null) {
            return new SendRecord();
        }
        free = record.next;
        freeCount--;
        record.reset();
        return record;
    }

    void giveBack(final SendRecord record) {
        if (freeCount == KEPT) {
            record.destroy();
            return;
        }
        record.request = null;
        record.next = free;
        free = record;
        freeCount++;
    }

    void destroy() {
        while (free != null) {
            free.destroy();
            free = free.next;
        }
        Memory.free(iovecs);
    }
}
