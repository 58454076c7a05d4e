// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.SharedBytes;

/** Where an {@link OutputSequencer} writes whole frames, in the order the client must see them. */
interface FrameOutput {
    /** Queues reply bytes; copied. */
    void append(long address, long length);

    /** Queues an integer reply. */
    void appendInteger(long value);

    /** Queues the bytes of a slot; the reference stays the caller's. */
    void appendShared(SharedBytes bytes);

    /**
     * Queues a push that was held behind replies.
     *
     * @param firstByte what the frame begins with for this client
     * @param frame     the frame, or the head of a large one
     * @param payload   the rest of a large frame, else null
     */
    void pushHeld(byte firstByte, SharedBytes frame, SharedBytes payload);

    /** Closes the connection politely after everything queued is sent. */
    void closeWhenFlushed();

    /** A copy, with one reference, that outlives the caller's memory. */
    SharedBytes copyOf(long address, long length);
}
