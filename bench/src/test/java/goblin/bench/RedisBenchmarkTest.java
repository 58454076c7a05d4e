// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RedisBenchmarkTest {
    @Test
    void shouldReadTheRateOfACommandOfOnesOwn() throws Failure {
        assertThat(RedisBenchmark.parse("""
                        "test","rps","avg_latency_ms"
                        "PUBLISH goblin:bench x","149253.73","0.2"
                        """))
                .containsOnlyKeys("PUBLISH goblin:bench x")
                .containsValue(149253.73);
    }

    @Test
    void shouldRefuseAnOutputThatNamesAnError() {
        assertThatThrownBy(() -> RedisBenchmark.parse("Error from server: ERR upstream\n"))
                .isInstanceOf(Failure.class)
                .hasMessage("redis-benchmark: Error from server: ERR upstream");
    }
}
