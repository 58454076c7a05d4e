// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.linux.Memory;
import goblin.pubsub.Kind;
import java.util.ArrayDeque;

/**
 * The home's sum of what all loops want of each name. A loop's wish goes to the host, in the order in which wishes came,
 * when every loop that may publish holds the interest: so what it confirms to its clients is true at the host and on all
 * loops. One message to the host for each wish, and one acknowledgement back to the loop that had it.
 */
final class InterestHub {
    /** Where the hub's messages go. */
    interface Way {
        /** To the host: the weight of all loops together. */
        void setInterest(long sequence, Kind kind, int weight, long name, int nameLength);

        /** To a loop, at this place of the aggregate stream: the host holds its wish. */
        void acknowledged(int loop, long sequence);

        /** To all loops but the one that has it: they hold the interest and confirm the number with {@link #held}. */
        void peerOn(int loop, Kind kind, long name, int nameLength, long number);

        /** To the same loops: it has no interest any more. */
        void peerOff(int loop, Kind kind, long name, int nameLength);
    }

    private static final int HOME = 0;
    private static final int FIRST_BUCKETS = 64;

    private final int loops;
    private final Way way;
    private final long[] held;
    private final ArrayDeque<Wish> waiting = new ArrayDeque<>();
    private final ArrayDeque<Wish> unacknowledged = new ArrayDeque<>();
    private Name[] buckets = new Name[FIRST_BUCKETS];
    private int size;
    private long lastSequence;
    private long lastNumber;

    InterestHub(final int loops, final Way way) {
        this.loops = loops;
        this.way = way;
        held = new long[loops];
    }

    /**
     * A loop wants another weight of a name.
     *
     * @param sequence by which the loop knows it, see {@link Way#acknowledged}
     */
    void want(
            final int loop,
            final long sequence,
            final Kind kind,
            final int weight,
            final long name,
            final int nameLength) {
        final Name entry = obtain(kind, name, nameLength);
        if (weight > 0 && entry.number[loop] == 0) {
            entry.number[loop] = ++lastNumber;
            way.peerOn(loop, kind, entry.name, nameLength, lastNumber);
        }
        entry.open[loop]++;
        waiting.add(new Wish(entry, loop, sequence, weight, weight > 0 ? entry.number[loop] : 0));
        sendHeld();
    }

    /** A loop holds all interests up to a number that it was told of. */
    void held(final int loop, final long number) {
        held[loop] = number;
        sendHeld();
    }

    /**
     * The host holds the weight of a message.
     *
     * @return false when the sequence is not the one that is due: the link is broken
     */
    boolean acknowledged(final long sequence) {
        final Wish wish = unacknowledged.peek();
        if (wish == null || wish.hostSequence != sequence) {
            return false;
        }
        unacknowledged.remove();
        final Name entry = wish.name;
        entry.open[wish.loop]--;
        way.acknowledged(wish.loop, wish.sequence);
        if (wish.weight == 0 && entry.open[wish.loop] == 0 && entry.number[wish.loop] != 0) {
            entry.number[wish.loop] = 0;
            way.peerOff(wish.loop, entry.kind, entry.name, entry.nameLength);
        }
        if (entry.isIdle()) {
            remove(entry);
        }
        return true;
    }

    /** Names that a loop wants, those being removed included. */
    int size() {
        return size;
    }

    /** Frees the names. */
    void close() {
        for (final Name chain : buckets) {
            for (Name each = chain; each != null; each = each.next) {
                Memory.free(each.name);
            }
        }
        buckets = new Name[FIRST_BUCKETS];
        size = 0;
    }

    private void sendHeld() {
        Wish wish = waiting.peek();
        while (wish != null && isHeld(wish)) {
            waiting.remove();
            final Name entry = wish.name;
            entry.total += wish.weight - entry.sent[wish.loop];
            entry.sent[wish.loop] = wish.weight;
            wish.hostSequence = ++lastSequence;
            unacknowledged.add(wish);
            way.setInterest(lastSequence, entry.kind, entry.total, entry.name, entry.nameLength);
            wish = waiting.peek();
        }
    }

    private boolean isHeld(final Wish wish) {
        for (int loop = HOME + 1; loop < loops; loop++) {
            if (loop != wish.loop && held[loop] < wish.needed) {
                return false;
            }
        }
        return true;
    }

    private Name obtain(final Kind kind, final long name, final int length) {
        final long hash = Memory.hash(name, length);
        Name entry = buckets[(int) hash & buckets.length - 1];
        while (entry != null && !entry.is(kind, name, length, hash)) {
            entry = entry.next;
        }
        if (entry == null) {
            if (size >= buckets.length) {
                grow();
            }
            entry = new Name(kind, name, length, hash, loops);
            final int bucket = (int) hash & buckets.length - 1;
            entry.next = buckets[bucket];
            buckets[bucket] = entry;
            size++;
        }
        return entry;
    }

    private void remove(final Name entry) {
        final int bucket = (int) entry.hash & buckets.length - 1;
        Name before = null;
        for (Name each = buckets[bucket]; each != entry; each = each.next) {
            before = each;
        }
        if (before == null) {
            buckets[bucket] = entry.next;
        } else {
            before.next = entry.next;
        }
        size--;
        Memory.free(entry.name);
    }

    private void grow() {
        final Name[] old = buckets;
        buckets = new Name[old.length * 2];
        for (final Name chain : old) {
            Name entry = chain;
            while (entry != null) {
                final Name following = entry.next;
                final int bucket = (int) entry.hash & buckets.length - 1;
                entry.next = buckets[bucket];
                buckets[bucket] = entry;
                entry = following;
            }
        }
    }

    /** One name and what each loop wants of it. */
    private static final class Name {
        private final Kind kind;
        private final long hash;
        private final long name;
        private final int nameLength;
        /** The weight of each loop in the last message to the host that is about it, and their sum. */
        private final int[] sent;

        private int total;
        /** Wishes of each loop that are not acknowledged. */
        private final int[] open;
        /** By which number the others were told of each loop's interest; 0 when they were not. */
        private final long[] number;

        private Name next;

        private Name(final Kind kind, final long name, final int nameLength, final long hash, final int loops) {
            this.kind = kind;
            this.hash = hash;
            this.nameLength = nameLength;
            this.name = Memory.allocate(Math.max(1, nameLength));
            Memory.copy(name, this.name, nameLength);
            sent = new int[loops];
            open = new int[loops];
            number = new long[loops];
        }

        private boolean is(final Kind otherKind, final long otherName, final int otherLength, final long otherHash) {
            return hash == otherHash
                    && kind == otherKind
                    && nameLength == otherLength
                    && Memory.equal(name, otherName, nameLength);
        }

        private boolean isIdle() {
            int busy = total;
            for (final int each : open) {
                busy |= each;
            }
            return busy == 0;
        }
    }

    /** One loop's wish on its way to the host. */
    private static final class Wish {
        private final Name name;
        private final int loop;
        private final long sequence;
        private final int weight;
        /** The number that the other loops must hold. */
        private final long needed;

        private long hostSequence;

        private Wish(final Name name, final int loop, final long sequence, final int weight, final long needed) {
            this.name = name;
            this.loop = loop;
            this.sequence = sequence;
            this.weight = weight;
            this.needed = needed;
        }
    }
}
