// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private final Metric rate = Metric.higher("publications/s").aimRatio(1.5);
    private final Case only = new Case("1→8", List.of(rate), (side, sample) -> {});
    private final Results results = new Results(new Workload(
            "fanout", "Fanout", List.of(side("edge"), side("Redis"), side("other")), false, List.of(only)));

    @Test
    void shouldCompareRoundByRound() {
        add("edge", 200, 330, 100);
        add("Redis", 100, 110, 100);
        add("other", 50, 60, 70);

        assertThat(results.table().csv()).isEqualTo("""
                        case,figure,edge,Redis,other,ratio to Redis,spread,aim,ratio to other
                        1→8,publications/s,200.0,100.0,60.0,2.00,1.00–3.00,≥ 1.5× met,4.00
                        """);
    }

    @Test
    void shouldGiveAFailedSideNoFigures() {
        add("edge", 200);
        add("Redis", 100);
        results.fail(only, "edge", "subscriber 3 was cut");

        assertThat(results.table().csv()).contains("1→8,publications/s,FAILED,100.0,–,–,–,≥ 1.5× MISSED,–");
        assertThat(results.failures()).containsExactly("1→8, edge: subscriber 3 was cut");
    }

    @Test
    void shouldGatherWhatHasAnAim() {
        add("edge", 200);
        add("Redis", 100);

        assertThat(results.aims())
                .containsExactly(List.of("1→8: publications/s", "200.0", "100.0", "2.00", "≥ 1.5× met"));
    }

    private void add(final String side, final double... figures) {
        for (final double figure : figures) {
            final Sample sample = new Sample();
            sample.put(rate, figure);
            results.add(only, side, sample);
        }
    }

    private static Contender side(final String name) {
        return new Contender(name, Path.of("."), (logs, servers) -> {});
    }
}
