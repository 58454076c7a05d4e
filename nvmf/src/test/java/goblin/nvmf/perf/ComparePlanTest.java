// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparePlanTest {
    private static final int SMALL = 128 << 10;
    private static final int LARGE = 1 << 20;

    private final ComparePlan plan = new ComparePlan(new CompareOptions(
            Path.of(""),
            Path.of(""),
            List.of(Delivery.values()),
            List.of(SMALL, LARGE),
            List.of(1448, 4096, 4128, 8192, 65536),
            List.of(1024, 255),
            List.of(CompareMedium.NULL),
            List.of(),
            1,
            0,
            1,
            0));

    @Test
    void shouldMeasureEachWayOnceWithLargePieces() {
        assertThat(plan.contenders(65536))
                .extracting(Contender::label)
                .containsExactly("all copied", "inline 33/16", "fixed 256", "dynamic ≤ 255", "placed ≤ 255");
    }

    @Test
    void shouldMeasureTheHigherLimitOnlyWhereItIsReached() {
        final Contender high = new Contender(Delivery.DYNAMIC, 1448, 1024);
        assertThat(plan.contenders(1448)).contains(high);
        assertThat(plan.sizes(high)).containsExactly(LARGE);
        assertThat(plan.sizes(new Contender(Delivery.DYNAMIC, 1448, 255))).containsExactly(SMALL, LARGE);
        assertThat(plan.contenders(8192)).noneMatch(contender -> contender.limit() == 1024);
    }

    @Test
    void shouldSayWhatItLeavesOut() {
        assertThat(plan.contenders(1448)).noneMatch(contender -> contender.delivery() == Delivery.PLACED);
        assertThat(plan.leftOut())
                .contains(
                        "placed, pieces of 1448: as dynamic: pieces of 1448 bytes are no pages, so nothing can be placed.")
                .contains(
                        "dynamic ≤ 1024, pieces of 8192, writes of 1048576: as with 255: no more than about 146 entries are needed.");
    }
}
