// SPDX-License-Identifier: Apache-2.0
package goblin.host.value;

import goblin.host.keyspace.Value;
import goblin.host.keyspace.ValueType;
import goblin.net.linux.Memory;

/**
 * A list of byte strings: a ring of references, so both ends and any index cost the same; an insertion or removal
 * inside moves the references of the shorter side. Owned by one thread.
 */
public final class ListValue extends Value {
    private static final int MINIMUM_CAPACITY = 8;

    /** The limit in bytes that holds where the limit in force is a number of elements. */
    private static final long MOST_COUNTED_BYTES = 8192;

    private final EncodingLimits limits;
    private byte[][] ring;
    private int head;
    private int size;
    private long elementBytes;
    private boolean quicklist;

    /**
     * Makes an empty list.
     *
     * @param limits sizes up to which the encoding is a compact one
     */
    public ListValue(EncodingLimits limits) {
        this.limits = limits;
        ring = new byte[MINIMUM_CAPACITY][];
    }

    private ListValue(ListValue other) {
        limits = other.limits;
        ring = other.ring.clone();
        head = other.head;
        size = other.size;
        elementBytes = other.elementBytes;
        quicklist = other.quicklist;
    }

    /**
     * Returns the number of elements.
     *
     * @return elements
     */
    public int size() {
        return size;
    }

    /**
     * Returns the sum of the lengths of the elements.
     *
     * @return bytes
     */
    public long elementBytes() {
        return elementBytes;
    }

    /**
     * Returns an element; the caller must not change it.
     *
     * @param index 0 … size - 1
     * @return the element itself, no copy
     */
    public byte[] get(int index) {
        return ring[slot(index)];
    }

    /**
     * Replaces an element.
     *
     * @param index 0 … size - 1
     * @param element becomes the list's own
     */
    public void set(int index, byte[] element) {
        int slot = slot(index);
        elementBytes += element.length - ring[slot].length;
        ring[slot] = element;
    }

    /**
     * Puts an element before the first.
     *
     * @param element becomes the list's own
     */
    public void addFirst(byte[] element) {
        grow();
        head = (head - 1) & (ring.length - 1);
        ring[head] = element;
        size++;
        elementBytes += element.length;
    }

    /**
     * Puts an element after the last.
     *
     * @param element becomes the list's own
     */
    public void addLast(byte[] element) {
        grow();
        ring[(head + size) & (ring.length - 1)] = element;
        size++;
        elementBytes += element.length;
    }

    /**
     * Takes the first element of a list that is not empty.
     *
     * @return the element, now the caller's
     */
    public byte[] removeFirst() {
        byte[] element = ring[head];
        ring[head] = null;
        head = (head + 1) & (ring.length - 1);
        removed(element);
        return element;
    }

    /**
     * Takes the last element of a list that is not empty.
     *
     * @return the element, now the caller's
     */
    public byte[] removeLast() {
        int slot = slot(size - 1);
        byte[] element = ring[slot];
        ring[slot] = null;
        removed(element);
        return element;
    }

    private void removed(byte[] element) {
        size--;
        elementBytes -= element.length;
        shrink();
    }

    /**
     * Inserts an element so that it gets the given index.
     *
     * @param index 0 … size
     * @param element becomes the list's own
     */
    public void insert(int index, byte[] element) {
        grow();
        if (index < size / 2) {
            head = (head - 1) & (ring.length - 1);
            size++;
            moveDown(1, 0, index);
        } else {
            size++;
            moveUp(index, index + 1, size - 1 - index);
        }
        ring[slot(index)] = element;
        elementBytes += element.length;
    }

    /**
     * Removes elements equal to the given bytes.
     *
     * @param address first byte of the wanted element
     * @param length its bytes
     * @param limit at most so many, from the first on when positive, from the last on when negative; 0 removes all
     * @return the number removed
     */
    public int removeEqual(long address, int length, long limit) {
        int removed = limit < 0 ? removeFromEnd(address, length, -limit) : removeFromStart(address, length, limit);
        shrink();
        return removed;
    }

    private int removeFromStart(long address, int length, long limit) {
        int kept = 0;
        int removed = 0;
        for (int i = 0; i < size; i++) {
            byte[] element = get(i);
            if ((limit == 0 || removed < limit) && equal(element, address, length)) {
                removed++;
                elementBytes -= element.length;
            } else {
                if (removed > 0) {
                    ring[slot(kept)] = element;
                }
                kept++;
            }
        }
        clear(kept, size);
        size = kept;
        return removed;
    }

