// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.SharedBytes;
import goblin.net.linux.Memory;
import java.util.ArrayList;

/** A loop's publications on their way: their bytes, what of their answers is in, and the bound on those unanswered. */
final class Shipments<O, S> implements AutoCloseable {
    private static final int HALF = 2;
    private static final int QUARTER = 4;

    private final int most;
    private final long mostBytes;
    private final SharedBytes.Pool pool = new SharedBytes.Pool();
    private final ArrayList<Shipment<O, S>> all = new ArrayList<>();
    private Shipment<O, S> free;
    private int unanswered;
    private long unansweredBytes;

    Shipments(final int most, final long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /** Copies a publication. One larger than the bound may be made when there is no other. */
    Shipment<O, S> make(
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength,
            final int loops,
            final boolean uplink,
            final O owner,
            final S slot) {
        Shipment<O, S> made = free;
        if (made == null) {
            made = new Shipment<>(all.size());
            all.add(made);
        } else {
            free = made.next;
            made.next = null;
        }
        final long size = (long) channelLength + payloadLength;
        made.bytes = pool.allocate(size + Message.CRLF_BYTES);
        final long address = made.bytes.address();
        Memory.copy(channel, address, channelLength);
        Memory.copy(payload, address + channelLength, payloadLength);
        Memory.putByte(address + size, (byte) '\r');
        Memory.putByte(address + size + 1, (byte) '\n');
        made.owner = owner;
        made.slot = slot;
        made.size = size;
        made.receivers = 0;
        made.answersDue = loops + (uplink ? 1 : 0);
        made.holders = loops;
        unanswered++;
        unansweredBytes += size;
        return made;
    }

    /** The publication that a token of this loop names. */
    Shipment<O, S> of(final int token) {
        final Shipment<O, S> shipment = all.get(token);
        if (shipment.bytes == null && shipment.answersDue == 0) {
            throw new IllegalStateException("nothing is due for token " + token);
        }
        return shipment;
    }

    /**
     * One answer is in.
     *
     * @return whether it was the last
     */
    boolean answer(final Shipment<O, S> shipment, final long receivers) {
        shipment.receivers += receivers;
        if (--shipment.answersDue > 0) {
            return false;
        }
        unanswered--;
        unansweredBytes -= shipment.size;
        return true;
    }

    /** One loop no longer reads the bytes; the last one gives them back. */
    void release(final Shipment<O, S> shipment) {
        if (--shipment.holders == 0) {
            shipment.bytes.release();
            shipment.bytes = null;
        }
    }

    /** Makes the token free when nothing is due for it any more. */
    void retire(final Shipment<O, S> shipment) {
        if (shipment.answersDue == 0) {
            shipment.owner = null;
            shipment.slot = null;
            if (shipment.holders == 0) {
                shipment.next = free;
                free = shipment;
            }
        }
    }

    boolean takes(final long bytes) {
        return unanswered < most && (unansweredBytes == 0 || unansweredBytes + bytes <= mostBytes);
    }

    boolean isHalfFree() {
        return isBelow(HALF);
    }

    boolean isQuarterFull() {
        return isBelow(QUARTER);
    }

    int unanswered() {
        return unanswered;
    }

    long unansweredBytes() {
        return unansweredBytes;
    }

    /** Bytes of the publications that somebody holds. */
    long liveBytes() {
        return pool.liveBytes();
    }

    /** Forgets who waits for what is unanswered. */
    void dropCompletions() {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).owner = null;
            all.get(i).slot = null;
        }
    }

    /** Frees all bytes; the threads have ended. */
    @Override
    public void close() {
        for (final Shipment<O, S> shipment : all) {
            if (shipment.bytes != null) {
                shipment.bytes.release();
                shipment.bytes = null;
            }
        }
        pool.close();
    }

    private boolean isBelow(final int part) {
        return unanswered <= most / part && unansweredBytes <= mostBytes / part;
    }
}
