// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final Figures FIRST = Figures.parse("a 1\nb{x=\"one two\"} 2\nb{x=\"3\"} 5\n\n");

    @Test
    void shouldAddUpOverLabels() {
        assertThat(FIRST.of("a")).isEqualTo(1);
        assertThat(FIRST.of("b")).isEqualTo(7);
        assertThat(FIRST.of("c")).isZero();
    }

    @Test
    void shouldTellWhatWasAdded() {
        final Figures later = Figures.parse("a 4\nb{x=\"one two\"} 3\nb{x=\"3\"} 5\nc 9");
        assertThat(later.since(FIRST).of("a")).isEqualTo(3);
        assertThat(later.since(FIRST).of("b")).isEqualTo(1);
        assertThat(later.since(FIRST).of("c")).isEqualTo(9);
        assertThat(later.plus(FIRST).of("a")).isEqualTo(5);
    }
}
