// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ThroughputComparisonTest {
    @Test
    void shouldReadTheRatesOfRedisBenchmark() throws Failure {
        assertThat(ThroughputComparison.parse("""
                        "test","rps","avg_latency_ms","min_latency_ms"
                        "SET","123456.78","0.2","0.1"
                        "GET","200000.00","0.2","0.1"
                        """))
                .containsEntry("SET", 123456.78)
                .containsEntry("GET", 200000.0)
                .hasSize(2);
    }

    @Test
    void shouldRefuseAnOutputThatNamesAnError() {
        assertThatThrownBy(() -> ThroughputComparison.parse("""
                        "SET","1","1"
                        "GET","1","1"
                        Error from server: ERR upstream
                        """))
                .isInstanceOf(Failure.class)
                .hasMessage("redis-benchmark: Error from server: ERR upstream");
    }

    @Test
    void shouldRefuseAnOutputWithoutFigures() {
        assertThatThrownBy(() -> ThroughputComparison.parse("Could not connect"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("Could not connect");
    }
}
