// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.linux.Memory;
import goblin.pubsub.Kind;

/**
 * What this edge wants of one name: the weight it should have at the host, the weight it was last told, and the
 * changes that wait for an acknowledgement. Owned by the {@link InterestTable}.
 */
final class Interest {
    final Kind kind;
    final long hash;
    /** The name's bytes; freed by {@link #free()}. */
    final long name;

    final int nameLength;
    /** Logical clients, changed when a command is read. */
    int wanted;
    /** The weight in the last message. */
    int sent;
    /** The last message's sequence while it is unacknowledged, else 0. */
    long sequence;
    /** How many of the oldest changes the unacknowledged message includes. */
    int included;
    /** Whether it stands in the table's list of names to settle. */
    boolean dirty;

    int changes;
    Change firstChange;
    Change lastChange;
    Interest next;

    Interest(final Kind kind, final long name, final int nameLength, final long hash) {
        this.kind = kind;
        this.hash = hash;
        this.nameLength = nameLength;
        this.name = Memory.allocate(Math.max(1, nameLength));
        Memory.copy(name, this.name, nameLength);
    }

    boolean is(final Kind otherKind, final long otherName, final int otherLength, final long otherHash) {
        return hash == otherHash
                && kind == otherKind
                && nameLength == otherLength
                && Memory.equal(name, otherName, nameLength);
    }

    boolean isIdle() {
        return wanted == 0 && sent == 0 && sequence == 0 && changes == 0;
    }

    void add(final Change change) {
        if (lastChange == null) {
            firstChange = change;
        } else {
            lastChange.next = change;
        }
        lastChange = change;
        changes++;
    }

    Change takeChange() {
        final Change change = firstChange;
        firstChange = change.next;
        if (firstChange == null) {
            lastChange = null;
        }
        change.next = null;
        changes--;
        return change;
    }

    /** Whether nobody but one client, or nobody at all, waits for something here. */
    boolean changesAreOfOneClient() {
        for (Change change = firstChange; change != null; change = change.next) {
            if (change.client != firstChange.client) {
                return false;
            }
        }
        return true;
    }

    /** Whether the first who waits here held the name until now. */
    boolean beginsWithLeaving() {
        return firstChange != null && !firstChange.join;
    }

    void free() {
        Memory.free(name);
    }

    /** One client's joining or leaving of a name, on its way to the host. */
    static final class Change {
        final Interest interest;
        final ClientSession client;
        final boolean join;
        /** The confirmation that waits for it. */
        final ReplySlot slot;

        private Change next;

        Change(final Interest interest, final ClientSession client, final boolean join, final ReplySlot slot) {
            this.interest = interest;
            this.client = client;
            this.join = join;
            this.slot = slot;
        }
    }
}
