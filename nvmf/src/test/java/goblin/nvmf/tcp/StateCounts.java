// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** How often a reader was seen in each of its states, over a whole run of a fuzzer. */
final class StateCounts implements Consumer<PduReader.State> {
    private final Map<PduReader.State, Long> counts = new EnumMap<>(PduReader.State.class);

    @Override
    public void accept(final PduReader.State state) {
        counts.merge(state, 1L, Long::sum);
    }

    void print(final String target) {
        final PduReader.State[] all = PduReader.State.values();
        for (final PduReader.State state : all) {
            System.err.printf("%s: reader state %-16s %,15d%n", target, state, counts.getOrDefault(state, 0L));
        }
        System.err.printf("%s: %d of %d reader states covered%n", target, counts.size(), all.length);
    }
}
