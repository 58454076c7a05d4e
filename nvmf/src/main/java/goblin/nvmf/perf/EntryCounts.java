// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * In how many entries a target's requests had their data.
 *
 * @param requests how many requests, by entries
 */
record EntryCounts(TreeMap<Integer, Long> requests) {
    private static final Pattern NAME = Pattern.compile("nvmf_tcp_requests_by_entries\\{entries=\"(\\d+)\"}");
    private static final int ALL = 100;

    static EntryCounts of(final Figures figures) {
        final TreeMap<Integer, Long> requests = new TreeMap<>();
        figures.values().forEach((name, count) -> {
            final Matcher matcher = NAME.matcher(name);
            if (count > 0 && matcher.matches()) {
                requests.put(Integer.valueOf(matcher.group(1)), count);
            }
        });
        return new EntryCounts(requests);
    }

    /** The entries that so many of a hundred requests did not exceed; 0 when there were none. */
    int percentile(final int percent) {
        final long all = requests.values().stream().mapToLong(Long::longValue).sum();
        final long rank = Math.ceilDiv(all * percent, ALL);
        long seen = 0;
        for (final Map.Entry<Integer, Long> some : requests.entrySet()) {
            seen += some.getValue();
            if (seen >= rank) {
                return some.getKey();
            }
        }
        return 0;
    }
}
