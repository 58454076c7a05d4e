// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.SharedBytes;

/**
 * The one order of a client's output: replies leave in command order, confirmations at their place, pushes behind the
 * forwarded commands that were unanswered when they arrived. Switches only between whole frames.
 *
 * <p>What is ready and first is written at once to the {@link FrameOutput}; only what must wait stands here.
 */
final class OutputSequencer {
    /** Outstanding replies at which reading pauses. */
    static final int MOST_OUTSTANDING = 1024;

    private final ReplySlots slots;
    private final FrameOutput output;
    private ReplySlot head;
    private ReplySlot tail;
    private int commands;
    private int forwarded;
    private int blocking;
    private int publishes;
    private int subscriptions;
    private int startedConfirms;
    private int heldPushes;
    private long heldBytes;
    private boolean foreignFrame;

    OutputSequencer(final ReplySlots slots, final FrameOutput output) {
        this.slots = slots;
        this.output = output;
    }

    boolean isEmpty() {
        return head == null;
    }

    /** Too many replies outstanding: the client is not read until some are answered. */
    boolean isFull() {
        return commands >= MOST_OUTSTANDING;
    }

    /** Commands sent to the host and not answered. */
    int forwarded() {
        return forwarded;
    }

    /** Those of them that may block and whose reply has not begun. */
    int blocking() {
        return blocking;
    }

    /** Publications whose count is not known. */
    int publishes() {
        return publishes;
    }

    /** Subscription commands not confirmed. */
    int subscriptions() {
        return subscriptions;
    }

    /** Bytes held in slots. */
    long heldBytes() {
        return heldBytes;
    }

    /** The slot whose reply is due next, or null. */
    ReplySlot first() {
        return head;
    }

    /**
     * Appends a slot for a command that is not answered yet.
     *
     * @param type  FORWARD, PUBLISH or CONFIRM
     * @param flags of {@link ReplySlot}
     */
    ReplySlot expect(final SlotType type, final int flags, final boolean suppressed) {
        final ReplySlot slot = slots.take(type, flags);
        slot.suppressed = suppressed;
        append(slot);
        return slot;
    }

    /** Gives a CONFIRM slot its frames; takes over one reference. */
    void confirmation(final ReplySlot slot, final SharedBytes frames) {
        heldBytes -= slot.counted;
        slot.first = frames;
        heldBytes += slot.counted();
    }

    /** A finished reply of a locally served command; copied when something is before it. */
    void reply(final long address, final long length) {
        if (head == null && !foreignFrame) {
            output.append(address, length);
        } else {
            final ReplySlot slot = slots.take(SlotType.REPLY, 0);
            slot.first = output.copyOf(address, length);
            slot.ready = true;
            append(slot);
        }
    }

    /** Ends the connection once everything before it is written. */
    void close() {
        final ReplySlot slot = slots.take(SlotType.CLOSE, 0);
        slot.ready = true;
        append(slot);
        advance();
    }

    /**
     * Tells whether a push must take a place behind what is outstanding; otherwise it is written directly.
     *
     * @param end the confirmation that ends the push's name for this client and does not hold yet, or null: the push
     *     belongs before it
     */
    boolean holdsPushes(final ReplySlot end) {
        if (head == null || foreignFrame) {
            return foreignFrame;
        }
        if (blocking == 0 && end == null) {
            return forwarded > 0 || heldPushes > 0 || startedConfirms > 0;
        }
        return placeOfPush(end) != null;
    }

    /**
     * The last slot that a push has to wait for: no further than the end of its name and the first blocked command. A
     * blocked command and those behind it run after the push, so their replies cannot be stale.
     */
    private ReplySlot placeOfPush(final ReplySlot end) {
        ReplySlot last = null;
        for (ReplySlot slot = head; slot != null && slot != end && !isBlocked(slot); slot = slot.next) {
            if (foreignFrame
                    || slot.type == SlotType.FORWARD
                    || slot.type == SlotType.PUSH
                    || (slot.type == SlotType.CONFIRM && slot.started)) {
                last = slot;
            }
        }
        return last;
    }

    private static boolean isBlocked(final ReplySlot slot) {
        return slot.type == SlotType.FORWARD && slot.has(ReplySlot.BLOCKING) && !slot.started;
    }

    /**
     * Holds a push at its place. Takes over one reference of each argument.
     *
     * @param firstByte what the frame begins with for this client
     * @param frame     the frame, or the head of a large one
     * @param payload   the rest of a large frame, else null
     * @param end       as in {@link #holdsPushes}
     */
    void holdPush(final byte firstByte, final SharedBytes frame, final SharedBytes payload, final ReplySlot end) {
        final ReplySlot slot = slots.take(SlotType.PUSH, 0);
        slot.firstByte = firstByte;
        slot.first = frame;
        slot.second = payload;
        slot.ready = true;
        final ReplySlot place = placeOfPush(end);
        if (place == null) {
            // Only a host push that is being passed through is in the way.
            insertFirst(slot);
        } else {
            insertAfter(place, slot);
        }
    }

    /** A host push that is passed through began (true) or ended (false): nothing else may be written in between. */
    void foreignFrame(final boolean open) {
        foreignFrame = open;
        if (!open) {
            advance();
        }
    }

    /** The host's reply to the first slot, a FORWARD, has begun. */
    void replyBegan() {
        if (!head.started) {
            head.started = true;
            if (head.has(ReplySlot.BLOCKING)) {
                blocking--;
            }
        }
    }

    /** The first slot, a FORWARD, is answered completely. */
    void forwardAnswered() {
        removeFirst();
        advance();
    }

