// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** What a file namespace promised to keep is there after a power cut; and the test notices when it is not. */
class DurabilityTest {
    private static final int HISTORIES = 300;

    private static MediumRig rig;
    private static MediumRig ring;

    @BeforeContainer
    static void start() {
        rig = new MediumRig();
        ring = new MediumRig(loop -> RingDouble.inbox(loop, 2));
    }

    @AfterContainer
    static void stop() {
        rig.close();
        ring.close();
    }

    @Property(tries = HISTORIES)
    void shouldKeepWhatItPromisedOverAPowerCut(@ForAll final long seed) {
        assertThat(PowerCutHistory.play(seed, UnaryOperator.identity(), rig)).isNull();
    }

    @Property(tries = HISTORIES)
    void shouldKeepWhatItPromisedWhereARingWrites(@ForAll final long seed) {
        assertThat(PowerCutHistory.play(seed, UnaryOperator.identity(), ring)).isNull();
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void shouldFailForAMutantWithTheSameProperty(@ForAll final MutantFile.Mutation mutation) {
        for (final MediumRig each : List.of(rig, ring)) {
            assertThat(LongStream.range(0, HISTORIES)
                            .anyMatch(seed ->
                                    PowerCutHistory.play(seed, file -> new MutantFile(file, mutation), each) != null))
                    .as("%s is noticed", mutation)
                    .isTrue();
        }
    }
}
