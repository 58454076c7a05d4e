// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import goblin.host.keyspace.Value;
import goblin.host.keyspace.ValueType;

/** A hash: fields and their values, both byte strings. Owned by one thread. */
public final class HashValue extends Value {
    private final EncodingLimits limits;
    private final ByteTable<byte[]> fields;
    private long valueBytes;
    private boolean hashtable;

    /**
     * Makes an empty hash.
     *
     * @param limits sizes up to which the encoding is a compact one
     */
    public HashValue(EncodingLimits limits) {
        this.limits = limits;
        fields = new ByteTable<>(true);
    }

    private HashValue(HashValue other) {
        limits = other.limits;
        fields = new ByteTable<>(other.fields);
        valueBytes = other.valueBytes;
        hashtable = other.hashtable;
    }

    /**
     * Returns the number of fields.
     *
     * @return fields
     */
    public int size() {
        return fields.size();
    }

    /**
     * Returns the bytes of all fields and values.
     *
     * @return bytes
     */
    public long contentBytes() {
        return fields.keyBytes() + valueBytes;
    }

    /**
     * Finds a field without allocation.
     *
     * @param address first byte of the field
     * @param length its bytes
     * @return its position, 0 … size - 1, or -1
     */
    public int find(long address, int length) {
        return fields.find(address, length);
    }

    /**
     * Finds a field.
     *
     * @param field the bytes
     * @return its position, or -1
     */
    public int find(byte[] field) {
        return fields.find(field);
    }

    /**
     * Returns the field at a position.
     *
     * @param position 0 … size - 1
     * @return the field itself, no copy
     */
    public byte[] field(int position) {
        return fields.key(position);
    }

    /**
     * Returns the value at a position.
     *
     * @param position 0 … size - 1
     * @return the value itself, no copy
     */
    public byte[] value(int position) {
        return fields.value(position);
    }

    /**
     * Replaces the value at a position.
     *
     * @param position 0 … size - 1
     * @param value becomes the hash's own
     */
    public void setValue(int position, byte[] value) {
        valueBytes += value.length - fields.value(position).length;
        fields.setValue(position, value);
        hashtable |= value.length > limits.hashMaxListpackValue;
    }

    /**
     * Adds a field that is not there yet.
     *
     * @param field becomes the hash's own
     * @param value becomes the hash's own
     */
    public void append(byte[] field, byte[] value) {
        fields.append(field, value);
        valueBytes += value.length;
        hashtable |= field.length > limits.hashMaxListpackValue
                || value.length > limits.hashMaxListpackValue
                || fields.size() > limits.hashMaxListpackEntries;
    }

    /**
     * Removes the field at a position; the positions of others may become lower.
     *
     * @param position 0 … size - 1
     */
    public void removeAt(int position) {
        valueBytes -= fields.value(position).length;
        fields.removeAt(position);
    }

    /**
     * Says where a scan goes on, see {@link ByteTable#scanStart}.
     *
     * @param cursor 0 to begin, else the cursor of the last step
     * @return exclusive upper bound of the positions to visit now
     */
    public int scanStart(long cursor) {
        return fields.scanStart(cursor);
    }

    /**
     * Says whether the hash has outgrown the compact encoding.
     *
     * @return true for {@code hashtable}
     */
    public boolean isHashtable() {
        return hashtable;
    }

    /**
     * Returns the name {@code OBJECT ENCODING} gives; a hash never goes back to the compact one.
     *
     * @return {@code listpack} or {@code hashtable}
     */
    @Override
    public String encoding() {
        return hashtable ? "hashtable" : "listpack";
    }

    @Override
    public ValueType type() {
        return ValueType.HASH;
    }

    @Override
    public long bytes() {
        return fields.bytes() + valueBytes + 16L * fields.size();
    }

    @Override
    public Value copy() {
        return new HashValue(this);
    }
}
