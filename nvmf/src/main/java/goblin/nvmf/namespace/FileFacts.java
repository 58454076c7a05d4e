// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

/**
 * What a {@link BackingFile} is and can do.
 *
 * @param device              a block device, whose size is its own
 * @param readOnly            takes no writes
 * @param direct              used past the page cache
 * @param memoryAlignment     what addresses of vectors must be a multiple of; 1 when anything will do
 * @param lengthAlignment     what offsets and the lengths of pieces must be a multiple of; 1 when anything will do
 * @param deallocates         can give room back
 * @param deallocatedReadZero what was given back reads as zeros
 * @param preferredBytes      what it likes to read and write at a time
 */
record FileFacts(
        boolean device,
        boolean readOnly,
        boolean direct,
        int memoryAlignment,
        int lengthAlignment,
        boolean deallocates,
        boolean deallocatedReadZero,
        int preferredBytes) {}
