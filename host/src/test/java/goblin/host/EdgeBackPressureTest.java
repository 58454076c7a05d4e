// SPDX-License-Identifier: Apache-2.0
package goblin.host;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.host.command.Publisher;
import org.junit.jupiter.api.Test;

final class EdgeBackPressureTest {
    private static final long SECOND = 1_000_000_000L;

    private final EdgeBackPressure pressure = new EdgeBackPressure(1_000);
    private final Counted publisher = new Counted();

    @Test
    void shouldHoldFromHalfAndReleaseAtAQuarter() {
        pressure.onQueued(499, 0);
        assertThat(pressure.congested()).isFalse();
        pressure.hold(publisher);
        assertThat(publisher.holds).isZero();

        pressure.onQueued(500, 0);
        pressure.hold(publisher);
        pressure.hold(publisher);
        assertThat(publisher.holds).isOne();

        pressure.onSent(251, 1);
        assertThat(publisher.holds).isOne();
        pressure.onSent(250, 2);
        assertThat(publisher.holds).isZero();
        assertThat(pressure.congested()).isFalse();
        assertThat(pressure.held()).isZero();
    }

    @Test
    void shouldStallAfterFiveSecondsWithoutProgressOnly() {
        pressure.onQueued(1_000, 0);
        for (long nowNs = 0; nowNs < 5 * SECOND; nowNs += SECOND / 10) {
            assertThat(pressure.stalled(nowNs)).isFalse();
        }
        assertThat(pressure.stalled(5 * SECOND)).isTrue();

        pressure.onSent(900, 5 * SECOND);
        assertThat(pressure.stalled(5 * SECOND)).isFalse();
        for (long nowNs = 5 * SECOND; nowNs < 10 * SECOND; nowNs += SECOND / 10) {
            assertThat(pressure.stalled(nowNs)).isFalse();
        }
        assertThat(pressure.stalled(10 * SECOND)).isTrue();
    }

    @Test
    void shouldNotStallBelowHalf() {
        pressure.onQueued(499, 0);
        for (long nowNs = 0; nowNs < 60 * SECOND; nowNs += SECOND) {
            assertThat(pressure.stalled(nowNs)).isFalse();
        }
    }

    @Test
    void shouldNotBlameTheEdgeForTimeInWhichTheHostStoodStill() {
        pressure.onQueued(1_000, 0);

        assertThat(pressure.stalled(60 * SECOND)).isFalse();
        for (long nowNs = 60 * SECOND; nowNs < 65 * SECOND; nowNs += SECOND) {
            assertThat(pressure.stalled(nowNs)).isFalse();
        }
        assertThat(pressure.stalled(65 * SECOND)).isTrue();
    }

    @Test
    void shouldLetPublishersGoWhenTheEdgeEnds() {
        pressure.onQueued(1_000, 0);
        pressure.hold(publisher);
        pressure.end();

        assertThat(publisher.holds).isZero();
        pressure.hold(publisher);
        assertThat(publisher.holds).isZero();
    }

    private static final class Counted implements Publisher {
        private int holds;

        @Override
        public void hold() {
            holds++;
        }

        @Override
        public void release() {
            holds--;
        }
    }
}
