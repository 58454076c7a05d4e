// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.edge.exchange.ScheduledRun.Mutant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One order for all loops, no effect before its cause, exact counts, nothing lost, everything given back: under schedules
 * made from seeds. {@code -Dgoblin.exchange.seeds=100000} tries more.
 */
final class ExchangeOrderTest {
    private static final int SEEDS = Integer.getInteger("goblin.exchange.seeds", 400);
    private static final int PUBLICATIONS_OF_A_LOOP = 8;

    @Test
    void shouldShowAllLoopsOneOrderOfCausesAndEffects() throws InterruptedException {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(violations(seed, Mutant.NONE)).as("seed " + seed).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Mutant.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldBeNoticedWhenBrokenOnPurpose(final Mutant mutant) throws InterruptedException {
        final List<String> noticed = new ArrayList<>();
        for (int seed = 0; seed < SEEDS && noticed.isEmpty(); seed++) {
            noticed.addAll(violations(seed, mutant));
        }
        assertThat(noticed).isNotEmpty();
    }

    private static List<String> violations(final int seed, final Mutant mutant) throws InterruptedException {
        return new ScheduledRun(2 + seed % 4, PUBLICATIONS_OF_A_LOOP, mutant, seed).violations();
    }
}
