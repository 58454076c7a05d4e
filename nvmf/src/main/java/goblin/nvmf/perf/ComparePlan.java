// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a comparison measures, and what it leaves out because it cannot make a difference. */
final class ComparePlan {
    /** Pieces of which 255 hold a command of 1 MiB but its last bytes; smaller commands tell nothing new with them. */
    static final int ALMOST_PAGE = 4128;

    private final CompareOptions options;
    private final Map<Integer, List<Contender>> contenders = new LinkedHashMap<>();
    private final Map<Contender, List<Integer>> sizes = new LinkedHashMap<>();
    private final Set<String> leftOut = new LinkedHashSet<>();

    ComparePlan(final CompareOptions options) {
        this.options = options;
        options.pieces().forEach(piece -> contenders.put(piece, contendersOf(piece)));
    }

    /** The targets that run side by side: those of one size of pieces. */
    List<Contender> contenders(final int pieceBytes) {
        return contenders.get(pieceBytes);
    }

    /** The sizes of commands that this one is measured with. */
    List<Integer> sizes(final Contender contender) {
        return sizes.get(contender);
    }

    /** What is not measured, a line each. */
    Set<String> leftOut() {
        return leftOut;
    }

    private List<Contender> contendersOf(final int piece) {
        final List<Contender> found = new ArrayList<>();
        for (final Delivery delivery : options.ways()) {
            final String same = delivery.sameAs(piece);
            if (same != null) {
                leftOut.add(delivery.label() + ", pieces of " + piece + ": " + same + '.');
                continue;
            }
            final List<Integer> limits = delivery.isLimited() ? options.limits() : List.of(Delivery.BYTE_LIMIT);
            for (int i = 0; i < limits.size(); i++) {
                final Contender contender = new Contender(delivery, piece, limits.get(i));
                final List<Integer> measured = sizesOf(contender, i == 0 ? 0 : limits.getFirst());
                if (!measured.isEmpty()) {
                    found.add(contender);
                    sizes.put(contender, measured);
                }
            }
        }
        return found;
    }

    private List<Integer> sizesOf(final Contender contender, final int smallerLimit) {
        final List<Integer> measured = new ArrayList<>();
        for (final int size : options.sizes()) {
            if (contender.mostEntries(size) <= smallerLimit) {
                leftOut.add(contender.label() + ", pieces of " + contender.pieceBytes() + ", writes of " + size
                        + ": as with " + smallerLimit + ": no more than about " + contender.mostEntries(size)
                        + " entries are needed.");
            } else if (contender.pieceBytes() == ALMOST_PAGE
                    && size < 1 << 20
                    && options.sizes().size() > 1) {
                leftOut.add("pieces of " + ALMOST_PAGE + ", writes of " + size + ": as with 4096.");
            } else {
                measured.add(size);
            }
        }
        return measured;
    }
}
