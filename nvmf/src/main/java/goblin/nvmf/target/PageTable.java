// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import java.util.ArrayList;
import java.util.List;

/**
 * A structure as a table, one row a field. Bytes that no row names are zero.
 *
 * @param rows ascending and without overlap
 * @param <T>  what the structure describes
 */
record PageTable<T>(List<PageField<T>> rows) {

    PageTable {
        int end = 0;
        for (final PageField<T> row : rows) {
            if (row.offset() < end) {
                throw new IllegalArgumentException(row.name() + " overlaps the field before it");
            }
            end = row.offset() + row.bytes();
        }
    }

    @SafeVarargs
    static <T> PageTable<T> of(final PageField<T>... rows) {
        final List<PageField<T>> all = new ArrayList<>();
        for (final PageField<T> row : rows) {
            all.add(row);
        }
        return new PageTable<>(List.copyOf(all));
    }

    /** Writes the structure over zeros. */
    void put(final T subject, final long page) {
        for (final PageField<T> row : rows) {
            row.put(subject, page);
        }
    }
}
