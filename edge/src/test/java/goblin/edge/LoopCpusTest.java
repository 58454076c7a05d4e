// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LoopCpusTest {

    @Test
    void shouldHaveOneLoopThatIsNotPinnedByDefault() {
        assertThat(LoopCpus.of(null, null)).containsExactly(-1);
    }

    @Test
    void shouldHaveALoopForEachCpuInTheGivenOrder() {
        assertThat(LoopCpus.of("7,2,4-6", null)).containsExactly(7, 2, 4, 5, 6);
    }

    @Test
    void shouldHaveAsManyLoopsAsAskedForThatAreNotPinned() {
        assertThat(LoopCpus.of(null, 3)).containsExactly(-1, -1, -1);
    }

    @Test
    void shouldTakeBothWhenTheyAgree() {
        assertThat(LoopCpus.of("1-2", 2)).containsExactly(1, 2);
    }

    @Test
    void shouldRefuseBothWhenTheyContradictEachOther() {
        assertThatThrownBy(() -> LoopCpus.of("1-2", 3))
                .isInstanceOf(EdgeContext.BadOption.class)
                .hasMessage("--loops 3: --cpu 1-2 names 2, there is one loop for each; leave one of them out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "1,", "1-", "-2", "1--2", "3-2", "1024", "1,1", "1-3,2", "0-64", "99999"})
    void shouldRefuseAListThatIsNone(final String list) {
        assertThatThrownBy(() -> LoopCpus.of(list, null))
                .isInstanceOf(EdgeContext.BadOption.class)
                .hasMessageStartingWith("--cpu " + list + ": ");
    }

    @ParameterizedTest
    @CsvSource({"0", "65", "-1"})
    void shouldRefuseANumberOutOfItsRange(final int loops) {
        assertThatThrownBy(() -> LoopCpus.of(null, loops))
                .isInstanceOf(EdgeContext.BadOption.class)
                .hasMessage("--loops " + loops + ": allowed is 1 to 64");
    }
}
