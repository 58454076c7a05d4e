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
 */
public record NamespaceTraits(
        boolean readOnly,
        boolean volatileCache,
        boolean deallocates,
        boolean deallocatedReadZero,
        int preferredBlocks) {}
