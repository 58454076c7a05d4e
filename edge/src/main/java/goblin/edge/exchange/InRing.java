// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.linux.Memory;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;

/** The receiver's end of one loop's ring to another. */
final class InRing implements ControlledMessageHandler {
    /** Handles one message. It must not throw what {@link goblin.net.FaultReporter#rethrowFatal} does not. */
    interface Receiver {
        void onMessage(int from, int type, long first, long address, int a, int b, int c, int d);
    }

    /** {@link #head} when the ring was empty. */
    static final long EMPTY = Tickets.NONE;
    /** {@link #head} when reading ended for another reason than a ticket. */
    static final long UNKNOWN = Message.NO_TICKET;

    private static final int RECORD_BYTES = Message.BYTES + RecordDescriptor.HEADER_LENGTH;

    private final OneToOneRingBuffer ring;
    private final int from;
    private final Receiver receiver;
    private final int mask;
    private long head = UNKNOWN;
    private long upTo;
    /** Where the message being handled begins. */
    private int index;

    InRing(final OneToOneRingBuffer ring, final int from, final Receiver receiver) {
        this.ring = ring;
        this.from = from;
        this.receiver = receiver;
        mask = ring.capacity() - 1;
    }

    /** The ticket that stands first, {@link #EMPTY} or {@link #UNKNOWN}, as the last {@link #read} found it. */
    long head() {
        return head;
    }

    /**
     * Handles messages up to the first whose ticket is not below a bound.
     *
     * @param bound a ticket, 0 to handle only what needs none
     * @param most  messages at most, at least 1
     * @return messages handled; {@link #head} is UNKNOWN only when that were the most allowed
     */
    int read(final long bound, final int most) {
        upTo = bound;
        head = UNKNOWN;
        int handled = 0;
        while (head == UNKNOWN && handled < most) {
            // One call ends where the ring wraps.
            final int more = ring.controlledRead(this, most - handled);
            handled += more;
            if (more == 0 && head == UNKNOWN) {
                head = EMPTY;
            }
        }
        return handled;
    }

    /** Whether something has been written, or is being written, that was not handled. */
    boolean hasMore() {
        return ring.size() > 0;
    }

    /** While a message is handled: whether the next one is here already. */
    boolean moreFollows() {
        final int next = RecordDescriptor.lengthOffset((index - RecordDescriptor.HEADER_LENGTH + RECORD_BYTES) & mask);
        return ring.buffer().getIntVolatile(next) > 0;
    }

    @Override
    public Action onMessage(final int type, final MutableDirectBuffer buffer, final int at, final int length) {
        final long first = buffer.getLong(at + Message.FIRST);
        if (type == Message.PUBLICATION && first >= upTo) {
            head = first;
            return Action.ABORT;
        }
        index = at;
        receiver.onMessage(
                from,
                type,
                first,
                buffer.getLong(at + Message.ADDRESS),
                buffer.getInt(at + Message.A),
                buffer.getInt(at + Message.B),
                buffer.getInt(at + Message.C),
                buffer.getInt(at + Message.D));
        // The sender gets the room at once, also when the next message takes long.
        return Action.COMMIT;
    }

    /** Gives up what was never handled; the threads have ended. */
    void discard() {
        int more;
        do {
            more = ring.read((type, buffer, index, length) -> discard(type, buffer.getLong(index + Message.ADDRESS)));
        } while (more > 0);
    }

    /** Frees what belongs to the receiver of a message. */
    static void discard(final int type, final long address) {
        if (Message.carriesName(type)) {
            Memory.free(address);
        }
    }
}
