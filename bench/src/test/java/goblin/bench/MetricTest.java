// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricTest {
    @Test
    void shouldTellWhetherARatioReachesItsAim() {
        final Metric latency = Metric.lower("p50 µs").aimRatio(0.35);
        final Metric rate = Metric.higher("publications/s").aimRatio(1);

        assertThat(latency.verdict(8, 0.35)).isEqualTo("≤ 0.35× met");
        assertThat(latency.verdict(8, 0.36)).isEqualTo("≤ 0.35× MISSED");
        assertThat(rate.verdict(100, 1)).isEqualTo("≥ 1.0× met");
        assertThat(rate.verdict(100, 0.99)).isEqualTo("≥ 1.0× MISSED");
    }

    @Test
    void shouldTellWhetherAFigureReachesItsAim() {
        final Metric growth = Metric.lower("growth").aimFigure(1.1);

        assertThat(growth.verdict(1.05, 0)).isEqualTo("≤ 1.1 met");
        assertThat(growth.verdict(1.2, 0)).isEqualTo("≤ 1.1 MISSED");
    }

    @Test
    void shouldSayNothingWithoutAnAim() {
        assertThat(Metric.lower("p99 µs").verdict(1, 1)).isEmpty();
    }
}
