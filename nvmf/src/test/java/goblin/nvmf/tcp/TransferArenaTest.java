// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TransferArenaTest {
    private static final int PAGE = 4096;
    private static final int LARGEST = 1 << 20;

    @Property(tries = 100)
    void shouldGiveEachPageOnceAndBeWholeAgain(
            @ForAll @IntRange(min = 256, max = 800) final int pages, @ForAll final long seed) {
        final Random random = new Random(seed);
        try (TransferArena arena = new TransferArena((long) pages * PAGE, LARGEST, false)) {
            final long base = lowest(arena, pages);
            final BitSet used = new BitSet();
            final List<Integer> chains = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                if (random.nextInt(3) > 0 || chains.isEmpty()) {
                    final long bytes = 1L + random.nextInt(random.nextBoolean() ? 3 * PAGE : LARGEST);
                    final int chain = arena.take(bytes, CreditQueue.MAX_BLOCKS);
                    if (chain != TransferArena.NONE) {
                        assertThat(mark(arena, chain, base, used, true)).isGreaterThanOrEqualTo(bytes);
                        assertThat(arena.blocks(chain)).isLessThanOrEqualTo(CreditQueue.MAX_BLOCKS);
                        chains.add(chain);
                    }
                } else {
                    final int chain = chains.remove(random.nextInt(chains.size()));
                    mark(arena, chain, base, used, false);
                    arena.giveBack(chain);
                }
                assertThat(arena.freeBytes()).isEqualTo((long) (pages - used.cardinality()) * PAGE);
            }
            chains.forEach(arena::giveBack);
            assertThat(arena.freeBytes()).isEqualTo(arena.bytes());
            final int largest = arena.take(LARGEST, 1);
            assertThat(largest)
                    .as("the largest block after everything came back")
                    .isNotEqualTo(TransferArena.NONE);
        }
    }

    @Test
    void shouldPoisonWhatIsGivenBackWhenItChecks() {
        try (TransferArena arena = new TransferArena(LARGEST, LARGEST, true)) {
            final int chain = arena.take(PAGE, 1);
            final long address = arena.address(chain);
            Memory.putLong(address, 1);
            arena.giveBack(chain);
            assertThat(Memory.getLong(address)).isEqualTo(0xDADADADADADADADAL);
        }
    }

    @Test
    void shouldRefuseMoreThanThereIsAndTwiceTheSame() {
        try (TransferArena arena = new TransferArena(LARGEST, LARGEST, false)) {
            final int all = arena.take(LARGEST, 1);
            assertThat(arena.take(1, CreditQueue.MAX_BLOCKS)).isEqualTo(TransferArena.NONE);
            arena.giveBack(all);
            assertThatThrownBy(() -> arena.giveBack(all)).isInstanceOf(IllegalStateException.class);
        }
    }

    /** Takes everything and gives it back: where does the memory begin? */
    private static long lowest(final TransferArena arena, final int pages) {
        final List<Integer> chains = new ArrayList<>();
        long lowest = Long.MAX_VALUE;
        for (int i = 0; i < pages; i++) {
            final int chain = arena.take(1, 1);
            lowest = Math.min(lowest, arena.address(chain));
            chains.add(chain);
        }
        chains.forEach(arena::giveBack);
        return lowest;
    }

    private static long mark(
            final TransferArena arena, final int chain, final long base, final BitSet used, final boolean taken) {
        long bytes = 0;
        for (int block = chain; block != TransferArena.NONE; block = arena.following(block)) {
            assertThat((arena.address(block) - base) % PAGE).isZero();
            for (long at = 0; at < arena.length(block); at += PAGE) {
                final int page = (int) ((arena.address(block) - base + at) / PAGE);
                assertThat(used.get(page)).as("page " + page).isNotEqualTo(taken);
                used.set(page, taken);
            }
            bytes += arena.length(block);
        }
        return bytes;
    }
}
