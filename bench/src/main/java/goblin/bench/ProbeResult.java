// SPDX-License-Identifier: Apache-2.0
package goblin.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rows a probe printed as CSV.
 *
 * @param rows cells by the row's name, without it
 */
record ProbeResult(Map<String, String[]> rows) {
    private static final int P50 = 1;

    static ProbeResult parse(final String text) throws Failure {
        final Map<String, String[]> rows = new LinkedHashMap<>();
        for (final String line : text.lines().toList()) {
            final String[] cells = line.split(",", -1);
            if (cells.length == LatencySummary.COLUMNS.split(",", -1).length && !line.equals(LatencySummary.COLUMNS)) {
                final String[] figures = new String[cells.length - 1];
                System.arraycopy(cells, 1, figures, 0, figures.length);
                rows.put(cells[0], figures);
            }
        }
        if (rows.isEmpty()) {
            throw new Failure("the probe printed no figures: " + text.strip());
        }
        return new ProbeResult(rows);
    }

    /** Median in microseconds of the row whose name ends so. */
    double p50(final String nameEnd) {
        return rows.entrySet().stream()
                .filter(row -> row.getKey().endsWith(nameEnd))
                .mapToDouble(row -> Double.parseDouble(row.getValue()[P50]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no row " + nameEnd));
    }
}
