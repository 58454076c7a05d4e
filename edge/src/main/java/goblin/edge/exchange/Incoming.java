// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.FaultReporter;
import goblin.net.SharedBytes;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;

/** Takes the messages that come in apart, gives them to the handler, and answers publications. */
@SuppressWarnings("EnumOrdinal") // a Kind's number stays within the process
final class Incoming<O, S> implements InRing.Receiver, SharedBytes.Lender, AutoCloseable {
    private static final Kind[] KINDS = Kind.values();
    private static final int RELEASED_AT_ONCE = 1;

    private final int loop;
    private final Shipments<O, S> shipments;
    private final Outbound outbound;
    private final ExchangeCounters counters;
    private final SharedBytes.Pool lending = new SharedBytes.Pool();
    private ExchangeHandler<O, S> handler;
    private FaultReporter faults;
    private boolean busy;

    /** The publication being handled. */
    private boolean inPublication;

    private long payload;
    private int payloadLength;
    private long key;
    private SharedBytes lent;

    Incoming(
            final int loop, final Shipments<O, S> shipments, final Outbound outbound, final ExchangeCounters counters) {
        this.loop = loop;
        this.shipments = shipments;
        this.outbound = outbound;
        this.counters = counters;
    }

    void bind(final ExchangeHandler<O, S> with, final FaultReporter reporter) {
        handler = with;
        faults = reporter;
    }

    /** Whether a message is being handled. */
    boolean isBusy() {
        return busy;
    }

    /** The present publication's payload with its line end, retained once for the caller. */
    SharedBytes lendPayload() {
        if (!inPublication) {
            throw new IllegalStateException("no publication is being handled");
        }
        if (lent == null) {
            lent = lending.lend(payload, (long) payloadLength + Message.CRLF_BYTES, this, key);
        } else {
            lent.retain();
        }
        return lent;
    }

    /** The loop whose publication is being handled. */
    int publisher() {
        if (!inPublication) {
            throw new IllegalStateException("no publication is being handled");
        }
        return (int) (key >>> Integer.SIZE);
    }

    /** A payload that was lent is held by nobody here. */
    @Override
    public void onReleased(final long lentKey) {
        if (inPublication && lentKey == key) {
            // Its answer will say so.
            lent = null;
        } else {
            outbound.send((int) (lentKey >>> Integer.SIZE), Message.RELEASED, 0, 0, (int) lentKey, 0, 0, 0);
        }
    }

    @Override
    public void onMessage(
            final int from,
            final int type,
            final long first,
            final long address,
            final int a,
            final int b,
            final int c,
            final int d) {
        busy = true;
        try {
            if (type == Message.PUBLICATION) {
                onPublication(from, address, a, b, c, d);
            } else {
                onControl(from, type, first, address, a, b, c);
            }
        } catch (final Throwable thrown) {
            FaultReporter.rethrowFatal(thrown);
            faults.report("exchange of loop " + loop, thrown);
        } finally {
            busy = false;
        }
    }

    /** Bytes that were lent and are held. */
    long lentBytes() {
        return lending.liveBytes();
    }

    @Override
    public void close() {
        lending.close();
    }

    private void onPublication(
            final int from,
            final long address,
            final int token,
            final int flags,
            final int channelLength,
            final int length) {
        counters.increment(ExchangeCounter.PUBLICATIONS_TAKEN_OVER);
        payload = address + channelLength;
        payloadLength = length;
        key = ((long) from << Integer.SIZE) | token;
        inPublication = true;
        long receivers = 0;
        try {
            receivers = handler.onPublication(
                    from,
                    token,
                    (flags & Message.DELIVER) != 0,
                    (flags & Message.UPLINK) != 0,
                    KINDS[flags & Message.KIND_MASK],
                    address,
                    channelLength,
                    payload,
                    length);
        } finally {
            inPublication = false;
            final int released = lent == null ? RELEASED_AT_ONCE : 0;
            lent = null;
            outbound.send(from, Message.ANSWERED, receivers, 0, token, released, 0, 0);
        }
    }

    private void onControl(
            final int from,
            final int type,
            final long first,
            final long address,
            final int a,
            final int b,
            final int c) {
        switch (type) {
            case Message.ANSWERED -> {
                final Shipment<O, S> shipment = shipments.of(a);
                if (b == RELEASED_AT_ONCE) {
                    shipments.release(shipment);
                }
                answer(shipment, first);
            }
            case Message.PUBLISHED -> answer(shipments.of(a), first);
            case Message.RELEASED -> {
                final Shipment<O, S> shipment = shipments.of(a);
                shipments.release(shipment);
                shipments.retire(shipment);
            }
            case Message.ACKED -> handler.onAcked(first);
            case Message.HELD -> handler.onHeld(from, first);
            case Message.FENCE -> handler.onFence(from, first);
            case Message.FENCED -> handler.onFenced(first);
            case Message.WANT, Message.PEER_ON, Message.PEER_OFF -> onName(from, type, first, address, a, KINDS[b], c);
            default -> throw new IllegalStateException("message of type " + type);
        }
    }

    private void onName(
            final int from,
            final int type,
            final long first,
            final long name,
            final int number,
            final Kind kind,
            final int nameLength) {
        try {
            switch (type) {
                case Message.WANT -> handler.onWant(from, first, kind, number, name, nameLength);
                case Message.PEER_ON -> handler.onPeerOn(number, kind, name, nameLength, first);
                default -> handler.onPeerOff(number, kind, name, nameLength);
            }
        } finally {
            Memory.free(name);
        }
    }

    private void answer(final Shipment<O, S> shipment, final long receivers) {
        if (!shipments.answer(shipment, receivers)) {
            return;
        }
        counters.increment(ExchangeCounter.PUBLICATIONS_ANSWERED);
        final O owner = shipment.owner;
        final S slot = shipment.slot;
        final long all = shipment.receivers;
        shipments.retire(shipment);
        if (owner != null || slot != null) {
            handler.onCompleted(owner, slot, all);
        }
    }
}
