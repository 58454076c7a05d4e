// SPDX-License-Identifier: Apache-2.0
package goblin.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

final class LengthCountsTest {

    /** A step of 0 and more adds that length; one below removes it, or nothing when it is not there. */
    @Property(tries = 300)
    void shouldKeepEachLengthOnceAndInOrder(
            @ForAll @Size(max = 300) final List<@IntRange(min = -60, max = 59) Integer> steps) {
        final LengthCounts counts = new LengthCounts();
        final TreeMap<Integer, Integer> model = new TreeMap<>();
        for (final int step : steps) {
            final int length = step < 0 ? ~step : step;
            if (step >= 0) {
                counts.add(length);
                model.merge(length, 1, Integer::sum);
            } else if (model.containsKey(length)) {
                counts.remove(length);
                model.compute(length, (_, count) -> count == 1 ? null : count - 1);
            }
            final List<Integer> lengths = new ArrayList<>();
            for (int i = 0; i < counts.size(); i++) {
                lengths.add(counts.at(i));
            }
            assertThat(lengths).isEqualTo(List.copyOf(model.keySet()));
        }
    }
}
