// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Property
    void shouldTellPercentilesToAThousandth(
            @ForAll @NotEmpty final List<@LongRange(min = 0, max = Latencies.LONGEST_NS) Long> times,
            @ForAll @DoubleRange(min = 0, max = 100) final double percentile) {
        final Latencies latencies = new Latencies();
        times.forEach(latencies::record);

        final int rank = Math.max(1, (int) Math.ceil(percentile / 100 * times.size()));
        final long exact = times.stream().sorted().skip(rank - 1L).findFirst().orElseThrow();
        assertThat(latencies.percentileNs(percentile)).isBetween(exact, exact + exact / 1000);
        assertThat(latencies.count()).isEqualTo(times.size());
    }

    @Test
    void shouldHaveNoneAtFirstAndCountWhatIsTooLongAsTheLongest() {
        final Latencies latencies = new Latencies();
        assertThat(latencies.percentileNs(99)).isZero();

        latencies.record(Long.MAX_VALUE);
        assertThat(latencies.percentileNs(50)).isEqualTo(Latencies.LONGEST_NS);
    }
}
