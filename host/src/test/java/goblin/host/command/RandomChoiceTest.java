// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class RandomChoiceTest {
    @Property(tries = 300)
    void shouldChooseDifferentPositions(
            @ForAll @IntRange(min = 1, max = 300) int size, @ForAll @IntRange(max = 300) int n) {
        int count = n % (size + 1);
        int[] chosen = RandomChoice.distinct(size, count);
        assertThat(chosen).hasSize(count).doesNotHaveDuplicates();
        assertThat(Arrays.stream(chosen)).allMatch(position -> position >= 0 && position < size);
    }

    @Test
    void shouldChooseEachPositionAboutEquallyOften() {
        int[] counts = new int[10];
        for (int i = 0; i < 20_000; i++) {
            for (int position : RandomChoice.distinct(10, i % 2 == 0 ? 2 : 8)) {
                counts[position]++;
            }
        }
        assertThat(Arrays.stream(counts)).allMatch(count -> count > 9_000 && count < 11_000);
    }
}
