// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NameTableTest {

    private static <T> T get(final NameTable<T> table, final String name) {
        try (NativeBytes bytes = NativeBytes.of(name)) {
            return table.get(bytes.address(), bytes.length());
        }
    }

    @Test
    void shouldFindNamesInAnyCase() {
        final NameTable<Integer> table = new NameTable<>();
        table.put("get", 1);
        table.put("GETEX", 2);
        table.put("a[b", 3);
        assertThat(get(table, "GET")).isEqualTo(1);
        assertThat(get(table, "gEt")).isEqualTo(1);
        assertThat(get(table, "getex")).isEqualTo(2);
        assertThat(get(table, "ge")).isNull();
        assertThat(get(table, "")).isNull();
        assertThat(get(table, "getexx")).isNull();
        assertThat(get(table, "a{b")).isNull();
        assertThat(get(table, "A[B")).isEqualTo(3);
        assertThat(table.get("Get")).isEqualTo(1);
        assertThat(table.get("nothing")).isNull();
    }

    @Test
    void shouldKeepEveryNameWhileItGrows() {
        final NameTable<Integer> table = new NameTable<>();
        for (int i = 0; i < 1_000; i++) {
            table.put("name" + i, i);
        }
        table.put("NAME7", 700);
        assertThat(table.size()).isEqualTo(1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(get(table, "Name" + i)).isEqualTo(i == 7 ? 700 : i);
        }
        assertThat(get(table, "name1000")).isNull();
    }
}
