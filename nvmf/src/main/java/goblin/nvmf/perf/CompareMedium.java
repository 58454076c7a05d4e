// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.nio.file.Path;
import java.util.Locale;

/** What the targets of {@link Comparison} write to. */
public enum CompareMedium {
    /** Keeps nothing. */
    NULL,
    /** Memory. */
    MEM,
    /** A file through the page cache. */
    FILE,
    /** A file past the page cache. */
    DIRECT;

    static final long BYTES = 256L << 20;

    /** As it is written on the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As it is shown: the beginning of a namespace's specification. */
    String shown() {
        return switch (this) {
            case NULL -> "null:";
            case MEM -> "mem:";
            case FILE -> "file:";
            case DIRECT -> "file:…,direct";
        };
    }

    /** The specification of a namespace; files are made in {@code folder}, and are one target's alone. */
    String namespace(final Path folder, final String target) {
        final Path file = folder.resolve(target + '-' + label());
        return switch (this) {
            case NULL -> "null:" + BYTES;
            case MEM -> "mem:" + BYTES;
            case FILE -> "file:" + file + ",size=" + BYTES;
            case DIRECT -> "file:" + file + ",size=" + BYTES + ",direct";
        };
    }
}
