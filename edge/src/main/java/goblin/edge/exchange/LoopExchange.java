// SPDX-License-Identifier: Apache-2.0
package goblin.edge.exchange;

import goblin.net.FaultReporter;
import goblin.net.LoopPoller;
import goblin.net.SharedBytes;
import goblin.pubsub.Kind;

/**
 * One loop's part of an {@link Exchange}. All methods are called on the loop's thread, but {@link #bind}, before any loop
 * runs, and {@link #counter}. Nothing is allocated in the steady state, names of control messages excepted.
 *
 * <p>Sending never fails and never waits: what finds a ring full is kept, in order, and moved at the next turn.
 * Publications are bounded by {@link #takes}, which the publisher asks before.
 *
 * <p><b>How to publish.</b> If other loops have an interest: {@link #publish}, {@link #drainThrough}, then deliver to this
 * loop's clients. If none has: {@link #catchUp}, deliver, then publish for the uplink. Then all loops see all publications
 * in one order, and none before another that somebody had seen when it was made.
 *
 * @param <O> the owner of a publication
 * @param <S> where its answer goes
 */
@SuppressWarnings("EnumOrdinal") // a Kind's number stays within the process
public final class LoopExchange<O, S> implements LoopPoller {
    /** {@link #publish} returns it when no ticket was taken. */
    public static final long NO_TICKET = Message.NO_TICKET;

    private static final int HOME = 0;
    private static final int MESSAGES_A_TURN = 256;
    private static final int SPINS_BEFORE_YIELD = 200;

    private final int loop;
    private final long others;
    private final Tickets tickets;
    private final Sleepers sleepers;
    private final Shipments<O, S> shipments;
    private final Outbound outbound;
    private final Inbound inbound;
    private final Incoming<O, S> incoming;
    private final ExchangeCounters counters;
    private ExchangeHandler<O, S> handler;
    /** Every publication with a smaller ticket has been handled, or is this loop's own. */
    private long handledBelow;

    private boolean refused;
    private boolean pressed;
    private int blockedPolls;

    LoopExchange(
            final int loop,
            final long others,
            final Tickets tickets,
            final Sleepers sleepers,
            final Shipments<O, S> shipments,
            final Outbound outbound,
            final Inbound inbound,
            final Incoming<O, S> incoming,
            final ExchangeCounters counters) {
        this.loop = loop;
        this.others = others;
        this.tickets = tickets;
        this.sleepers = sleepers;
        this.shipments = shipments;
        this.outbound = outbound;
        this.inbound = inbound;
        this.incoming = incoming;
        this.counters = counters;
    }

    /**
     * Says how the loop is woken and who handles its messages; faults go to standard error.
     *
     * @param waker wakes the loop, from any thread
     * @param with  handles messages
     */
    public void bind(final Runnable waker, final ExchangeHandler<O, S> with) {
        bind(waker, with, FaultReporter.STANDARD_ERROR);
    }

    /**
     * Says how the loop is woken, who handles its messages and who is told what that throws.
     *
     * @param waker  wakes the loop, from any thread
     * @param with   handles messages
     * @param faults told what the handler throws
     */
    public void bind(final Runnable waker, final ExchangeHandler<O, S> with, final FaultReporter faults) {
        handler = with;
        incoming.bind(with, faults);
        sleepers.bind(loop, waker);
    }

    /**
     * The loop's number.
     *
     * @return 0 for home
     */
    public int loop() {
        return loop;
    }

    /**
     * All other loops.
     *
     * @return a mask, bit i for loop i
     */
    public long others() {
        return others;
    }

    // ---- publications

    /**
     * Tells whether a publication may be made now. If not, {@link ExchangeHandler#onTakes} is called when half is free.
     *
     * @param bytes channel and payload
     * @return whether the bound on unanswered publications allows it, and nothing is spilled
     */
    public boolean takes(final long bytes) {
        if (shipments.takes(bytes) && !outbound.isSpilled()) {
            return true;
        }
        refused = true;
        return false;
    }

    /**
     * Tells whether who cannot be made to wait publication by publication should stop. If so,
     * {@link ExchangeHandler#onRelieved} is called when a quarter is left.
     *
     * @return whether more than half of the bound is unanswered, or something is spilled
     */
    public boolean isPressed() {
        if (shipments.isHalfFree() && !outbound.isSpilled()) {
            return false;
        }
        pressed = true;
        return true;
    }

