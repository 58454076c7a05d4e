// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

/** What a {@link ReplySlot} stands for. */
enum SlotType {
    /** Bytes that are ready. */
    REPLY,
    /** A command sent to the host. */
    FORWARD,
    /** A publication whose count the host has not answered. */
    PUBLISH,
    /** Confirmations of one subscription command, ready when the host holds all its changes. */
    CONFIRM,
    /** A message held behind replies. */
    PUSH,
    /** The end of the connection, after everything before it. */
    CLOSE
}
