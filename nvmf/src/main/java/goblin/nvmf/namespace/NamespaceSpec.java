// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.namespace;

import java.util.UUID;

/**
 * What a namespace is made from, as people write it:
 *
 * <ul>
 *   <li>{@code mem:SIZE[,uuid=…][,nsid=N]}: memory of this process;
 *   <li>{@code file:PATH[,size=SIZE][,direct][,read-only][,uuid=…][,nsid=N]}: a file or a block device;
 *   <li>{@code null:SIZE[,uuid=…][,nsid=N]}: takes everything, keeps nothing, reads as zeros.
 * </ul>
 *
 * <p>A size is a number of bytes, or a number with K, M, G or T (also KiB …) for powers of 1024. The size of a file makes
 * it when it does not exist and extends it when it is smaller; a larger file keeps its size. A path holds no comma.
 *
 * @param text     as written
 * @param medium   which kind
 * @param path     of a file, else empty
 * @param bytes    the size, 0 when none was given (files only)
 * @param direct   whether a file is used without the page cache
 * @param readOnly whether writes are refused
 * @param uuid     as given, or null
 * @param nsid     its number in its subsystem, 1 to {@link #MAX_NSID}; 0 when none was given
 */
public record NamespaceSpec(
        String text, Kind medium, String path, long bytes, boolean direct, boolean readOnly, UUID uuid, int nsid) {
    /** The highest number that a namespace may have. */
    public static final int MAX_NSID = 1024;

    /** Kinds of media. */
    public enum Kind {
        /** Memory of this process. */
        MEMORY,
        /** A file or a block device. */
        FILE,
        /** Nothing. */
        NULL
    }

    /**
     * Reads a specification.
     *
     * @param text as written
     * @return what it says
     * @throws NamespaceException with a message that names what is wrong
     */
    public static NamespaceSpec parse(final String text) throws NamespaceException {
        return new SpecParser(text).parse();
    }

    /**
     * Reads a size.
     *
     * @param text for example {@code 512}, {@code 64K}, {@code 10GiB}
     * @return bytes, 1 or more
     * @throws NamespaceException with a message that names what is wrong
     */
    public static long parseSize(final String text) throws NamespaceException {
        return SpecParser.size(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