    /**
     * Hands a publication to other loops; its bytes are copied once. {@link ExchangeHandler#onCompleted} follows, later, if
     * there is an owner or a slot.
     *
     * @param loops         mask of the other loops that are to deliver it
     * @param uplink        home is to send it to the host; not for home itself
     * @param kind          CHANNEL or SHARD
     * @param channel       first byte of the channel
     * @param channelLength its bytes
     * @param payload       first byte of the payload
     * @param payloadLength its bytes
     * @param owner         given back with the answer, or null
     * @param slot          given back with the answer, or null
     * @return its ticket, for {@link #drainThrough}, or {@link #NO_TICKET} when no loop is to deliver it
     */
    public long publish(
            final long loops,
            final boolean uplink,
            final Kind kind,
            final long channel,
            final int channelLength,
            final long payload,
            final int payloadLength,
            final O owner,
            final S slot) {
        final long home = uplink ? 1L << HOME : 0;
        final long recipients = loops | home;
        if (recipients == 0 || (recipients & ~others) != 0) {
            throw new IllegalArgumentException(
                    "a publication of loop " + loop + " to " + Long.toBinaryString(recipients));
        }
        final Shipment<O, S> shipment = shipments.make(
                channel, channelLength, payload, payloadLength, Long.bitCount(recipients), uplink, owner, slot);
        counters.increment(ExchangeCounter.PUBLICATIONS_HANDED_OVER);
        long ticket = NO_TICKET;
        if (loops != 0) {
            outbound.claim(loops);
            ticket = outbound.takeTicket();
        }
        for (long left = loops; left != 0; left &= left - 1) {
            final int to = Long.numberOfTrailingZeros(left);
            final int flags = kind.ordinal() | Message.DELIVER | (uplink && to == HOME ? Message.UPLINK : 0);
            outbound.publish(to, ticket, shipment, flags, channelLength, payloadLength);
        }
        if ((home & ~loops) != 0) {
            outbound.send(
                    HOME,
                    Message.PUBLICATION,
                    NO_TICKET,
                    shipment.bytes.address(),
                    shipment.token,
                    kind.ordinal() | Message.UPLINK,
                    channelLength,
                    payloadLength);
        }
        outbound.wake();
        return ticket;
    }

    /**
     * Handles all publications of other loops with a smaller ticket; waits for those that are just being handed over.
     *
     * @param ticket of a publication of this loop
     */
    public void drainThrough(final long ticket) {
        drainBelow(ticket);
        handledBelow = ticket + 1;
    }

    /**
     * Handles all publications that were made before now, by whatever loop; waits for those that are just being handed
     * over. To be called before a publication without a ticket is delivered to this loop's clients.
     */
    public void catchUp() {
        final long next = tickets.next();
        if (next != handledBelow) {
            drainBelow(next);
            handledBelow = next;
        }
    }

    private void drainBelow(final long ticket) {
        if (incoming.isBusy()) {
            throw new IllegalStateException("drained by a handler of the exchange");
        }
        int spins = 0;
        while (true) {
            inbound.advance(ticket, Integer.MAX_VALUE);
            if (inbound.settled() == ticket) {
                break;
            }
            if (spins == 0) {
                counters.increment(ExchangeCounter.WAITS_FOR_TICKET);
            }
            pause(++spins);
            // The one that we wait for may wait for room in a ring that only we can empty, and we for his.
            outbound.flushSpills();
            outbound.wake();
        }
        outbound.wake();
    }

    /** The loop that is just handing over may need this CPU for it: it is between two stores, or was kept from running. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(final int spins) {
        if (spins > SPINS_BEFORE_YIELD) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    /**
     * Publications without all their answers.
     *
     * @return 0 when all are answered
     */
    public int unanswered() {
        return shipments.unanswered();
    }

    /**
     * Their channels and payloads.
     *
     * @return bytes
     */
    public long unansweredBytes() {
        return shipments.unansweredBytes();
    }

    /** Forgets owners and slots of all that is unanswered: {@link ExchangeHandler#onCompleted} is not called for it. */
    public void dropCompletions() {
        shipments.dropCompletions();
    }

    /**
     * While {@link ExchangeHandler#onPublication} runs: the payload and its line end, without a copy. The caller releases it
     * once; the publishing loop gets its memory back when nobody here retains it any more.
     *
     * @return the bytes, retained once for the caller
     */
    public SharedBytes lendPayload() {
        return incoming.lendPayload();
    }

    /**
     * While {@link ExchangeHandler#onPublication} runs: tells whether the same loop's next message is here already, so that
     * what is delivered may wait for it.
     *
     * @return false when nothing follows as yet
     */
    public boolean moreFollows() {
        return inbound.moreFollows(incoming.publisher());
    }

    // ---- control messages

    /**
     * To home: this loop wants a weight at the host.
     *
     * @param sequence   comes back by {@link ExchangeHandler#onAcked}
     * @param kind       the name's kind
     * @param weight     the weight wanted
     * @param name       first byte of the name, which is copied
     * @param nameLength its bytes
     */
    public void want(final long sequence, final Kind kind, final int weight, final long name, final int nameLength) {
        sendName(HOME, Message.WANT, sequence, weight, kind, name, nameLength);
    }

    /**
     * From home: what a loop wanted holds.
     *
     * @param to       the loop
     * @param sequence as given to {@link #want}
     */
    public void acked(final int to, final long sequence) {
        outbound.send(to, Message.ACKED, sequence, 0, 0, 0, 0, 0);
    }

