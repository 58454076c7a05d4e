// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.edge.Interest.Change;
import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;

/**
 * The edge's aggregate interests. Changes of one name are gathered until the end of the turn, and while a message of
 * that name is unacknowledged; what one client did and undid needs no message. A client that leaves while another
 * joins does: what was published before, and is still on its way here, belongs to the one who leaves. A change takes effect in the registry, and its
 * confirmation leaves, at the first acknowledgement whose weight includes it: at that place of the aggregate stream.
 *
 * <p>Nothing here blocks; the specification is "An acknowledgement is a promise" of the edge.
 */
final class InterestTable {
    /** Sends an interest to the host, in order. */
    interface Sender {
        void setInterest(long sequence, Kind kind, int weight, long name, int nameLength);
    }

    /** Makes a change true for local deliveries. */
    interface Effect {
        void take(Change change);
    }

    private static final int FIRST_BUCKETS = 64;

    private final Sender sender;
    private final Effect effect;
    private final boolean behindOthers;
    private final ArrayDeque<Interest> unacknowledged = new ArrayDeque<>();
    private ArrayList<Interest> dirty = new ArrayList<>();
    private ArrayList<Interest> settling = new ArrayList<>();
    private Interest[] buckets = new Interest[FIRST_BUCKETS];
    private int size;
    private long lastSequence;

    /**
     * Makes an empty table.
     *
     * @param behindOthers whether what the host published before a command was read may come here in a later turn: by way of
     *     another loop, or because the link is not read. Then one who leaves and joins again has to wait for it, too
     */
    InterestTable(final Sender sender, final Effect effect, final boolean behindOthers) {
        this.sender = sender;
        this.effect = effect;
        this.behindOthers = behindOthers;
    }

    /** The name's interest, or null. */
    Interest find(final Kind kind, final long name, final int length) {
        final long hash = Memory.hash(name, length);
        return find(kind, name, length, hash);
    }

    private Interest find(final Kind kind, final long name, final int length, final long hash) {
        Interest interest = buckets[(int) hash & buckets.length - 1];
        while (interest != null && !interest.is(kind, name, length, hash)) {
            interest = interest.next;
        }
        return interest;
    }

    /** The name's interest, made when there was none. */
    Interest obtain(final Kind kind, final long name, final int length) {
        final long hash = Memory.hash(name, length);
        Interest interest = find(kind, name, length, hash);
        if (interest == null) {
            if (size >= buckets.length) {
                grow();
            }
            interest = new Interest(kind, name, length, hash);
            final int bucket = (int) hash & buckets.length - 1;
            interest.next = buckets[bucket];
            buckets[bucket] = interest;
            size++;
        }
        return interest;
    }

    /** A client joins or leaves a name; the slot's confirmation waits for it. */
    void change(final Interest interest, final ClientSession client, final boolean join, final ReplySlot slot) {
        interest.wanted += join ? 1 : -1;
        final Change change = new Change(interest, client, join, slot);
        interest.add(change);
        if (!join && client != null) {
            client.leavePending(change);
        }
        markDirty(interest);
    }

    /** A client that held the name has vanished: there is nobody to confirm it to. */
    void vanished(final Interest interest) {
        interest.wanted--;
        markDirty(interest);
    }

    /** Whether changes wait for the end of a turn. */
    boolean hasUnsettled() {
        return !dirty.isEmpty();
    }

    /** Sends what the turn changed, and completes what cancelled out. Called at the end of each turn. */
    void settleTurn() {
        if (dirty.isEmpty()) {
            return;
        }
        final ArrayList<Interest> turn = dirty;
        dirty = settling;
        settling = turn;
        for (int i = 0; i < turn.size(); i++) {
            final Interest interest = turn.get(i);
            interest.dirty = false;
            if (interest.sequence == 0) {
                settle(interest);
            }
        }
        turn.clear();
    }

    /**
     * The host holds the weight of a message.
     *
     * @return false when the sequence is not the one that is due: the link is broken
     */
    boolean acknowledged(final long sequence) {
        final Interest interest = unacknowledged.peek();
        if (interest == null || interest.sequence != sequence) {
            return false;
        }
        unacknowledged.remove();
        interest.sequence = 0;
        takeEffect(interest, interest.included);
        interest.included = 0;
        settle(interest);
        return true;
    }

    /** Names in the table, those being removed included. */
    int size() {
        return size;
    }

    /** Messages without an acknowledgement. */
    int unacknowledged() {
        return unacknowledged.size();
    }

    private void settle(final Interest interest) {
        if (interest.wanted == interest.sent && needsNoMessage(interest)) {
            takeEffect(interest, interest.changes);
            if (interest.isIdle() && !interest.dirty) {
                remove(interest);
            }
            return;
        }
        interest.sequence = ++lastSequence;
        interest.sent = interest.wanted;
        interest.included = interest.changes;
        unacknowledged.add(interest);
        sender.setInterest(lastSequence, interest.kind, interest.sent, interest.name, interest.nameLength);
    }

    private boolean needsNoMessage(final Interest interest) {
        return interest.changesAreOfOneClient() && !(behindOthers && interest.beginsWithLeaving());
    }

    private void takeEffect(final Interest interest, final int count) {
        for (int i = 0; i < count; i++) {
            effect.take(interest.takeChange());
        }
    }

    private void markDirty(final Interest interest) {
        if (!interest.dirty) {
            interest.dirty = true;
            dirty.add(interest);
        }
    }

    private void remove(final Interest interest) {
        final int bucket = (int) interest.hash & buckets.length - 1;
        Interest before = null;
        for (Interest each = buckets[bucket]; each != interest; each = each.next) {
            before = each;
        }
        if (before == null) {
            buckets[bucket] = interest.next;
        } else {
            before.next = interest.next;
        }
        size--;
        interest.free();
    }

    private void grow() {
        final Interest[] old = buckets;
        buckets = new Interest[old.length * 2];
        for (final Interest chain : old) {
            Interest interest = chain;
            while (interest != null) {
                final Interest following = interest.next;
                final int bucket = (int) interest.hash & buckets.length - 1;
                interest.next = buckets[bucket];
                buckets[bucket] = interest;
                interest = following;
            }
        }
    }
}
