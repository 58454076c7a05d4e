// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.linux.Memory;

/**
 * The messages of a ring: all of one size, so that a ring never needs padding. Two longs and four ints, whose meaning
 * depends on the type.
 *
 * <pre>
 * type         long first   long address   int a       int b         int c           int d
 * PUBLICATION  ticket       bytes          token       kind, flags   channel length  payload length
 * ANSWERED     receivers                   token       1: released
 * RELEASED                                 token
 * PUBLISHED    receivers                   token
 * WANT         sequence     name           weight      kind          name length
 * PEER_ON      number       name           loop        kind          name length
 * PEER_OFF                  name           loop        kind          name length
 * ACKED, HELD, FENCE, FENCED: first is the sequence or number
 * </pre>
 *
 * A publication's bytes are channel, payload, CR, LF and belong to the sender; a name's belong to the receiver.
 */
final class Message {
    static final int PUBLICATION = 1;
    static final int ANSWERED = 2;
    static final int RELEASED = 3;
    static final int PUBLISHED = 4;
    static final int WANT = 5;
    static final int PEER_ON = 6;
    static final int PEER_OFF = 7;
    static final int ACKED = 8;
    static final int HELD = 9;
    static final int FENCE = 10;
    static final int FENCED = 11;

    /** In place of a ticket: handled as soon as it is the first of its ring. Smaller than all tickets. */
    static final long NO_TICKET = -1;

    static final int KIND_MASK = 0xFF;
    static final int DELIVER = 1 << 8;
    static final int UPLINK = 1 << 9;

    static final int FIRST = 0;
    static final int ADDRESS = 8;
    static final int A = 16;
    static final int B = 20;
    static final int C = 24;
    static final int D = 28;
    /** With the ring's header of 8 bytes a cache line. */
    static final int BYTES = 56;

    static final int CRLF_BYTES = 2;

    private Message() {}

    static boolean carriesName(final int type) {
        return type == WANT || type == PEER_ON || type == PEER_OFF;
    }

    /** A copy of a name for a message; whoever handles the message frees it. */
    static long copyOfName(final long name, final int length) {
        final long copy = Memory.allocate(Math.max(1, length));
        Memory.copy(name, copy, length);
        return copy;
    }
}
