// SPDX-License-Identifier: Apache-2.0
package goblin.net;

/** One entry of a {@link SendQueue}: a run of bytes, all in one place (or wrapped once around the ring). */
final class SendPiece {
    /** Where the bytes live, and so who gets the memory back. */
    enum Kind {
        CHUNK,
        EXACT,
        SHARED,
        RING
    }

    Kind kind;
    /** First byte still to send; unused for RING, whose bytes follow each other in the ring. */
    long address;
    /** Bytes still to send. */
    long length;
    /** CHUNK and EXACT: the block to give back. */
    long block;

    SharedBytes shared;
    SendPiece next;
}
