// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import goblin.net.linux.Memory;
import java.nio.charset.StandardCharsets;

/**
 * The words of one command, the name first: native addresses and lengths, whether they lie in a received segment, in a
 * transaction's queue or in a script's memory. Whoever fills it in owns the bytes and keeps them until the command has
 * run; {@link #copy} makes an instance that owns its bytes and must be freed. Single-threaded.
 */
public final class Arguments implements goblin.resp.Arguments {
    private static final int USUAL = 16;

    private long[] addresses = new long[USUAL];
    private int[] lengths = new int[USUAL];
    private int count;
    private long parsed;
    private long block;
    private long blockBytes;

    /** Forgets all words. */
    public void clear() {
        count = 0;
        if (addresses.length > 4096) {
            addresses = new long[USUAL];
            lengths = new int[USUAL];
        }
    }

    /**
     * Adds a word.
     *
     * @param address first byte, native
     * @param length  0 or more
     */
    public void add(final long address, final int length) {
        if (count == addresses.length) {
            addresses = java.util.Arrays.copyOf(addresses, count * 2);
            lengths = java.util.Arrays.copyOf(lengths, count * 2);
        }
        addresses[count] = address;
        lengths[count++] = length;
    }

    /**
     * Number of words, the command's name included.
     *
     * @return 0 or more
     */
    public int count() {
        return count;
    }

    /**
     * Where a word lies.
     *
     * @param index 0 is the command's name
     * @return native address
     */
    public long address(final int index) {
        return addresses[index];
    }

    /**
     * How long a word is.
     *
     * @param index 0 is the command's name
     * @return bytes, 0 or more
     */
    public int length(final int index) {
        return lengths[index];
    }

    @Override
    public int argumentCount() {
        return count;
    }

    @Override
    public long argument(final int index) {
        return addresses[index];
    }

    @Override
    public int argumentLength(final int index) {
        return lengths[index];
    }

    /**
     * A copy of a word.
     *
     * @param index 0 is the command's name
     * @return a new array
     */
    public byte[] bytes(final int index) {
        return Memory.toBytes(addresses[index], lengths[index]);
    }

    /**
     * A word as text, byte by byte (ISO 8859-1); for errors and rare options, not for the hot path.
     *
     * @param index 0 is the command's name
     * @return never null
     */
    public String text(final int index) {
        return new String(bytes(index), StandardCharsets.ISO_8859_1);
    }

    /**
     * Compares a word with an option's name, ignoring case. Allocates nothing.
     *
     * @param index 0 is the command's name
     * @param upper the name in upper-case ASCII
     * @return whether they are equal
     */
    public boolean is(final int index, final String upper) {
        final int length = lengths[index];
        if (length != upper.length()) {
            return false;
        }
        final long address = addresses[index];
        for (int i = 0; i < length; i++) {
            int b = Memory.getByte(address + i);
            if (b >= 'a' && b <= 'z') {
                b -= 32;
            }
            if (b != upper.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Tells whether two words are the same bytes.
     *
     * @param a an index
     * @param b an index
     * @return whether they are equal
     */
    public boolean same(final int a, final int b) {
        return lengths[a] == lengths[b] && Memory.equal(addresses[a], addresses[b], lengths[a]);
    }

    /**
     * Reads a word as a whole number, as strictly as Redis: no spaces, no plus sign, no leading zeros.
     *
     * @param index 0 is the command's name
     * @return whether it is one; then {@link #parsed} is its value
     */
    public boolean parseLong(final int index) {
        final long address = addresses[index];
        final int length = lengths[index];
        if (length == 0 || length > 20) {
            return false;
        }
        final boolean negative = Memory.getByte(address) == '-';
        int at = negative ? 1 : 0;
        if (at == length) {
            return false;
        }
        if (Memory.getByte(address + at) == '0') {
            parsed = 0;
            return length == 1;
        }
        long sum = 0;
        for (; at < length; at++) {
            final int digit = Memory.getByte(address + at) - '0';
            if (digit < 0 || digit > 9 || sum < Long.MIN_VALUE / 10) {
                return false;
            }
            // Counted downwards: the smallest long has no positive twin.
            final long next = sum * 10 - digit;
            if (next > sum) {
                return false;
            }
            sum = next;
        }
        if (!negative && sum == Long.MIN_VALUE) {
            return false;
        }
        parsed = negative ? sum : -sum;
        return true;
    }

    /**
     * What {@link #parseLong} read last.
     *
     * @return the number
     */
    public long parsed() {
        return parsed;
    }

    /**
     * An independent copy that owns its bytes in one block of native memory.
     *
     * @return to be given back with {@link #free}
     */
    public Arguments copy() {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += lengths[i];
        }
        final Arguments copy = new Arguments();
        copy.block = Memory.allocate(Math.max(bytes, 1));
        copy.blockBytes = bytes;
        long at = copy.block;
        for (int i = 0; i < count; i++) {
            Memory.copy(addresses[i], at, lengths[i]);
            copy.add(at, lengths[i]);
            at += lengths[i];
        }
        return copy;
    }

    /**
     * Native bytes this instance owns.
     *
     * @return 0 when it owns none
     */
    public long ownedBytes() {
        return blockBytes;
    }

    /** Gives back what {@link #copy} allocated and forgets all words; does nothing for other instances. */
    public void free() {
        if (block != 0) {
            Memory.free(block);
            block = 0;
            blockBytes = 0;
        }
        count = 0;
    }
}
