// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.util.ArrayList;
import java.util.List;

/** Rows of text, printed as Markdown or as CSV. Cells hold neither commas nor bars. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(final String... columns) {
        rows.add(List.of(columns));
    }

    void row(final String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException(List.of(cells) + " does not fit " + rows.getFirst());
        }
        rows.add(List.of(cells));
    }

    String markdown() {
        final StringBuilder text = new StringBuilder();
        rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
        final String rule = "|---".repeat(rows.getFirst().size()) + "|\n";
        return text.insert(text.indexOf("\n") + 1, rule).toString();
    }

    String csv() {
        final StringBuilder text = new StringBuilder();
        rows.forEach(row -> text.append(String.join(",", row)).append('\n'));
        return text.toString();
    }
}
