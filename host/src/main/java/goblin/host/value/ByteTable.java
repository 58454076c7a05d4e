// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import goblin.net.linux.Memory;
import java.util.Arrays;

/**
 * A hash table from byte strings to values whose entries lie densely in insertion order.
 *
 * <p>An entry is named by its position, {@code 0 … size() - 1}: random choice is one array access. Removal keeps the
 * order while the table is small and afterwards moves the last entry into the gap; either way an entry only ever moves
 * to a lower position, so a scan that walks down sees every entry that stays (see {@link #scanStart}). Look-ups by
 * native address allocate nothing. Owned by one thread.
 *
 * @param <V> the type of the values; a table may be used without values (all null)
 */
public final class ByteTable<V> {
    private static final int LINEAR_LIMIT = 32;
    private static final int MINIMUM_CAPACITY = 4;

    private byte[][] keys = new byte[MINIMUM_CAPACITY][];
    private int[] hashes = new int[MINIMUM_CAPACITY];
    private Object[] values;
    // Slots hold position + 1, 0 is free; null while the table is small enough for a linear search.
    private int[] slots;
    private int size;
    private long keyBytes;

    /**
     * Makes an empty table.
     *
     * @param withValues false for a set: no room is kept for values
     */
    public ByteTable(boolean withValues) {
        values = withValues ? new Object[MINIMUM_CAPACITY] : null;
    }

    /**
     * Copies a table; keys and values are shared, so values must be immutable for the copy to be independent.
     *
     * @param other the table to copy
     */
    public ByteTable(ByteTable<V> other) {
        keys = other.keys.clone();
        hashes = other.hashes.clone();
        values = other.values == null ? null : other.values.clone();
        slots = other.slots == null ? null : other.slots.clone();
        size = other.size;
        keyBytes = other.keyBytes;
    }

    /**
     * Returns the number of entries.
     *
     * @return entries
     */
    public int size() {
        return size;
    }

    /**
     * Returns the sum of the lengths of all keys.
     *
     * @return bytes
     */
    public long keyBytes() {
        return keyBytes;
    }

    /**
     * Estimates the memory of the table and its keys, without that of its values.
     *
     * @return bytes
     */
    public long bytes() {
        return 64
                + keyBytes
                + 16L * size
                + (values == null ? 8L : 12L) * keys.length
                + (slots == null ? 0 : 4L * slots.length);
    }

    /**
     * Returns the key at a position; the caller must not change it.
     *
     * @param position 0 … size - 1
     * @return the key itself, no copy
     */
    public byte[] key(int position) {
        return keys[position];
    }

    /**
     * Returns the value at a position.
     *
     * @param position 0 … size - 1
     * @return the value, null in a table without values
     */
    @SuppressWarnings("unchecked")
    public V value(int position) {
        return values == null ? null : (V) values[position];
    }

    /**
     * Replaces the value at a position.
     *
     * @param position 0 … size - 1
     * @param value the new value
     */
    public void setValue(int position, V value) {
        values[position] = value;
    }

    /**
     * Finds a key given as native bytes, without allocation.
     *
     * @param address first byte
     * @param length bytes
     * @return its position, or -1
     */
    public int find(long address, int length) {
        return find(address, length, fold(Memory.hash(address, length)));
    }

