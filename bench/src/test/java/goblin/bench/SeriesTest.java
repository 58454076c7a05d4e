// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {
    @Test
    void shouldTakeTheMedianOfOddAndEvenCounts() {
        assertThat(Series.median(List.of(3.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Series.median(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
    }

    @Test
    void shouldTakeTheRatioPairByPair() {
        final Series series = new Series();
        series.add(1, 2);
        series.add(30, 100);
        series.add(8, 10);

        assertThat(series.our()).isEqualTo(8);
        assertThat(series.their()).isEqualTo(10);
        assertThat(series.ratio()).isEqualTo(0.5);
        assertThat(series.spread()).isEqualTo("0.30–0.80");
    }
}
