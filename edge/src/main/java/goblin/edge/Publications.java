// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import java.util.ArrayDeque;

/**
 * What clients of this loop have published and the host has not counted, in the order in which it will. Bounded: past the
 * bound publishing clients wait here.
 */
final class Publications {
    /** Bounds of all loops together; each has its share. */
    static final int MOST_UNANSWERED = 65_536;

    static final long MOST_UNANSWERED_BYTES = 16L << 20;

    private static final int FIRST_CAPACITY = 1024;

    private final int most;
    private final long mostBytes;
    private final ArrayDeque<ClientSession> waiting = new ArrayDeque<>();

    /** A ring of what is unanswered. */
    private ClientSession[] clients = new ClientSession[FIRST_CAPACITY];

    private ReplySlot[] slots = new ReplySlot[FIRST_CAPACITY];
    private int[] sizes = new int[FIRST_CAPACITY];
    private long added;
    private long answered;
    private long unansweredBytes;
    private boolean failed;

    /**
     * Makes an empty one.
     *
     * @param loops how many share the bounds
     */
    Publications(final int loops) {
        most = MOST_UNANSWERED / loops;
        mostBytes = MOST_UNANSWERED_BYTES / loops;
    }

    /** Tells whether a publication may be made now; else the client waits and is woken. */
    boolean takes(final long bytes) {
        return unanswered() < most && (unansweredBytes == 0 || unansweredBytes + bytes <= mostBytes);
    }

    /** Wakes the client when a publication may be made again. */
    void await(final ClientSession client) {
        if (!client.awaitsPublisher()) {
            client.awaitsPublisher(true);
            waiting.add(client);
        }
    }

    /** Publications that the host has not counted. */
    long unanswered() {
        return added - answered;
    }

    /** Remembers a publication that goes to the host; its count becomes part of the slot's reply. */
    void add(final ClientSession client, final ReplySlot slot, final int size) {
        if (unanswered() == clients.length) {
            grow();
        }
        final int index = (int) added & clients.length - 1;
        clients[index] = client;
        slots[index] = slot;
        sizes[index] = size;
        unansweredBytes += size;
        added++;
    }

    /** The host has counted the oldest publication. */
    void counted(final long receivers) {
        final int index = (int) answered & clients.length - 1;
        final ClientSession client = clients[index];
        final ReplySlot slot = slots[index];
        clients[index] = null;
        slots[index] = null;
        unansweredBytes -= sizes[index];
        answered++;
        counted(client, slot, receivers);
        // Half, so that clients do not wake for a single place each.
        if (unanswered() <= most / 2 && unansweredBytes <= mostBytes / 2) {
            wakeWaiting();
        }
    }

    /** A part of a publication's count has come; with the last one its reply is complete. */
    void counted(final ClientSession client, final ReplySlot slot, final long receivers) {
        if (!failed && !client.isGone()) {
            slot.receivers += receivers;
            if (--slot.changesLeft == 0) {
                client.answered(slot);
            }
        }
    }

    /** The host is lost, and the slots are answered otherwise: counts that still come are nobody's. */
    void fail() {
        failed = true;
    }

    /** Those who wait look again whether a publication may be made. */
    void wakeWaiting() {
        for (int i = waiting.size(); i > 0; i--) {
            final ClientSession client = waiting.remove();
            client.awaitsPublisher(false);
            client.wake();
        }
    }

    private void grow() {
        final int capacity = clients.length * 2;
        final ClientSession[] moreClients = new ClientSession[capacity];
        final ReplySlot[] moreSlots = new ReplySlot[capacity];
        final int[] moreSizes = new int[capacity];
        for (long each = answered; each < added; each++) {
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