    private int find(long address, int length, int hash) {
        if (slots == null) {
            for (int i = 0; i < size; i++) {
                if (hashes[i] == hash && matches(i, address, length)) {
                    return i;
                }
            }
            return -1;
        }
        int mask = slots.length - 1;
        for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
            int position = slots[slot] - 1;
            if (position < 0) {
                return -1;
            }
            if (hashes[position] == hash && matches(position, address, length)) {
                return position;
            }
        }
    }

    private boolean matches(int position, long address, int length) {
        byte[] key = keys[position];
        return key.length == length && Memory.equal(address, key, 0, length);
    }

    /**
     * Finds a key.
     *
     * @param key the bytes
     * @return its position, or -1
     */
    public int find(byte[] key) {
        int hash = fold(Memory.hash(key));
        if (slots == null) {
            for (int i = 0; i < size; i++) {
                if (hashes[i] == hash && Arrays.equals(keys[i], key)) {
                    return i;
                }
            }
            return -1;
        }
        int mask = slots.length - 1;
        for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
            int position = slots[slot] - 1;
            if (position < 0) {
                return -1;
            }
            if (hashes[position] == hash && Arrays.equals(keys[position], key)) {
                return position;
            }
        }
    }

    /**
     * Appends an entry whose key is not in the table.
     *
     * @param key becomes the table's own
     * @param value null in a table without values
     * @return its position, which is the last
     */
    public int append(byte[] key, V value) {
        if (size == keys.length) {
            resize(size * 2);
        }
        int position = size++;
        keys[position] = key;
        keyBytes += key.length;
        hashes[position] = fold(Memory.hash(key));
        if (values != null) {
            values[position] = value;
        }
        if (slots != null) {
            if (size * 2L > slots.length) {
                rebuild();
            } else {
                link(position);
            }
        } else if (size > LINEAR_LIMIT) {
            rebuild();
        }
        return position;
    }

    /**
     * Removes the entry at a position; the positions of others may become lower.
     *
     * @param position 0 … size - 1
     */
    public void removeAt(int position) {
        keyBytes -= keys[position].length;
        int last = size - 1;
        if (slots == null) {
            shift(keys, position, last);
            System.arraycopy(hashes, position + 1, hashes, position, last - position);
            if (values != null) {
                shift(values, position, last);
            }
        } else {
            unlink(slotOf(position));
            if (position != last) {
                slots[slotOf(last)] = position + 1;
                keys[position] = keys[last];
                hashes[position] = hashes[last];
                if (values != null) {
                    values[position] = values[last];
                }
            }
        }
        keys[last] = null;
        if (values != null) {
            values[last] = null;
        }
        size = last;
        if (keys.length > LINEAR_LIMIT * 2 && size * 8L < keys.length) {
            resize(Math.max(keys.length / 4, LINEAR_LIMIT));
            rebuild();
        }
    }

    private static void shift(Object[] array, int position, int last) {
        System.arraycopy(array, position + 1, array, position, last - position);
    }

    /**
     * Says where a scan goes on. Visit the positions below the answer downwards; the next cursor is the lowest position
     * visited, 0 when that was the end. Entries present during the whole scan are visited at least once.
     *
     * @param cursor 0 to begin, else the cursor of the last step
     * @return exclusive upper bound of the positions to visit now
     */
    public int scanStart(long cursor) {
        return cursor <= 0 || cursor > size ? size : (int) cursor;
    }

    private void resize(int capacity) {
        int length = Math.max(capacity, MINIMUM_CAPACITY);
        keys = Arrays.copyOf(keys, length);
        hashes = Arrays.copyOf(hashes, length);
        if (values != null) {
            values = Arrays.copyOf(values, length);
        }
    }

    private void rebuild() {
        int wanted = Math.max(Integer.highestOneBit(Math.max(size, LINEAR_LIMIT)) * 4, 4 * LINEAR_LIMIT);
        slots = new int[wanted];
        for (int i = 0; i < size; i++) {
            link(i);
        }
    }

    private void link(int position) {
        int mask = slots.length - 1;
        int slot = hashes[position] & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = position + 1;
    }

    private int slotOf(int position) {
        int mask = slots.length - 1;
        int slot = hashes[position] & mask;
        while (slots[slot] != position + 1) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /** Frees a slot and moves later ones of the same run back, so that no tombstones are needed. */
    private void unlink(int freed) {
        int mask = slots.length - 1;
        int gap = freed;
        for (int slot = (gap + 1) & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
            int home = hashes[slots[slot] - 1] & mask;
            if (((slot - home) & mask) >= ((slot - gap) & mask)) {
                slots[gap] = slots[slot];
                gap = slot;
            }
        }
        slots[gap] = 0;
    }

    private static int fold(long hash) {
        return (int) (hash ^ (hash >>> 32));
    }
}
