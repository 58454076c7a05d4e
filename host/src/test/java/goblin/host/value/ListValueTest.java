// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class ListValueTest {
    private final EncodingLimits limits = new EncodingLimits();

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static List<String> contents(ListValue list) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            all.add(new String(list.get(i), ISO_8859_1));
        }
        return all;
    }

    @Property(tries = 300)
    void shouldBehaveLikeAnArrayList(@ForAll @Size(max = 400) List<@IntRange(max = 9999) Integer> steps) {
        ListValue list = new ListValue(limits);
        List<String> model = new ArrayList<>();
        for (int step : steps) {
            apply(list, model, step % 20, step / 20);
            assertThat(list.size()).isEqualTo(model.size());
        }
        assertThat(contents(list)).isEqualTo(model);
        assertThat(list.elementBytes())
                .isEqualTo(model.stream().mapToLong(String::length).sum());
    }

    private static void apply(ListValue list, List<String> model, int what, int argument) {
        String element = "e" + argument % 7;
        int index = model.isEmpty() ? 0 : argument % model.size();
        if (what < 5) {
            list.addLast(bytes(element));
            model.add(element);
        } else if (what < 10) {
            list.addFirst(bytes(element));
            model.addFirst(element);
        } else if (what < 14) {
            list.insert(index, bytes(element));
            model.add(index, element);
        } else if (what == 14) {
            remove(list, model, element, argument % 3 - 1);
        } else if (!model.isEmpty()) {
            switch (what) {
                case 15 -> assertThat(list.removeFirst()).isEqualTo(bytes(model.removeFirst()));
                case 16 -> assertThat(list.removeLast()).isEqualTo(bytes(model.removeLast()));
                case 17 -> {
                    list.set(index, bytes("set"));
                    model.set(index, "set");
                }
                case 18 -> {
                    int from = index / 4;
                    int to = Math.max(from, model.size() - index / 5);
                    list.keep(from, to);
                    List<String> kept = new ArrayList<>(model.subList(from, to));
                    model.clear();
                    model.addAll(kept);
                }
                default -> assertThat(list.get(index)).isEqualTo(bytes(model.get(index)));
            }
        }
    }

    private static void remove(ListValue list, List<String> model, String element, int limit) {
        int removed = 0;
        int most = limit == 0 ? Integer.MAX_VALUE : Math.abs(limit);
        while (removed < most && model.contains(element)) {
            model.remove(limit < 0 ? model.lastIndexOf(element) : model.indexOf(element));
            removed++;
        }
        withNative(element, address -> list.removeEqual(address, element.length(), limit), removed);
    }

    private static void withNative(String text, java.util.function.LongToIntFunction action, int expected) {
        long address = Memory.allocate(Math.max(1, text.length()));
        try {
            Memory.copyIn(bytes(text), 0, address, text.length());
            assertThat(action.applyAsInt(address)).isEqualTo(expected);
        } finally {
            Memory.free(address);
        }
    }

    @Test
    void shouldFindAndRemoveFromEitherEnd() {
        ListValue list = new ListValue(limits);
        for (String element : List.of("a", "b", "c", "a", "b", "c", "a")) {
            list.addLast(bytes(element));
        }
        withNative("c", address -> list.indexOf(address, 1), 2);
        withNative("x", address -> list.indexOf(address, 1), -1);
        withNative("a", address -> list.removeEqual(address, 1, -2), 2);
        assertThat(contents(list)).containsExactly("a", "b", "c", "b", "c");
        withNative("b", address -> list.removeEqual(address, 1, Long.MIN_VALUE), 2);
        assertThat(contents(list)).containsExactly("a", "c", "c");
    }

    @Test
    void shouldNameItsEncodingByTheLimits() {
        ListValue list = new ListValue(limits);
        for (int i = 0; i < 7; i++) {
            list.addLast(new byte[1000]);
            assertThat(list.encoding()).isEqualTo("listpack");
        }
        list.addLast(new byte[2000]);
        assertThat(list.encoding()).isEqualTo("quicklist");
        list.removeLast();
        assertThat(list.encoding()).as("above half of the limit").isEqualTo("quicklist");
        list.keep(0, 4);
        assertThat(list.encoding()).isEqualTo("listpack");
        limits.listMaxListpackSize = 9;
        assertThat(list.encoding()).isEqualTo("listpack");
        list.addLast(new byte[9000]);
        assertThat(list.encoding()).as("too many bytes for a limit in elements").isEqualTo("quicklist");
        list.removeLast();
        limits.listMaxListpackSize = 3;
        assertThat(list.encoding()).isEqualTo("quicklist");
    }
}
