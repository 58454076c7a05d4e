// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table = new Table("what", "p50");

    @Test
    void shouldAlignColumnsInMarkdown() {
        table.row("delivery", "8.6");
        table.row("reply", "1,034.5");

        assertThat(table.markdown()).isEqualTo("""
                        | what     |     p50 |
                        | -------- | ------: |
                        | delivery |     8.6 |
                        | reply    | 1,034.5 |
                        """);
    }

    @Test
    void shouldQuoteInCsvOnlyWhatNeedsIt() {
        table.row("a \"b\", c", "1");

        assertThat(table.csv()).isEqualTo("what,p50\n\"a \"\"b\"\", c\",1\n");
    }

    @Test
    void shouldWriteGroupedFiguresPlainInCsv() {
        table.row("all", "1,234,567");

        assertThat(table.csv()).isEqualTo("what,p50\nall,1234567\n");
    }

    @Test
    void shouldRefuseARowOfAnotherWidth() {
        assertThatThrownBy(() -> table.row("one")).isInstanceOf(IllegalArgumentException.class);
    }
}
