// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class SortedSetValueTest {
    private final EncodingLimits limits = new EncodingLimits();

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static List<String> contents(SortedSetValue set) {
        List<String> all = new ArrayList<>();
        for (SkipList.Node node = set.order().first(); node != null; node = node.next()) {
            all.add(new String(node.member(), ISO_8859_1) + "=" + node.score());
        }
        return all;
    }

    private static List<String> backwards(SortedSetValue set) {
        List<String> all = new ArrayList<>();
        for (SkipList.Node node = set.order().last(); node != null; node = node.previous()) {
            all.add(new String(node.member(), ISO_8859_1) + "=" + node.score());
        }
        return all;
    }

    @Property(tries = 200)
    void shouldKeepOrderAndRanksThroughChanges(@ForAll @Size(max = 500) List<@IntRange(max = 99_999) Integer> steps) {
        SortedSetValue set = new SortedSetValue(limits);
        Map<String, Double> model = new TreeMap<>();
        for (int step : steps) {
            String member = "m" + step % 130;
            double score = step / 130 % 25 - 12;
            int position = set.find(bytes(member));
            assertThat(position >= 0).isEqualTo(model.containsKey(member));
            if (step % 3 == 0) {
                if (position >= 0) {
                    set.removeAt(position);
                    model.remove(member);
                }
            } else {
                if (position >= 0) {
                    set.setScore(position, score);
                } else {
                    set.append(bytes(member), score);
                }
                model.put(member, score);
            }
        }
        List<String> expected = model.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
        assertThat(contents(set)).isEqualTo(expected);
        assertThat(backwards(set)).isEqualTo(expected.reversed());
        for (int rank = 0; rank < expected.size(); rank++) {
            SkipList.Node node = set.order().at(rank);
            assertThat(set.rank(set.find(node.member()))).isEqualTo(rank);
            assertThat(new String(node.member(), ISO_8859_1) + "=" + node.score())
                    .isEqualTo(expected.get(rank));
        }
        assertThat(set.order().at(expected.size())).isNull();
        for (int bound = -13; bound < 13; bound++) {
            double wanted = bound;
            assertThat(set.order().countBefore(node -> node.score() >= wanted)).isEqualTo((int)
                    model.values().stream().filter(score -> score < wanted).count());
        }
    }

    @Test
    void shouldOrderEqualScoresByUnsignedBytes() {
        SortedSetValue set = new SortedSetValue(limits);
        for (String member : List.of("\u00ff", "b", "", "a", "aa", "\u0000")) {
            set.append(bytes(member), 1);
        }
        assertThat(contents(set)).containsExactly("=1.0", "\u0000=1.0", "a=1.0", "aa=1.0", "b=1.0", "\u00ff=1.0");
        set.remove(set.order().first());
        assertThat(set.find(bytes(""))).isNegative();
    }

    @Test
    void shouldNameItsEncodingByTheLimits() {
        SortedSetValue set = new SortedSetValue(limits);
        for (int i = 0; i < 128; i++) {
            set.append(bytes("m" + i), i);
        }
        assertThat(set.encoding()).isEqualTo("listpack");
        set.append(bytes("one more"), 0);
        assertThat(set.encoding()).isEqualTo("skiplist");
        set.removeAt(0);
        assertThat(set.encoding()).isEqualTo("skiplist");
        SortedSetValue longMember = new SortedSetValue(limits);
        longMember.append(new byte[65], 0);
        assertThat(longMember.encoding()).isEqualTo("skiplist");
    }
}
