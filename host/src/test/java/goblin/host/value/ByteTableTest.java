// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import goblin.net.linux.Memory;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class ByteTableTest {
    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    @Property(tries = 200)
    void shouldBehaveLikeAMap(@ForAll @Size(max = 600) List<@IntRange(max = 399) Integer> steps) {
        ByteTable<Integer> table = new ByteTable<>(true);
        Map<String, Integer> model = new HashMap<>();
        for (int step : steps) {
            String key = "k" + step % 150;
            int position = table.find(bytes(key));
            if (step < 250) {
                if (position < 0) {
                    assertThat(table.append(bytes(key), step)).isEqualTo(model.size());
                } else {
                    table.setValue(position, step);
                }
                model.put(key, step);
            } else if (model.remove(key) != null) {
                table.removeAt(position);
            } else {
                assertThat(position).isNegative();
            }
        }
        assertThat(contents(table)).isEqualTo(model);
        assertThat(table.keyBytes())
                .isEqualTo(model.keySet().stream().mapToLong(String::length).sum());
        model.forEach(
                (key, value) -> assertThat(table.value(table.find(bytes(key)))).isEqualTo(value));
    }

    private static Map<String, Integer> contents(ByteTable<Integer> table) {
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < table.size(); i++) {
            seen.put(new String(table.key(i), ISO_8859_1), table.value(i));
        }
        return seen;
    }

    @Test
    void shouldGrowAndShrinkOverManyEntries() {
        ByteTable<Void> table = new ByteTable<>(false);
        for (int i = 0; i < 100_000; i++) {
            table.append(bytes("member:" + i), null);
        }
        for (int i = 0; i < 100_000; i += 97) {
            assertThat(table.find(bytes("member:" + i))).isEqualTo(i);
        }
        for (int i = 0; i < 99_990; i++) {
            table.removeAt(table.find(bytes("member:" + i)));
        }
        assertThat(table.size()).isEqualTo(10);
        for (int i = 99_990; i < 100_000; i++) {
            assertThat(table.find(bytes("member:" + i))).isNotNegative();
        }
        assertThat(table.find(bytes("member:5"))).isNegative();
    }

    @Test
    void shouldFindKeysByNativeAddress() {
        ByteTable<Void> table = new ByteTable<>(false);
        long address = Memory.allocate(16);
        try {
            for (int i = 0; i < 100; i++) {
                table.append(bytes("key" + i), null);
            }
            byte[] wanted = bytes("key42");
            Memory.copyIn(wanted, 0, address, wanted.length);
            assertThat(table.find(address, 5)).isEqualTo(42);
            assertThat(table.find(address, 4)).isEqualTo(4);
            assertThat(table.find(address, 2)).isNegative();
        } finally {
            Memory.free(address);
        }
    }

    @Test
    void shouldFindWithoutAllocation() {
        ByteTable<Void> table = new ByteTable<>(false);
        for (int i = 0; i < 1000; i++) {
            table.append(bytes("key" + i), null);
        }
        long address = Memory.allocate(8);
        try {
            Memory.copyIn(bytes("key777"), 0, address, 6);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            await().untilAsserted(() -> {
                long before = threads.getCurrentThreadAllocatedBytes();
                long found = 0;
                for (int i = 0; i < 100_000; i++) {
                    found += table.find(address, 6);
                }
                long allocated = threads.getCurrentThreadAllocatedBytes() - before;
                assertThat(found).isEqualTo(77_700_000);
                assertThat(allocated).isLessThan(1000);
            });
        } finally {
            Memory.free(address);
        }
    }

    @Property(tries = 200)
    void shouldShowEveryStayingEntryToAScanBetweenChanges(
            @ForAll @IntRange(min = 1, max = 300) int staying,
            @ForAll @IntRange(min = 1, max = 20) int step,
            @ForAll long seed) {
        ByteTable<Void> table = new ByteTable<>(false);
        Random random = new Random(seed);
        for (int i = 0; i < staying; i++) {
            table.append(bytes("s" + i), null);
            table.append(bytes("x" + i), null);
        }
        Set<String> seen = new HashSet<>();
        long cursor = 0;
        do {
            int from = table.scanStart(cursor);
            int to = Math.max(0, from - step);
            for (int i = from - 1; i >= to; i--) {
                seen.add(new String(table.key(i), ISO_8859_1));
            }
            cursor = to;
            for (int change = 0; change < 8; change++) {
                int doomed = table.find(bytes("x" + random.nextInt(staying)));
                if (doomed >= 0) {
                    table.removeAt(doomed);
                }
                byte[] added = bytes("y" + random.nextInt(1000));
                if (table.find(added) < 0 && random.nextInt(4) == 0) {
                    table.append(added, null);
                }
            }
        } while (cursor != 0);
        for (int i = 0; i < staying; i++) {
            assertThat(seen).contains("s" + i);
        }
    }
}
