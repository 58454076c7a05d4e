// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class KeyspaceTest {
    private final Recorder events = new Recorder();
    private long nowMs = 1000;
    private final Keyspace keyspace = new Keyspace(() -> nowMs, events);

    private static final class Recorder implements KeyspaceEvents {
        private final List<String> told = new ArrayList<>();

        @Override
        public void onModified(final byte[] key) {
            told.add("modified " + text(key));
        }

        @Override
        public void onAdded(final Entry entry) {
            told.add("added " + text(entry.key()));
        }

        @Override
        public void onExpired(final byte[] key) {
            told.add("expired " + text(key));
        }

        @Override
        public void onClearing() {
            told.add("clearing");
        }
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(final byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private Entry put(final String key, final long expireAtMs) {
        final Entry entry = keyspace.add(bytes(key), StringValue.of(bytes("value")));
        keyspace.setExpiry(entry, expireAtMs);
        return entry;
    }

    @Test
    void shouldRemoveAnExpiredKeyWhenItIsLookedUp() {
        put("k", 1500);
        nowMs = 1499;
        assertThat(keyspace.peek(bytes("k"))).isNotNull();
        nowMs = 1500;
        assertThat(keyspace.isStale(bytes("k"))).isTrue();
        assertThat(keyspace.peek(bytes("k"))).isNull();
        assertThat(events.told).containsExactly("added k", "modified k", "expired k");
        assertThat(keyspace.expired()).isEqualTo(1);
        assertThat(keyspace.size()).isZero();
    }

    @Test
    void shouldRemoveExpiredKeysByTheClockInTheirOrderAndSoManyAtOnce() {
        put("late", 3000);
        put("second", 1200);
        put("first", 1100);
        put("stays", Entry.NEVER);
        nowMs = 2000;
        assertThat(keyspace.expireDue(1)).isEqualTo(1);
        assertThat(events.told).endsWith("expired first");
        assertThat(keyspace.expireDue(10)).isEqualTo(1);
        assertThat(keyspace.size()).isEqualTo(2);
        assertThat(keyspace.expiring()).isEqualTo(1);
        keyspace.setActiveExpiry(false);
        nowMs = 4000;
        assertThat(keyspace.expireDue(10)).isZero();
    }

    @Test
    void shouldCountMemoryExactlyAsMuchAsItGivesBack() {
        final Entry entry = put("k", Entry.NEVER);
        final long before = keyspace.usedBytes();
        ((StringValue) entry.value()).overwrite(1000, 0, 0);
        keyspace.modified(entry);
        assertThat(keyspace.usedBytes()).isGreaterThanOrEqualTo(before + 900);
        assertThat(keyspace.bytesOf(entry)).isEqualTo(keyspace.usedBytes());
        keyspace.delete(entry);
        assertThat(keyspace.usedBytes()).isZero();
    }

    @Test
    void shouldTellThatAKeyIsNewAgainWhenItsTypeChanges() {
        final Entry entry = put("k", Entry.NEVER);
        events.told.clear();
        keyspace.replace(entry, StringValue.of(5));
        assertThat(events.told).isEmpty();
    }

    @Test
    void shouldPickRandomKeysOfAllButExpiredOnes() {
        put("dead", 1001);
        put("a", Entry.NEVER);
        put("b", Entry.NEVER);
        nowMs = 2000;
        final Set<String> seen = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            seen.add(text(keyspace.random().key()));
        }
        assertThat(seen).containsExactlyInAnyOrder("a", "b");
    }

    @Property(tries = 200)
    void shouldVisitEveryKeyThatStaysWhileOthersComeAndGo(
            @ForAll @IntRange(min = 0, max = 300) final int stable, @ForAll final long seed) {
        final Random random = new Random(seed);
        final Keyspace space = new Keyspace(() -> 0, events);
        final Set<String> expected = new HashSet<>();
        for (int i = 0; i < stable; i++) {
            space.add(bytes("s" + i), StringValue.of(i));
            expected.add("s" + i);
        }
        final List<Entry> passing = new ArrayList<>();
        final Set<String> seen = new HashSet<>();
        long cursor = 0;
        do {
            cursor = space.scan(cursor, entry -> seen.add(text(entry.key())));
            for (int change = random.nextInt(40); change > 0; change--) {
                if (random.nextBoolean() || passing.isEmpty()) {
                    passing.add(space.add(bytes("p" + random.nextLong()), StringValue.of(0)));
                } else {
                    space.delete(passing.remove(random.nextInt(passing.size())));
                }
            }
            if (random.nextInt(20) == 0) {
                passing.forEach(space::delete);
                passing.clear();
            }
        } while (cursor != 0 && passing.size() < 5000);
        if (cursor == 0) {
            assertThat(seen).containsAll(expected);
        }
    }

    @Property(tries = 200)
    void shouldExpireInTheOrderOfTime(@ForAll final long seed) {
        final Random random = new Random(seed);
        final long[] now = {0};
        final Keyspace space = new Keyspace(() -> now[0], new Recorder());
        final TreeMap<String, Long> model = new TreeMap<>();
        for (int step = 0; step < 300; step++) {
            final String key = "k" + random.nextInt(40);
            final Entry entry = space.peek(bytes(key));
            assertThat(entry != null).isEqualTo(model.containsKey(key));
            final long at = now[0] + 1 + random.nextInt(50);
            if (entry == null) {
                space.setExpiry(space.add(bytes(key), StringValue.of(1)), at);
                model.put(key, at);
            } else if (random.nextBoolean()) {
                space.setExpiry(entry, at);
                model.put(key, at);
            } else {
                space.delete(entry);
                model.remove(key);
            }
            now[0] += random.nextInt(4);
            space.expireDue(Integer.MAX_VALUE);
            model.values().removeIf(time -> time <= now[0]);
            assertThat(space.size()).isEqualTo(model.size());
        }
    }
}
