// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class HashSlotsTest {

    /** An object whose hash is chosen, so that objects get into each other's way. */
    private static final class Item {
        private final int hash;

        Item(final int hash) {
            this.hash = hash;
        }
    }

    private static final class Items extends HashSlots<Item> {
        @Override
        int hashOf(final Item item) {
            return item.hash;
        }

        @SuppressWarnings("ReferenceEquality") // the very object is looked for
        boolean finds(final Item item) {
            int slot = firstSlot(item.hash);
            while (at(slot) != null) {
                if (at(slot) == item) {
                    return true;
                }
                slot = nextSlot(slot);
            }
            return false;
        }
    }

    @Property(tries = 200)
    void shouldFindExactlyWhatWasAddedAndNotRemoved(
            @ForAll @Size(max = 200) final List<@IntRange(min = -3, max = 40) Integer> steps) {
        final Items slots = new Items();
        final List<Item> present = new ArrayList<>();
        final List<Item> gone = new ArrayList<>();
        for (final int step : steps) {
            // A third of the steps remove; the hashes crowd around the end of the table, where it wraps.
            if (step > 26 && !present.isEmpty()) {
                final Item item = present.remove(step % present.size());
                slots.remove(item);
                gone.add(item);
            } else {
                final Item item = new Item(step % 4 + 14);
                slots.add(item);
                present.add(item);
            }
            assertThat(slots.size()).isEqualTo(present.size());
            assertThat(present).allMatch(slots::finds);
            assertThat(gone).noneMatch(slots::finds);
        }
    }

    @Test
    void shouldGiveRoomBackWhenItEmpties() {
        final Items slots = new Items();
        final List<Item> items = new ArrayList<>();
        final int smallest = slots.slotCount();
        for (int i = 0; i < 10_000; i++) {
            items.add(new Item(i * 0x9E3779B9));
            slots.add(items.get(i));
        }
        assertThat(slots.slotCount()).isGreaterThanOrEqualTo(20_000);
        items.forEach(slots::remove);
        assertThat(slots.size()).isZero();
        assertThat(slots.slotCount()).isEqualTo(smallest);
    }
}