    /**
     * The host has answered the first slot, a FORWARD, but not all of the reply is here: it keeps its place, and nobody
     * waits for the host any more.
     *
     * @param reply what there is of it; takes over one reference
     * @return the slot, now a reply that is not ready
     */
    ReplySlot keepFirst(final SharedBytes reply) {
        final ReplySlot slot = head;
        uncount(slot);
        slot.type = SlotType.REPLY;
        slot.flags = 0;
        slot.first = reply;
        count(slot);
        return slot;
    }

    /** Gives a slot that is not ready other bytes; takes over one reference. */
    void replace(final ReplySlot slot, final SharedBytes reply) {
        heldBytes -= slot.counted;
        slot.clearReferences();
        slot.first = reply;
        heldBytes += slot.counted();
    }

    /**
     * A change of a CONFIRM slot holds at the host.
     *
     * @param join whether messages may come because of it, which then belong behind the confirmation
     */
    void changeHolds(final ReplySlot slot, final boolean join) {
        if (join && !slot.started) {
            slot.started = true;
            startedConfirms++;
        }
        if (--slot.changesLeft == 0) {
            slot.ready = true;
            advance();
        }
    }

    /** The slot's reply is complete. */
    void ready(final ReplySlot slot) {
        slot.ready = true;
        advance();
    }

    /** Writes what is ready and first. */
    void advance() {
        while (head != null && head.ready && !foreignFrame) {
            write(head);
            removeFirst();
        }
    }

    private void write(final ReplySlot slot) {
        switch (slot.type) {
            case REPLY, CONFIRM -> {
                if (!slot.suppressed && slot.first != null) {
                    output.appendShared(slot.first);
                }
            }
            case PUBLISH -> {
                if (!slot.suppressed) {
                    output.appendInteger(slot.receivers);
                }
            }
            case PUSH -> output.pushHeld(slot.firstByte, slot.first, slot.second);
            case CLOSE -> output.closeWhenFlushed();
            case FORWARD -> throw new IllegalStateException("a forwarded command is answered by the host only");
        }
    }

    /**
     * Turns every unanswered FORWARD and PUBLISH into an error reply; edge-internal ones vanish.
     *
     * @param address the error reply's bytes
     */
    void fail(final long address, final long length, final SlotType which) {
        ReplySlot slot = head;
        while (slot != null) {
            final ReplySlot next = slot.next;
            if (slot.type == which && !slot.ready) {
                uncount(slot);
                final boolean silent = slot.suppressed || slot.has(ReplySlot.INTERNAL);
                slot.clearReferences();
                slot.type = SlotType.REPLY;
                slot.flags = 0;
                slot.suppressed = silent;
                slot.first = silent ? null : output.copyOf(address, length);
                slot.ready = true;
                count(slot);
            }
            slot = next;
        }
        advance();
    }

    /** Forgets the commands sent to the host: nobody will be told of them. */
    void forgetForwards() {
        for (ReplySlot slot = head; slot != null; slot = slot.next) {
            forget(slot);
        }
        advance();
    }

    /** Forgets the last command sent to the host, which will not be complete. */
    void forgetLastForward() {
        ReplySlot slot = tail;
        while (slot != null && slot.type != SlotType.FORWARD) {
            slot = slot.previous;
        }
        if (slot != null) {
            forget(slot);
            advance();
        }
    }

    private void forget(final ReplySlot slot) {
        if (slot.type == SlotType.FORWARD) {
            uncount(slot);
            slot.clearReferences();
            slot.type = SlotType.REPLY;
            slot.flags = 0;
            slot.suppressed = true;
            slot.ready = true;
            count(slot);
        }
    }

    /** Whether a host push is being passed through. */
    boolean isInForeignFrame() {
        return foreignFrame;
    }

    /** Drops every slot; nothing more is written. Only for a client that is gone: others still refer to slots. */
    void clear() {
        while (head != null) {
            removeFirst();
        }
        foreignFrame = false;
    }

    private void append(final ReplySlot slot) {
        slot.previous = tail;
        if (tail == null) {
            head = slot;
        } else {
            tail.next = slot;
        }
        tail = slot;
        count(slot);
    }

    private void insertFirst(final ReplySlot slot) {
        slot.next = head;
        if (head == null) {
            tail = slot;
        } else {
            head.previous = slot;
        }
        head = slot;
        count(slot);
    }

    private void insertAfter(final ReplySlot place, final ReplySlot slot) {
        slot.previous = place;
        slot.next = place.next;
        if (place.next == null) {
            tail = slot;
        } else {
            place.next.previous = slot;
        }
        place.next = slot;
        count(slot);
    }

    private void removeFirst() {
        final ReplySlot slot = head;
        head = slot.next;
        if (head == null) {
            tail = null;
        } else {
            head.previous = null;
        }
        uncount(slot);
        slots.giveBack(slot);
    }

    private void count(final ReplySlot slot) {
        heldBytes += slot.counted();
        tally(slot, 1);
    }

    private void uncount(final ReplySlot slot) {
        heldBytes -= slot.counted;
        tally(slot, -1);
    }

    private void tally(final ReplySlot slot, final int by) {
        if (slot.type == SlotType.PUSH) {
            heldPushes += by;
            return;
        }
        commands += by;
        switch (slot.type) {
            case FORWARD -> {
                forwarded += by;
                if (slot.has(ReplySlot.BLOCKING) && !slot.started) {
                    blocking += by;
                }
            }
            case PUBLISH -> publishes += by;
            case CONFIRM -> {
                subscriptions += by;
                if (slot.started && by < 0) {
                    startedConfirms--;
                }
            }
            case REPLY, CLOSE, PUSH -> {
                // Not waited for by any kind.
            }
        }
    }
}
