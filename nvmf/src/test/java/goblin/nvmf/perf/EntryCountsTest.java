// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntryCountsTest {
    private static String figure(final int entries, final long requests) {
        return "nvmf_tcp_requests_by_entries{entries=\"" + entries + "\"} " + requests + '\n';
    }

    @Test
    void shouldFindPercentilesOfWhatWasAdded() {
        final Figures before = Figures.parse(figure(1, 1000) + figure(91, 1));
        final Figures after = Figures.parse(figure(1, 1000) + figure(91, 50) + figure(92, 49) + figure(255, 2));
        final EntryCounts counts = EntryCounts.of(after.since(before));
        assertThat(counts.percentile(0)).isEqualTo(91);
        assertThat(counts.percentile(49)).isEqualTo(91);
        assertThat(counts.percentile(50)).isEqualTo(92);
        assertThat(counts.percentile(100)).isEqualTo(255);
    }

    @Test
    void shouldTellNothingOfNoRequests() {
        assertThat(EntryCounts.of(Figures.parse("")).percentile(50)).isZero();
    }
}