    private int removeFromEnd(long address, int length, long limit) {
        int kept = size;
        int removed = 0;
        for (int i = size - 1; i >= 0; i--) {
            byte[] element = get(i);
            // The smallest long has no negative: as a limit it means no limit.
            if ((limit < 0 || removed < limit) && equal(element, address, length)) {
                removed++;
                elementBytes -= element.length;
            } else {
                kept--;
                if (removed > 0) {
                    ring[slot(kept)] = element;
                }
            }
        }
        clear(0, kept);
        head = slot(kept);
        size -= kept;
        return removed;
    }

    /**
     * Keeps the elements from one index to another and drops the rest.
     *
     * @param from first index kept, 0 … size
     * @param to index after the last kept, from … size
     */
    public void keep(int from, int to) {
        for (int i = 0; i < from; i++) {
            elementBytes -= get(i).length;
        }
        for (int i = to; i < size; i++) {
            elementBytes -= get(i).length;
        }
        clear(0, from);
        clear(to, size);
        head = slot(from);
        size = to - from;
        shrink();
    }

    /**
     * Finds the first element equal to the given bytes.
     *
     * @param address first byte
     * @param length bytes
     * @return its index, or -1
     */
    public int indexOf(long address, int length) {
        for (int i = 0; i < size; i++) {
            if (equal(get(i), address, length)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Says whether the element at an index equals the given bytes.
     *
     * @param index 0 … size - 1
     * @param address first byte
     * @param length bytes
     * @return true when equal
     */
    public boolean equalAt(int index, long address, int length) {
        return equal(get(index), address, length);
    }

    private static boolean equal(byte[] element, long address, int length) {
        return element.length == length && Memory.equal(address, element, 0, length);
    }

    /**
     * Returns the name {@code OBJECT ENCODING} gives. A list that grew past the limit keeps its name until it is below
     * half of the limit again.
     *
     * @return {@code listpack} or {@code quicklist}
     */
    @Override
    public String encoding() {
        noteEncoding();
        return quicklist ? "quicklist" : "listpack";
    }

    /**
     * Lets the list notice that it passed a limit; to be called after it grew or shrank.
     */
    public void noteEncoding() {
        noteEncoding(0, 0);
    }

    /**
     * Lets the list notice that an element is about to replace another; by Redis's rule both count for the limit.
     *
     * @param length bytes of the new element
     */
    public void noteReplacing(int length) {
        noteEncoding(1, length);
    }

    private void noteEncoding(int moreElements, long moreBytes) {
        long limit = limits.listMaxListpackSize;
        long elements = (long) size + moreElements;
        long used = elementBytes + moreBytes + 2 * elements;
        long mostBytes = limit >= 0 ? MOST_COUNTED_BYTES : 4096L << Math.min(4, -limit - 1);
        long mostElements = limit >= 0 ? Math.max(limit, 1) : Long.MAX_VALUE;
        if (used > mostBytes || elements > mostElements) {
            quicklist = true;
        } else if (used <= mostBytes / 2 && elements <= mostElements / 2) {
            quicklist = false;
        }
    }

    @Override
    public ValueType type() {
        return ValueType.LIST;
    }

    @Override
    public long bytes() {
        return 48 + elementBytes + 16L * size + 4L * ring.length;
    }

    @Override
    public Value copy() {
        return new ListValue(this);
    }

    private int slot(int index) {
        return (head + index) & (ring.length - 1);
    }

    private void clear(int from, int to) {
        for (int i = from; i < to; i++) {
            ring[slot(i)] = null;
        }
    }

    /** Moves {@code count} references from a higher to a lower index, in ascending order. */
    private void moveDown(int from, int to, int count) {
        for (int i = 0; i < count; i++) {
            ring[slot(to + i)] = ring[slot(from + i)];
        }
    }

    /** Moves {@code count} references from a lower to a higher index, in descending order. */
    private void moveUp(int from, int to, int count) {
        for (int i = count - 1; i >= 0; i--) {
            ring[slot(to + i)] = ring[slot(from + i)];
        }
    }

    private void grow() {
        if (size == ring.length) {
            resize(ring.length * 2);
        }
    }

    private void shrink() {
        if (ring.length > MINIMUM_CAPACITY * 4 && size * 8L < ring.length) {
            resize(Math.max(MINIMUM_CAPACITY, Integer.highestOneBit(Math.max(size, 1)) * 4));
        }
    }

    private void resize(int capacity) {
        byte[][] next = new byte[capacity][];
        int first = Math.min(size, ring.length - head);
        System.arraycopy(ring, head, next, 0, first);
        System.arraycopy(ring, 0, next, first, size - first);
        ring = next;
        head = 0;
    }
}
