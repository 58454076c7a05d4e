// SPDX-License-Identifier: Apache-2.0
package goblin.link;

/** Why one end closes a link; sent with a text for people right before the close. */
public enum LinkError {
    /** The two programs are of different releases; the text names both. */
    RELEASE_MISMATCH,
    /** Another live instance has registered this edge id. */
    EDGE_ID_IN_USE,
    /** A publisher link came without a live aggregate link of its edge id and instance. */
    NO_AGGREGATE,
    /** SBE is not enabled, or not on this listener. */
    NOT_ALLOWED,
    /** The peer sent what this protocol does not have. */
    MALFORMED,
    /** The peer did not read what was queued for it. */
    OVERFLOW,
    /** The sender is ending in an orderly way. */
    SHUTTING_DOWN,
    /** Anything else; the text says what. */
    INTERNAL
}
