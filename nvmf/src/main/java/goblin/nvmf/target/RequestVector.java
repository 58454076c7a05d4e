// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import goblin.net.Iovec;
import goblin.net.linux.Memory;

/**
 * A request's data as native {@code struct iovec}s, in order. Everything in the target works from the current vector,
 * whichever it is: the inline one that each request has, of {@link #INLINE} entries unless its transport says otherwise, or
 * a larger one that its transport supplied by {@link #extend}.
 */
public final class RequestVector {
    /** Entries of the vector that each request has. */
    public static final int INLINE = 33;

    private final long inline;
    private final int inlineEntries;
    private long iovecs;
    private int capacity;
    private int count;
    private long bytes;

    /**
     * Makes an empty vector.
     *
     * @param inline address of {@link #INLINE} native iovecs that stay with the request
     */
    public RequestVector(final long inline) {
        this(inline, INLINE);
    }

    /**
     * Makes an empty vector of another size.
     *
     * @param inline  address of native iovecs that stay with the request
     * @param entries how many, {@link #INLINE} or more
     */
    public RequestVector(final long inline, final int entries) {
        this.inline = inline;
        inlineEntries = entries;
        iovecs = inline;
        capacity = entries;
    }

    /**
     * Appends bytes; those that begin where the last entry ends share its entry.
     *
     * @param address first byte
     * @param length  1 or more
     * @return false when there is no entry left; nothing was changed
     */
    public boolean append(final long address, final long length) {
        if (count > 0) {
            final int last = count - 1;
            final long first = Iovec.address(iovecs, last);
            final long lastLength = Iovec.length(iovecs, last);
            if (first + lastLength == address) {
                Iovec.put(iovecs, last, first, lastLength + length);
                bytes += length;
                return true;
            }
        }
        if (count == capacity) {
            return false;
        }
        Iovec.put(iovecs, count++, address, length);
        bytes += length;
        return true;
    }

    /**
     * Moves to a larger vector, entries included. The old one, unless it is the inline one, is the caller's again.
     *
     * @param larger  address of native iovecs
     * @param entries how many it holds, more than {@link #capacity}
     * @return address of the vector left, 0 when that was the inline one
     */
    public long extend(final long larger, final int entries) {
        Memory.copy(iovecs, larger, (long) count * Iovec.BYTES);
        final long old = iovecs == inline ? 0 : iovecs;
        iovecs = larger;
        capacity = entries;
        return old;
    }

    /**
     * Goes back to the inline vector, empty.
     *
     * @return address of the larger vector left, now the caller's; 0 when there was none
     */
    public long shrink() {
        final long old = iovecs == inline ? 0 : iovecs;
        iovecs = inline;
        capacity = inlineEntries;
        clear();
        return old;
    }

    /**
     * Tells whether it is larger than the inline one.
     *
     * @return true between {@link #extend} and {@link #shrink}
     */
    public boolean isExtended() {
        return iovecs != inline;
    }

    /** Forgets the entries; the vector stays as large as it is. */
    public void clear() {
        count = 0;
        bytes = 0;
    }

    /**
     * The vector, to be handed to the kernel as it is.
     *
     * @return address of {@link #count} native iovecs
     */
    public long iovecs() {
        return iovecs;
    }

    /**
     * Entries in use.
     *
     * @return 0 to {@link #capacity}
     */
    public int count() {
        return count;
    }

    /**
     * Entries there are.
     *
     * @return {@link #INLINE} or more
     */
    public int capacity() {
        return capacity;
    }

    /**
     * The data's length.
     *
     * @return bytes over all entries
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Where an entry's bytes are.
     *
     * @param index 0 to {@link #count} - 1
     * @return the first byte's address
     */
    public long address(final int index) {
        return Iovec.address(iovecs, index);
    }

    /**
     * How many bytes an entry has.
     *
     * @param index 0 to {@link #count} - 1
     * @return 1 or more
     */
    public long length(final int index) {
        return Iovec.length(iovecs, index);
    }
}
