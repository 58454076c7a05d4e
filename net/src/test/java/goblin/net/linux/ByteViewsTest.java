// SPDX-License-Identifier: Apache-2.0
package goblin.net.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class ByteViewsTest {
    private final ByteViews views = new ByteViews();

    @Test
    void shouldShowExactlyTheBytesAskedFor() {
        final long block = Memory.allocate(64);
        for (int i = 0; i < 64; i++) {
            Memory.putByte(block + i, (byte) i);
        }

        final ByteBuffer view = views.of(block + 5, 7);

        assertThat(view.remaining()).isEqualTo(7);
        assertThat(view.get()).isEqualTo((byte) 5);
        assertThat(view.get(view.limit() - 1)).isEqualTo((byte) 11);
        Memory.free(block);
    }

    @Test
    void shouldUseOneBufferForNeighbours() {
        final long block = Memory.allocate(64);

        assertThat(views.of(block, 1)).isSameAs(views.of(block, 64));
        Memory.free(block);
    }

    @Test
    void shouldShowARunAcrossTwoWindows() {
        // Reserved only; the kernel gives pages for the two that are touched.
        final long bytes = 2L << 30;
        final long block = Pages.map(bytes);
        final long border = ((block >>> 30) + 1) << 30;
        Memory.putByte(border - 1, (byte) 1);
        Memory.putByte(border, (byte) 2);

        final ByteBuffer view = views.of(border - 1, 2);

        assertThat(view.get()).isEqualTo((byte) 1);
        assertThat(view.get()).isEqualTo((byte) 2);
        assertThat(views.of(border, 1).get()).isEqualTo((byte) 2);
        Pages.unmap(block, bytes);
    }
}
