// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.util.List;

/** How a target delivers received payload to the medium: the rows of {@link Comparison}. */
public enum Delivery {
    /** All payload is copied at once. */
    COPIED("all copied", false, "--receive-path copied"),
    /** Vectors of 33 and 16 entries; what needs more is copied. What the others are compared with. */
    INLINE("inline 33/16", false, "--vectors inline"),
    /** Every vector has all its entries from the start: 256, of which an 8-bit count uses 255. */
    FIXED("fixed 256", false, "--vectors fixed"),
    /** Vectors grow when they must. */
    DYNAMIC("dynamic", true, "--vectors dynamic"),
    /** The same, and the transport is asked to put payload at the beginning of a page. */
    PLACED("placed", true, "--vectors dynamic --receive-path placed");

    /** The limit of an 8-bit count. */
    static final int BYTE_LIMIT = 255;

    private static final int PAGE_BYTES = 4096;

    private final String label;
    private final boolean limited;
    private final String options;

    Delivery(final String label, final boolean limited, final String options) {
        this.label = label;
        this.limited = limited;
        this.options = options;
    }

    String label() {
        return label;
    }

    /** Options of the target. */
    List<String> options() {
        return List.of(options.split(" "));
    }

    /** Whether the limit of entries makes a difference to it at all. */
    boolean isLimited() {
        return limited;
    }

    /** Why it cannot differ from others with pieces of this size; null when it can. */
    String sameAs(final int pieceBytes) {
        return this == PLACED && pieceBytes % PAGE_BYTES != 0
                ? "as dynamic: pieces of " + pieceBytes + " bytes are no pages, so nothing can be placed"
                : null;
    }
}
