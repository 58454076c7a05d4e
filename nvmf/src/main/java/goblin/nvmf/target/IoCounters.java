// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one queue has done for its host. Its loop alone counts, without a lock or a barrier; any thread reads, and sees
 * each number whole and perhaps a little late.
 */
final class IoCounters {
    private static final VarHandle VALUES = MethodHandles.arrayElementVarHandle(long[].class);

    /** What is counted. */
    enum Kind {
        /** Bytes that successful reads, compares and verifies covered. */
        READ_BYTES(0),
        /** Bytes that successful writes covered. */
        WRITTEN_BYTES(1),
        /** Successful reads, compares and verifies. */
        READS(2),
        /** Successful writes. */
        WRITES(3),
        /** Commands that the medium failed. */
        MEDIA_ERRORS(4);

        static final int COUNT = values().length;

        private final int slot;

        Kind(final int slot) {
            this.slot = slot;
        }

        int slot() {
            return slot;
        }
    }

    private final long[] values = new long[Kind.COUNT];

    /**
     * Counts; on the queue's loop.
     *
     * @param kind what
     * @param more how many
     */
    void add(final Kind kind, final long more) {
        final int at = kind.slot;
        VALUES.setOpaque(values, at, values[at] + more);
    }

    /**
     * A count, on any thread.
     *
     * @param kind what
     * @return 0 or more
     */
    long get(final Kind kind) {
        return (long) VALUES.getOpaque(values, kind.slot);
    }
}
