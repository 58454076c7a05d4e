// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/** What an operation asks of a medium. */
public enum BlockCommand {
    /** Reads {@code length} bytes at {@code offset} into the vector. */
    READ,
    /** Writes the vector's {@code length} bytes at {@code offset}. */
    WRITE,
    /** Makes {@code length} bytes at {@code offset} read as zeros; may deallocate them if {@code deallocate} says so. */
    WRITE_ZEROES,
    /** Gives the storage of {@code length} bytes at {@code offset} back; a hint. */
    DEALLOCATE,
    /** Makes every write completed before it durable. */
    FLUSH,
    /** Compares {@code length} bytes at {@code offset} with the vector. */
    COMPARE,
    /**
     * Compares the first half of the vector ({@code length} bytes) with the medium and, when equal, writes the second
     * half ({@code length} bytes more) there, as one step for everybody else.
     */
    COMPARE_AND_WRITE,
    /** Reads {@code length} bytes at {@code offset} and drops them: finds out whether they can be read. */
    VERIFY;

    /**
     * Tells whether the medium's contents may change.
     *
     * @return true for everything that writes or deallocates
     */
    public boolean changes() {
        return switch (this) {
            case WRITE, WRITE_ZEROES, DEALLOCATE, COMPARE_AND_WRITE -> true;
            case READ, FLUSH, COMPARE, VERIFY -> false;
        };
    }
}
