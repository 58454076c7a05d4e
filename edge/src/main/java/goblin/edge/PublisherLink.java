// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.link.LinkRole;
import goblin.net.SharedBytes;
import goblin.pubsub.Kind;
import java.util.ArrayDeque;

/** This edge's publications up, their counts down. Bounded: past the bound publishing clients wait. */
final class PublisherLink extends HostLink {
    private static final int MOST_UNANSWERED = 65_536;
    private static final long MOST_UNANSWERED_BYTES = 16L << 20;
    private static final int FIRST_CAPACITY = 1024;

    /** A ring of what is unanswered, indexed by sequence. */
    private ClientSession[] clients = new ClientSession[FIRST_CAPACITY];

    private ReplySlot[] slots = new ReplySlot[FIRST_CAPACITY];
    private int[] sizes = new int[FIRST_CAPACITY];
    private long sent;
    private long answered;
    private long unansweredBytes;
    private final ArrayDeque<ClientSession> waiting = new ArrayDeque<>();

    PublisherLink(final Edge edge) {
        super(edge, LinkRole.PUBLISHER);
    }

    @Override
    void onReady() {
        edge().publisherReady();
    }

    /** Tells whether a publication may be made now; else the client waits and is woken. */
    boolean takes(final long bytes) {
        return unanswered() < MOST_UNANSWERED
                && (unansweredBytes == 0 || unansweredBytes + bytes <= MOST_UNANSWERED_BYTES);
    }

    /** Wakes the client when {@link #takes} may have become true. */
    void await(final ClientSession client) {
        if (!client.awaitsPublisher()) {
            client.awaitsPublisher(true);
            waiting.add(client);
        }
    }

    /** Publications without an answer. */
    long unanswered() {
        return sent - answered;
    }

    /**
     * Sends a publication; its count becomes part of the slot's reply.
     *
     * @param large the payload with its line end when it is shared already, else null
     */
    void publish(
            final ClientSession client,
            final ReplySlot slot,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength,
            final SharedBytes large) {
        if (unanswered() == clients.length) {
            grow();
        }
        final int size = channelLength + payloadLength;
        final int index = (int) sent & clients.length - 1;
        clients[index] = client;
        slots[index] = slot;
        sizes[index] = size;
        unansweredBytes += size;
        sent++;
        encoder().publishHead(queue(), sent, kind, channel, channelLength, payloadLength);
        if (large == null) {
            queue().append(payload, payloadLength);
        } else {
            queue().appendShared(large, 0, payloadLength);
        }
        markDirty();
    }

    @Override
    public boolean onPublished(final long sequence, final long receivers) {
        if (sequence != answered + 1 || sequence > sent) {
            return onUnexpected("published");
        }
        final int index = (int) answered & clients.length - 1;
        final ClientSession client = clients[index];
        final ReplySlot slot = slots[index];
        clients[index] = null;
        slots[index] = null;
        unansweredBytes -= sizes[index];
        answered++;
        if (!client.isGone()) {
            slot.receivers += receivers;
            client.answered(slot);
        }
        wakeWaiting();
        return true;
    }

    private void wakeWaiting() {
        // Half, so that clients do not wake for a single place each.
        if (!waiting.isEmpty() && unanswered() <= MOST_UNANSWERED / 2 && unansweredBytes <= MOST_UNANSWERED_BYTES / 2) {
            for (int i = waiting.size(); i > 0; i--) {
                final ClientSession client = waiting.remove();
                client.awaitsPublisher(false);
                client.wake();
            }
        }
    }

    private void grow() {
        final int capacity = clients.length * 2;
        final ClientSession[] moreClients = new ClientSession[capacity];
        final ReplySlot[] moreSlots = new ReplySlot[capacity];
        final int[] moreSizes = new int[capacity];
        for (long each = answered; each < sent; each++) {
            final int from = (int) each & clients.length - 1;
            final int to = (int) each & capacity - 1;
            moreClients[to] = clients[from];
            moreSlots[to] = slots[from];
            moreSizes[to] = sizes[from];
        }
        clients = moreClients;
        slots = moreSlots;
        sizes = moreSizes;
    }
}
