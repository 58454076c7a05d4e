// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import goblin.host.keyspace.Value;
import goblin.host.keyspace.ValueType;

/**
 * A sorted set: members with scores, ordered by score and then by bytes. A table finds members, a skip list with spans
 * finds ranks and ranges. Owned by one thread.
 */
public final class SortedSetValue extends Value {
    private final EncodingLimits limits;
    private final ByteTable<SkipList.Node> members = new ByteTable<>(true);
    private final SkipList list = new SkipList();
    private boolean skiplist;

    /**
     * Makes an empty sorted set.
     *
     * @param limits sizes up to which the encoding is a compact one
     */
    public SortedSetValue(EncodingLimits limits) {
        this.limits = limits;
    }

    private SortedSetValue(SortedSetValue other) {
        limits = other.limits;
        for (SkipList.Node node = other.list.first(); node != null; node = node.next()) {
            append(node.member(), node.score());
        }
        skiplist = other.skiplist;
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
     * @return its position in no order, 0 … size - 1, or -1
     */
    public int find(long address, int length) {
        return members.find(address, length);
    }

    /**
     * Finds a member.
     *
     * @param member the bytes
     * @return its position in no order, or -1
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
     * Returns the score at a position.
     *
     * @param position 0 … size - 1
     * @return the score, never NaN
     */
    public double score(int position) {
        return members.value(position).score();
    }

    /**
     * Returns the rank of the member at a position.
     *
     * @param position 0 … size - 1
     * @return 0 for the lowest
     */
    public int rank(int position) {
        return list.rank(members.value(position));
    }

    /**
     * Adds a member that is not there yet.
     *
     * @param member becomes the set's own
     * @param score not NaN
     */
    public void append(byte[] member, double score) {
        members.append(member, list.insert(score, member));
        skiplist |= members.size() > limits.zsetMaxListpackEntries || member.length > limits.zsetMaxListpackValue;
    }

    /**
     * Lets the set notice what one command offers; by Redis's rule the encoding follows it even if nothing is added.
     *
     * @param elements members of the command
     * @param length bytes of one of them
     */
    public void noteOffered(int elements, int length) {
        skiplist |= elements > limits.zsetMaxListpackEntries || length > limits.zsetMaxListpackValue;
    }

    /**
     * Changes the score of the member at a position.
     *
     * @param position 0 … size - 1
     * @param score not NaN
     */
    public void setScore(int position, double score) {
        SkipList.Node node = members.value(position);
        if (list.staysInPlace(node, score)) {
            node.setScore(score);
        } else {
            list.remove(node);
            members.setValue(position, list.insert(score, node.member()));
        }
    }

    /**
     * Removes the member at a position; the positions of others may become lower.
     *
     * @param position 0 … size - 1
     */
    public void removeAt(int position) {
        list.remove(members.value(position));
        members.removeAt(position);
    }

    /**
     * Removes the member a node of the order stands for.
     *
     * @param node a node of this set
     */
    public void remove(SkipList.Node node) {
        list.remove(node);
        members.removeAt(members.find(node.member()));
    }

    /**
     * Returns the order of the members; to be read only, changes go through this object.
     *
     * @return the skip list
     */
    public SkipList order() {
        return list;
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
     * Says whether the set has outgrown the compact encoding.
     *
     * @return true for {@code skiplist}
     */
    public boolean isSkiplist() {
        return skiplist;
    }

    /**
     * Returns the name {@code OBJECT ENCODING} gives; a sorted set never goes back to the compact one.
     *
     * @return {@code listpack} or {@code skiplist}
     */
    @Override
    public String encoding() {
        return skiplist ? "skiplist" : "listpack";
    }

    @Override
    public ValueType type() {
        return ValueType.SORTED_SET;
    }

    @Override
    public long bytes() {
        return members.bytes() + 96L * members.size();
    }

    @Override
    public Value copy() {
        return new SortedSetValue(this);
    }
}
