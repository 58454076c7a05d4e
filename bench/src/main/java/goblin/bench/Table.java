// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Rows of text, printed as Markdown with aligned columns or as CSV. The first column is text, the others figures. */
final class Table {
    private static final Pattern GROUPED = Pattern.compile("\\d{1,3}(,\\d{3})+");
    private static final Pattern PLAIN = Pattern.compile("[^\",\r\n]*");

    private final List<String> columns;
    private final List<List<String>> rows = new ArrayList<>();

    Table(final String... columns) {
        this.columns = List.of(columns);
    }

    /** Adds a row of as many cells as there are columns. */
    void row(final List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(cells + " does not fit " + columns);
        }
        rows.add(List.copyOf(cells));
    }

    void row(final String... cells) {
        row(List.of(cells));
    }

    String markdown() {
        final int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(3, columns.get(i).length());
            for (final List<String> row : rows) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        final StringBuilder text = new StringBuilder();
        line(text, columns, widths);
        for (int i = 0; i < widths.length; i++) {
            text.append("| ").append("-".repeat(widths[i] - 1)).append(i == 0 ? "- " : ": ");
        }
        text.append("|\n");
        rows.forEach(row -> line(text, row, widths));
        return text.toString();
    }

    String csv() {
        final StringBuilder text = new StringBuilder(csv(columns));
        rows.forEach(row -> text.append(csv(row)));
        return text.toString();
    }

    private static void line(final StringBuilder text, final List<String> cells, final int[] widths) {
        for (int i = 0; i < widths.length; i++) {
            final String pad = " ".repeat(widths[i] - cells.get(i).length());
            text.append("| ")
                    .append(i == 0 ? cells.get(i) + pad : pad + cells.get(i))
                    .append(' ');
        }
        text.append("|\n");
    }

    private static String csv(final List<String> cells) {
        return String.join(",", cells.stream().map(Table::csvCell).toList()) + "\n";
    }

    private static String csvCell(final String cell) {
        if (GROUPED.matcher(cell).matches()) {
            // What is easy to read for people is none for programs.
            return cell.replace(",", "");
        }
        return PLAIN.matcher(cell).matches() ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
