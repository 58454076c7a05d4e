// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/**
 * What a medium can do and prefers; what Identify says of a namespace comes from here.
 *
 * @param readOnly            takes no writes
 * @param volatileCache       completed writes may be lost until a flush
 * @param deallocates         can give storage back
 * @param deallocatedReadZero deallocated blocks read as zeros
 * @param preferredBlocks     writes of a multiple of this many blocks, at such an offset, are cheapest; 1 or more
 * @param dataAlignment       what the address and the length of each piece of a write must be a multiple of, or the medium
 *                            copies it: a power of two, 1 when anything will do
 */
public record NamespaceTraits(
        boolean readOnly,
        boolean volatileCache,
        boolean deallocates,
        boolean deallocatedReadZero,
        int preferredBlocks,
        int dataAlignment) {

    /**
     * Checks.
     *
     * @throws IllegalArgumentException when the alignment is no power of two
     */
    public NamespaceTraits {
        if (Integer.bitCount(dataAlignment) != 1) {
            throw new IllegalArgumentException("an alignment of " + dataAlignment);
        }
    }

    /**
     * Those of a medium that takes data wherever it lies.
     *
     * @param readOnly            as above
     * @param volatileCache       as above
     * @param deallocates         as above
     * @param deallocatedReadZero as above
     * @param preferredBlocks     as above
     */
    public NamespaceTraits(
            final boolean readOnly,
            final boolean volatileCache,
            final boolean deallocates,
            final boolean deallocatedReadZero,
            final int preferredBlocks) {
        this(readOnly, volatileCache, deallocates, deallocatedReadZero, preferredBlocks, 1);
    }
}
