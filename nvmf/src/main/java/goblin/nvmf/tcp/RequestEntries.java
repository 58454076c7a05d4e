// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import java.util.Arrays;
import java.util.List;

/**
 * In how many entries requests had the data that hosts sent for them.
 *
 * @param requests how many had any
 * @param p50      half of them had this many entries or fewer; 0 when there were none
 * @param p99      99 of 100 had this many or fewer
 * @param most     the most that one had
 */
public record RequestEntries(long requests, int p50, int p99, int most) {

    static RequestEntries of(final List<EntryCounts> counts) {
        final long[] sums = new long[ReceiveOptions.LARGEST_MAX_SEGMENTS + 1];
        counts.forEach(one -> one.addTo(sums));
        final long all = Arrays.stream(sums).sum();
        return new RequestEntries(all, atRank(sums, all - all / 2), atRank(sums, all - all / 100), atRank(sums, all));
    }

    private static int atRank(final long[] sums, final long rank) {
        long seen = 0;
        for (int entries = 0; entries < sums.length; entries++) {
            seen += sums[entries];
            if (seen >= rank) {
                return entries;
            }
        }
        return 0;
    }
}
