// SPDX-License-Identifier: Apache-2.0
package goblin.host.keyspace;

import goblin.net.linux.Memory;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Chained hash table of entries on the Java heap; the hash is keyed per process, so hostile keys do not collide. */
final class HeapStore implements Store {
    private static final int SMALLEST = 16;

    private final SplittableRandom random = new SplittableRandom();
    private Entry[] table = new Entry[SMALLEST];
    private int mask = SMALLEST - 1;
    private int size;

    @Override
    public Entry find(final long address, final int length) {
        final long hash = Memory.hash(address, length);
        for (Entry entry = table[(int) hash & mask]; entry != null; entry = entry.next) {
            if (entry.hash == hash && entry.key.length == length && Memory.equal(address, entry.key, 0, length)) {
                return entry;
            }
        }
        return null;
    }

    @Override
    public Entry find(final byte[] key) {
        final long hash = Memory.hash(key);
        for (Entry entry = table[(int) hash & mask]; entry != null; entry = entry.next) {
            if (entry.hash == hash && java.util.Arrays.equals(entry.key, key)) {
                return entry;
            }
        }
        return null;
    }

    @Override
    public Entry add(final byte[] key, final Value value) {
        final Entry entry = new Entry(key, Memory.hash(key), value);
        if (size >= table.length && table.length < 1 << 30) {
            resize(table.length * 2);
        }
        final int bucket = (int) entry.hash & mask;
        entry.next = table[bucket];
        table[bucket] = entry;
        size++;
        return entry;
    }

    @Override
    public void remove(final Entry entry) {
        final int bucket = (int) entry.hash & mask;
        Entry previous = null;
        for (Entry at = table[bucket]; at != null; previous = at, at = at.next) {
            if (at == entry) {
                if (previous == null) {
                    table[bucket] = at.next;
                } else {
                    previous.next = at.next;
                }
                entry.next = null;
                size--;
                if (table.length > SMALLEST && size < table.length >> 3) {
                    resize(table.length >> 1);
                }
                return;
            }
        }
        throw new IllegalStateException("the entry is not in this store");
    }

    private void resize(final int length) {
        final Entry[] old = table;
        table = new Entry[length];
        mask = length - 1;
        for (final Entry first : old) {
            for (Entry entry = first; entry != null; ) {
                final Entry following = entry.next;
                final int bucket = (int) entry.hash & mask;
                entry.next = table[bucket];
                table[bucket] = entry;
                entry = following;
            }
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void clear() {
        table = new Entry[SMALLEST];
        mask = SMALLEST - 1;
        size = 0;
    }

    /**
     * The cursor counts buckets with its bits reversed: growing splits a bucket into buckets that are adjacent in that
     * order and shrinking merges such, so nothing already passed comes back and nothing ahead is jumped over.
     */
    @Override
    public long scan(final long cursor, final Consumer<Entry> visitor) {
        if (size == 0) {
            return 0;
        }
        for (Entry entry = table[(int) cursor & mask]; entry != null; entry = entry.next) {
            visitor.accept(entry);
        }
        final long allAboveMask = cursor | ~(long) mask;
        return Long.reverse(Long.reverse(allAboveMask) + 1);
    }

    @Override
    public void forEach(final Consumer<Entry> visitor) {
        for (final Entry first : table) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                visitor.accept(entry);
            }
        }
    }

    @Override
    public Entry random() {
        if (size == 0) {
            return null;
        }
        // Shrinking keeps at least one entry for eight buckets, so this ends soon.
        while (true) {
            final Entry first = table[random.nextInt(table.length)];
            if (first != null) {
                int chain = 0;
                for (Entry entry = first; entry != null; entry = entry.next) {
                    chain++;
                }
                Entry chosen = first;
                for (int steps = random.nextInt(chain); steps > 0; steps--) {
                    chosen = chosen.next;
                }
                return chosen;
            }
        }
    }
}
