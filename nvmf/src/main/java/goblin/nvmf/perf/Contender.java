// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One target of a comparison: how it delivers, from pieces of what size, and with how many entries at most.
 *
 * @param delivery   how
 * @param pieceBytes bytes of a receive segment
 * @param limit      entries of a vector at most
 */
record Contender(Delivery delivery, int pieceBytes, int limit) {

    /** What a row calls it; the limit only where it makes a difference. */
    String label() {
        return delivery.label() + (delivery.isLimited() ? " ≤ " + limit : "");
    }

    /** A name for files. */
    String fileName() {
        return delivery.name().toLowerCase(Locale.ROOT) + '-' + limit + '-' + pieceBytes;
    }

    List<String> options() {
        final List<String> options = new ArrayList<>(delivery.options());
        options.addAll(List.of(
                "--max-receive-segments",
                Integer.toString(limit),
                "--receive-segment-size",
                Integer.toString(pieceBytes)));
        return options;
    }

    /**
     * How many entries a command may need: all of its pieces, one more because it begins anywhere in the first, and some
     * because a receive may end within a piece.
     */
    int mostEntries(final int ioBytes) {
        final int pieces = ioBytes / pieceBytes + 2;
        return pieces + pieces / 8;
    }
}