    /**
     * From home: a loop has an interest from now on.
     *
     * @param to         who is told
     * @param ofLoop     the loop with the interest
     * @param kind       the name's kind
     * @param name       first byte of the name, which is copied
     * @param nameLength its bytes
     * @param number     comes back by {@link ExchangeHandler#onHeld}
     */
    public void peerOn(
            final int to, final int ofLoop, final Kind kind, final long name, final int nameLength, final long number) {
        sendName(to, Message.PEER_ON, number, ofLoop, kind, name, nameLength);
    }

    /**
     * From home: a loop's interest has ended.
     *
     * @param to         who is told
     * @param ofLoop     the loop that had the interest
     * @param kind       the name's kind
     * @param name       first byte of the name, which is copied
     * @param nameLength its bytes
     */
    public void peerOff(final int to, final int ofLoop, final Kind kind, final long name, final int nameLength) {
        sendName(to, Message.PEER_OFF, 0, ofLoop, kind, name, nameLength);
    }

    /**
     * To home: this loop holds all peer interests up to a number.
     *
     * @param number of the last one
     */
    public void held(final long number) {
        outbound.send(HOME, Message.HELD, number, 0, 0, 0, 0, 0);
    }

    /**
     * To home: a fence is wanted at the host.
     *
     * @param sequence comes back by {@link ExchangeHandler#onFenced}
     */
    public void fence(final long sequence) {
        outbound.send(HOME, Message.FENCE, sequence, 0, 0, 0, 0, 0);
    }

    /**
     * From home: a loop's fence has come back.
     *
     * @param to       the loop
     * @param sequence as given to {@link #fence}
     */
    public void fenced(final int to, final long sequence) {
        outbound.send(to, Message.FENCED, sequence, 0, 0, 0, 0, 0);
    }

    /**
     * From home: the host has answered a publication that was sent up for a loop.
     *
     * @param to        the loop
     * @param token     from {@link ExchangeHandler#onPublication}
     * @param receivers what the host counted
     */
    public void published(final int to, final int token, final long receivers) {
        outbound.send(to, Message.PUBLISHED, receivers, 0, token, 0, 0, 0);
    }

    private void sendName(
            final int to,
            final int type,
            final long first,
            final int number,
            final Kind kind,
            final long name,
            final int nameLength) {
        outbound.send(to, type, first, Message.copyOfName(name, nameLength), number, kind.ordinal(), nameLength, 0);
    }

    // ---- the turn

    @Override
    public int poll() {
        if (incoming.isBusy()) {
            return 0;
        }
        outbound.flushSpills();
        int handled = inbound.look(MESSAGES_A_TURN);
        if (inbound.hasTicket() && handled < MESSAGES_A_TURN) {
            handled += mergeTurn(MESSAGES_A_TURN - handled);
        }
        outbound.wake();
        relieve();
        return handled;
    }

    private int mergeTurn(final int most) {
        final int handled = inbound.advance(tickets.next(), most);
        if (handled < most) {
            handledBelow = Math.max(handledBelow, inbound.settled());
        }
        blockedPolls = handled > 0 ? 0 : blockedPolls + 1;
        if (blockedPolls > 0) {
            pause(blockedPolls);
        }
        return handled;
    }

    /** Moves what was spilled and wakes whom the turn wrote to. At the end of each turn, after all that may send. */
    public void flushTurn() {
        outbound.flushSpills();
        outbound.wake();
        relieve();
    }

    private void relieve() {
        if (outbound.isSpilled()) {
            return;
        }
        if (refused && shipments.isHalfFree()) {
            refused = false;
            handler.onTakes();
        }
        if (pressed && shipments.isQuarterFull()) {
            pressed = false;
            handler.onRelieved();
        }
    }

    @Override
    public boolean prepareSleep() {
        outbound.flushSpills();
        outbound.wake();
        sleepers.fallAsleep(loop);
        return !outbound.isSpilled() && !inbound.hasMore();
    }

    @Override
    public void awake() {
        sleepers.awake(loop);
    }

    /** The loop ends, for whatever reason: the others wait for nothing that it has not handed over. */
    @Override
    public void close() {
        outbound.flushSpills();
        outbound.wake();
        outbound.abandon();
    }

    /**
     * Reads a counter, from any thread.
     *
     * @param counter which
     * @return its value
     */
    public long counter(final ExchangeCounter counter) {
        return counters.getOpaque(counter);
    }

    /**
     * Publications of this loop that are held for others, and payloads of others that are held here.
     *
     * @return their bytes, 0 when all were given back
     */
    public long liveBytes() {
        return shipments.liveBytes() + incoming.lentBytes();
    }

    /** Frees everything; all threads have ended. */
    void free() {
        inbound.discard();
        outbound.discard();
        incoming.close();
        shipments.close();
    }
}
