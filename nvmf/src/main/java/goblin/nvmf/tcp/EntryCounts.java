// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** How many requests had their data in how many entries. Written by one loop; others read what may be a little old. */
final class EntryCounts {
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] requests = new long[ReceiveOptions.LARGEST_MAX_SEGMENTS + 1];

    /** Counts a request whose data is in that many entries. */
    void add(final int entries) {
        VALUE.setOpaque(requests, entries, requests[entries] + 1);
    }

    /** Adds these counts to others, by entries. */
    void addTo(final long[] sums) {
        for (int entries = 0; entries < sums.length; entries++) {
            sums[entries] += (long) VALUE.getOpaque(requests, entries);
        }
    }
}
