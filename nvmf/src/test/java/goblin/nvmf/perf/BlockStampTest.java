// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockStampTest {
    private static final int BLOCK = 512;

    private final long block = Memory.allocate(BLOCK);
    private final long other = Memory.allocate(BLOCK);

    @AfterEach
    void free() {
        Memory.free(block);
        Memory.free(other);
    }

    @Test
    void shouldKnowTheVersionOfAWholeBlock() {
        BlockStamp.write(block, BLOCK, 7, 42);

        assertThat(BlockStamp.check(block, BLOCK, 7)).isEqualTo(42);
    }

    @Test
    void shouldNoticeABlockOfAnotherPlace() {
        BlockStamp.write(block, BLOCK, 7, 42);

        assertThat(BlockStamp.check(block, BLOCK, 8)).isEqualTo(BlockStamp.TORN);
    }

    @Test
    void shouldNoticeABlockOfTwoVersionsWhereverItIsTorn() {
        for (int cut = 8; cut < BLOCK; cut += 8) {
            BlockStamp.write(block, BLOCK, 7, 42);
            BlockStamp.write(other, BLOCK, 7, 43);
            Memory.copy(other, block, cut);

            assertThat(BlockStamp.check(block, BLOCK, 7)).as("cut at %d", cut).isEqualTo(BlockStamp.TORN);
        }
    }
}
