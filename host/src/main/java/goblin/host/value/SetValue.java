// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import goblin.host.keyspace.Value;
import goblin.host.keyspace.ValueType;

/** A set of byte strings. Owned by one thread. */
public final class SetValue extends Value {
    private enum Encoding {
        INTSET,
        LISTPACK,
        HASHTABLE
    }

    private final EncodingLimits limits;
    private final ByteTable<Void> members;
    private Encoding encoding = Encoding.INTSET;

    /**
     * Makes an empty set.
     *
     * @param limits sizes up to which the encoding is a compact one
     */
    public SetValue(EncodingLimits limits) {
        this.limits = limits;
        members = new ByteTable<>(false);
    }

    private SetValue(SetValue other) {
        limits = other.limits;
        members = new ByteTable<>(other.members);
        encoding = other.encoding;
    }

    /**
     * Returns the number of members.
     *
     * @return members
     */
    public int size() {
        return members.size();
    }

    /**
     * Returns the bytes of all members.
     *
     * @return bytes
     */
    public long memberBytes() {
        return members.keyBytes();
    }

    /**
     * Finds a member without allocation.
     *
     * @param address first byte
     * @param length bytes
     * @return its position, 0 … size - 1, or -1
     */
    public int find(long address, int length) {
        return members.find(address, length);
    }

    /**
     * Finds a member.
     *
     * @param member the bytes
     * @return its position, or -1
     */
    public int find(byte[] member) {
        return members.find(member);
    }

    /**
     * Returns the member at a position.
     *
     * @param position 0 … size - 1
     * @return the member itself, no copy
     */
    public byte[] member(int position) {
        return members.key(position);
    }

    /**
     * Adds a member unless it is there.
     *
     * @param member becomes the set's own when added
     * @return true when it was not there
     */
    public boolean add(byte[] member) {
        if (members.find(member) >= 0) {
            return false;
        }
        append(member);
        return true;
    }

    /**
     * Adds a member that is not there yet.
     *
     * @param member becomes the set's own
     */
    public void append(byte[] member) {
        members.append(member, null);
        if (encoding == Encoding.INTSET) {
            boolean number = isInteger(member);
            if (number && members.size() <= limits.setMaxIntsetEntries) {
                return;
            }
            encoding = Encoding.LISTPACK;
        }
        if (encoding == Encoding.LISTPACK
                && (members.size() > limits.setMaxListpackEntries || member.length > limits.setMaxListpackValue)) {
            encoding = Encoding.HASHTABLE;
        }
    }

    /**
     * Removes the member at a position; the positions of others may become lower.
     *
     * @param position 0 … size - 1
     */
    public void removeAt(int position) {
        members.removeAt(position);
    }

    /**
     * Says where a scan goes on, see {@link ByteTable#scanStart}.
     *
     * @param cursor 0 to begin, else the cursor of the last step
     * @return exclusive upper bound of the positions to visit now
     */
    public int scanStart(long cursor) {
        return members.scanStart(cursor);
    }

    /**
     * Says whether the set has outgrown the compact encodings.
     *
     * @return true for {@code hashtable}
     */
    public boolean isHashtable() {
        return encoding == Encoding.HASHTABLE;
    }

    /**
     * Returns the name {@code OBJECT ENCODING} gives; a set never goes back to a more compact one.
     *
     * @return {@code intset}, {@code listpack} or {@code hashtable}
     */
    @Override
    public String encoding() {
        return switch (encoding) {
            case INTSET -> "intset";
            case LISTPACK -> "listpack";
            case HASHTABLE -> "hashtable";
        };
    }

    @Override
    public ValueType type() {
        return ValueType.SET;
    }

    @Override
    public long bytes() {
        return members.bytes();
    }

    @Override
    public Value copy() {
        return new SetValue(this);
    }

    /** Says whether the bytes are the canonical decimal form of a 64-bit number. */
    private static boolean isInteger(byte[] text) {
        int start = text.length > 0 && text[0] == '-' ? 1 : 0;
        int digits = text.length - start;
        if (digits < 1 || digits > 19 || (text[start] == '0' && (digits > 1 || start == 1))) {
            return false;
        }
        long value = 0;
        for (int i = start; i < text.length; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            // Counts below zero, where one number more fits; 19 digits overflow at most once, seen by the sign.
            value = value * 10 - digit;
            if (value > 0) {
                return false;
            }
        }
        return start == 1 || value != Long.MIN_VALUE;
    }
}
