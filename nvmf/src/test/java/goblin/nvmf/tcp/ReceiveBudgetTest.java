// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.SegmentArena;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ReceiveBudgetTest {
    private static final int K = 1024;

    @Test
    void shouldLeaveAnEighthAndLetManyKeepAWindow() {
        assertThat(ReceiveBudget.of(64L << 20, 64 * K, 64 * K))
                .isEqualTo(new ReceiveBudget(64 * K, (48L << 20) - 64 * K, 64));
        assertThat(ReceiveBudget.of(64L << 20, 4 * K, 512 * K))
                .isEqualTo(new ReceiveBudget(512 * K, (56L << 20) - 4 * K, 8));
    }

    @Test
    void shouldPinNothingWhereThereIsNothingToSpare() {
        for (int segments = 1; segments <= 2; segments++) {
            assertThat(ReceiveBudget.of(segments * 64L * K, 64 * K, 256 * K))
                    .isEqualTo(new ReceiveBudget(64 * K, 0, 0));
        }
        assertThat(ReceiveBudget.of(3 * 64L * K, 64 * K, 256 * K))
                .isEqualTo(new ReceiveBudget(64 * K, 64 * K - 3 * 64 * K / 8, 0));
        assertThat(ReceiveBudget.of(3 * 4L * K, 4 * K, 64 * K).windowBytes()).isEqualTo(4 * K);
    }

    @Property
    void shouldAlwaysLeaveASegmentToReceiveInto(
            @ForAll @LongRange(min = 1, max = 1L << 30) final long receiveBytes,
            @ForAll @IntRange(min = 1, max = 1 << 20) final int segmentBytes,
            @ForAll @IntRange(min = 1, max = 1024) final int pieces) {
        final int window = (int) Math.min(4 << 20, (long) pieces * segmentBytes);
        final ReceiveBudget budget = ReceiveBudget.of(receiveBytes, segmentBytes, Math.max(window, segmentBytes));
        final long piece = SegmentArena.strideOf(segmentBytes);
        final long all = SegmentArena.segmentsOf(receiveBytes, segmentBytes) * piece;
        assertThat(budget.windowBytes()).isBetween(segmentBytes, Math.max(window, segmentBytes));
        assertThat(budget.watermark()).isBetween(0L, all - piece);
        final long kept = budget.mostPaused() * (budget.windowBytes() / segmentBytes) * piece;
        // Whatever is referenced at most, and kept: one segment is left.
        assertThat(budget.watermark() + kept).isLessThanOrEqualTo(all - piece);
    }
}
