// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatioPlotTest {
    @Test
    void shouldDrawABarAndItsAim() {
        final RatioPlot plot = new RatioPlot("a < b & c");
        plot.heading("latency");
        plot.bar("1→1", 0.25, Metric.lower("p50").aimRatio(0.5), "5, Redis 20");
        plot.bar("rate", 0.5, Metric.higher("rate"), "1, Redis 2");

        final String svg = plot.svg();

        assertThat(svg).contains("a &lt; b &amp; c", ">4.00×<", ">0.50×<", "<title>5, Redis 20</title>");
        assertThat(svg).containsOnlyOnce("stroke-width=\"2\"");
    }
}
