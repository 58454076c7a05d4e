// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import goblin.nvmf.tcp.VectorMode;
import org.junit.jupiter.api.Test;

class ObjectSizesTest {
    private static final int LIMIT = 255;

    private final ObjectSizes inline = ObjectSizes.of(VectorMode.INLINE, LIMIT, 1);

    @Test
    void shouldKeepObjectsThatHaveNotGrownAsSmallAsThoseThatNeverGrow() {
        final ObjectSizes dynamic = ObjectSizes.of(VectorMode.DYNAMIC, LIMIT, 33);
        assertThat(dynamic.request()).isCloseTo(inline.request(), withinPercentage(5));
        assertThat(ObjectSizes.of(VectorMode.DYNAMIC, LIMIT, 16).pdu()).isCloseTo(inline.pdu(), withinPercentage(5));
    }

    @Test
    void shouldGrowOnlyWhenTheyMayAndMust() {
        final ObjectSizes grown = ObjectSizes.of(VectorMode.DYNAMIC, LIMIT, LIMIT);
        assertThat(grown.request()).isGreaterThan(4 * inline.request());
        assertThat(grown.requestNative() - inline.requestNative()).isEqualTo(LIMIT * 16);
        assertThat(grown.pduNative() - inline.pduNative()).isEqualTo(LIMIT * 16);
        assertThat(ObjectSizes.of(VectorMode.INLINE, LIMIT, LIMIT)).isEqualTo(inline);
        assertThat(ObjectSizes.of(VectorMode.FIXED, LIMIT, 1))
                .isEqualTo(ObjectSizes.of(VectorMode.FIXED, LIMIT, LIMIT));
    }
}
