// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.SharedBytes;

/**
 * One place in a client's order of output: a reply that is waited for, one that is ready but behind such a one, or a
 * push held behind replies. Pooled; owned by the {@link OutputSequencer} it stands in.
 */
final class ReplySlot {
    /** The command may block at the host. */
    static final int BLOCKING = 1;
    /** The command may publish at the host: the next top-level PUBLISH needs a fence. */
    static final int MAY_PUBLISH = 1 << 1;
    /** A MULTI that opened a transaction when it was read; its error reply takes that back. */
    static final int OPENS_MULTI = 1 << 2;
    /** Sent by the edge itself; nothing of the reply reaches the client. */
    static final int INTERNAL = 1 << 3;
    /** Swallow the host's reply and give {@link #first} instead. */
    static final int REPLACE = 1 << 4;
    /** The host's reply is collected, and the edge's section appended. */
    static final int INFO = 1 << 5;
    /** The host's reply is the session's id. */
    static final int SESSION_ID = 1 << 6;
    /** The host's reply must not be an error, or the session is useless. */
    static final int MUST_SUCCEED = 1 << 7;

    SlotType type;
    int flags;
    /** PUBLISH, CONFIRM, REPLY, PUSH, CLOSE: can be written once it is the first. */
    boolean ready;
    /** CLIENT REPLY OFF or SKIP: the reply is swallowed whole. */
    boolean suppressed;
    /** FORWARD: the first byte of its reply was seen. CONFIRM: at least one of its changes holds. */
    boolean started;
    /** PUBLISH: receivers counted so far. */
    long receivers;
    /** CONFIRM: changes that the host has not acknowledged. PUBLISH: parts of the count that have not come. */
    int changesLeft;
    /** The bytes (REPLY, CONFIRM, REPLACE), or the frame or its head (PUSH); one reference is held. */
    SharedBytes first;
    /** PUSH: the payload of a large message, else null; one reference is held. */
    SharedBytes second;
    /** PUSH: the first byte, since one frame serves RESP2 and RESP3. */
    byte firstByte;
    /** What {@link #counted()} returned last. */
    long counted;

    ReplySlot previous;
    ReplySlot next;

    boolean has(final int flag) {
        return (flags & flag) != 0;
    }

    /** Weighs the slot when it takes its place: the bytes it holds and what it costs to hold them. */
    long counted() {
        final int overhead = 64;
        counted = overhead + (first == null ? 0 : first.length()) + (second == null ? 0 : second.length());
        return counted;
    }

    void clearReferences() {
        if (first != null) {
            first.release();
            first = null;
        }
        if (second != null) {
            second.release();
            second = null;
        }
    }

    void clear() {
        clearReferences();
        type = null;
        flags = 0;
        ready = false;
        suppressed = false;
        started = false;
        receivers = 0;
        changesLeft = 0;
        counted = 0;
        previous = null;
        next = null;
    }
}
