// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.SharedBytes;

/**
 * One publication on its way to other loops. Pooled by {@link Shipments}; named by its token, which is used anew only when
 * the publication is answered and its bytes are released by all.
 */
final class Shipment<O, S> {
    final int token;
    /** Channel, payload, CR, LF; written before it is handed over, then only read. */
    SharedBytes bytes;

    O owner;
    S slot;
    long size;
    long receivers;
    /** Loops that have not answered, and the host. */
    int answersDue;
    /** Loops that may still read the bytes. */
    int holders;

    Shipment<O, S> next;

    Shipment(final int token) {
        this.token = token;
    }
}
