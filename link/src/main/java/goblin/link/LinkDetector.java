// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import goblin.net.linux.Memory;

/**
 * Tells a link from a RESP client by the first bytes of a connection, as soon as they differ from
 * {@link Preamble#TEXT}. Nothing is buffered: bytes taken while undecided are a prefix of the preamble, so a reader of
 * RESP replays them from there.
 *
 * <p>After {@link #SBE} the link's bytes begin {@link #consumed} bytes into the span just offered. After {@link #RESP}
 * the whole span is RESP's, preceded by the first {@link #replayed} bytes of the preamble. Not thread-safe.
 */
public final class LinkDetector {
    /** More bytes are needed; the span was taken whole. */
    public static final int UNDECIDED = 0;

    /** A RESP client. */
    public static final int RESP = 1;

    /** An SBE link. */
    public static final int SBE = 2;

    private int matched;
    private int consumed;
    private int decision = UNDECIDED;

    /** Makes a detector for one connection, at its first byte. */
    public LinkDetector() {}

    /**
     * Looks at the next bytes of the connection.
     *
     * @param address the first byte
     * @param length number of bytes, 0 or more
     * @return {@link #UNDECIDED}, {@link #RESP} or {@link #SBE}; a decision stays
     */
    public int offer(final long address, final int length) {
        consumed = 0;
        while (decision == UNDECIDED && consumed < length) {
            if (Memory.getByte(address + consumed) != Preamble.at(matched)) {
                matched -= consumed;
                consumed = 0;
                decision = RESP;
            } else {
                matched++;
                consumed++;
                if (matched == Preamble.LENGTH) {
                    decision = SBE;
                }
            }
        }
        return decision;
    }

    /**
     * Bytes of the span last offered that belong to the preamble.
     *
     * @return 0 after {@link #RESP}
     */
    public int consumed() {
        return consumed;
    }

    /**
     * Bytes of earlier spans, all a prefix of {@link Preamble#TEXT}, that a RESP reader must see first.
     *
     * @return 0 to 7; meaningful after {@link #RESP}
     */
    public int replayed() {
        return matched;
    }
}
