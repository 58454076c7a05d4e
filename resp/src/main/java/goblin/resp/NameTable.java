// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds what belongs to a name, such as a command, straight from the bytes of a request and without regard to the case
 * of ASCII letters.
 *
 * <p>Fill it once, then look up from any thread; looking up allocates nothing.
 *
 * @param <T> what a name stands for
 */
public final class NameTable<T> {
    private byte[][] names = new byte[16][];
    private Object[] values = new Object[16];
    private int size;
    private int longest;

    /** Makes an empty table. */
    public NameTable() {}

    /**
     * Adds a name, or gives it another value.
     *
     * @param name  ASCII, in any case
     * @param value what it stands for, not null
     */
    public void put(final String name, final T value) {
        final byte[] bytes = upper(name.getBytes(StandardCharsets.ISO_8859_1));
        // Kept at most a quarter full: most lookups, hits and misses, look at one place.
        if ((size + 1) * 4 > names.length) {
            enlarge();
        }
        final int slot = slot(bytes);
        if (names[slot] == null) {
            size++;
            longest = Math.max(longest, bytes.length);
        }
        names[slot] = bytes;
        values[slot] = value;
    }

    /**
     * Looks a name up.
     *
     * @param address first byte of the name
     * @param length  bytes, 0 or more
     * @return its value, or null when there is none
     */
    public T get(final long address, final int length) {
        if (length > longest) {
            return null;
        }
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = step(hash, Ascii.upper(Memory.getByte(address + i)));
        }
        final int mask = names.length - 1;
        int slot = spread(hash) & mask;
        while (names[slot] != null) {
            if (same(names[slot], address, length)) {
                return valueAt(slot);
            }
            slot = (slot + 1) & mask;
        }
        return null;
    }

    /**
     * Looks a name up.
     *
     * @param name the name
     * @return its value, or null when there is none
     */
    public T get(final String name) {
        return valueAt(slot(upper(name.getBytes(StandardCharsets.ISO_8859_1))));
    }

    /**
     * How many names there are.
     *
     * @return 0 or more
     */
    public int size() {
        return size;
    }

    @SuppressWarnings("unchecked")
    private T valueAt(final int slot) {
        return (T) values[slot];
    }

    private void enlarge() {
        final byte[][] oldNames = names;
        final Object[] oldValues = values;
        names = new byte[oldNames.length * 2][];
        values = new Object[oldNames.length * 2];
        for (int i = 0; i < oldNames.length; i++) {
            if (oldNames[i] != null) {
                final int slot = slot(oldNames[i]);
                names[slot] = oldNames[i];
                values[slot] = oldValues[i];
            }
        }
    }

    /** Where a name in capitals is, or where it would go. */
    private int slot(final byte[] name) {
        int hash = name.length;
        for (final byte value : name) {
            hash = step(hash, value & 0xFF);
        }
        final int mask = names.length - 1;
        int slot = spread(hash) & mask;
        while (names[slot] != null && !Arrays.equals(names[slot], name)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private static boolean same(final byte[] name, final long address, final int length) {
        if (name.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (name[i] != (byte) Ascii.upper(Memory.getByte(address + i))) {
                return false;
            }
        }
        return true;
    }

    private static byte[] upper(final byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Ascii.upper(bytes[i]);
        }
        return bytes;
    }

    private static int step(final int hash, final int value) {
        return hash * 31 + value;
    }

    private static int spread(final int hash) {
        final int mixed = hash * 0x9E3779B9;
        return mixed ^ (mixed >>> 16);
    }
}
