// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.natural;
import static goblin.host.command.CollectionKeys.removed;

import goblin.host.command.ListMoves.PopRequest;
import goblin.host.keyspace.Entry;
import goblin.host.value.SkipList;
import goblin.host.value.SortedSetValue;

/** Pops from either end of sorted sets; the blocking forms use the same steps. */
final class SortedSetPops {
    private SortedSetPops() {}

    static void register(CommandTable table) {
        SortedSetCommands.add(table, "ZPOPMIN", -2, call -> pop(call, true), "5.0.0", Flag.WRITE, Flag.FAST);
        SortedSetCommands.add(table, "ZPOPMAX", -2, call -> pop(call, false), "5.0.0", Flag.WRITE, Flag.FAST);
        table.add("ZMPOP", -4, Refusal.answered(SortedSetPops::popFromFirst), Flag.WRITE, Flag.MOVABLE_KEYS)
                .keys(KeysFinder.counted(1))
                .group("sorted-set", "7.0.0");
    }

    private static void pop(Call call, boolean lowest) {
        if (call.count() > 3) {
            throw Refusal.syntax();
        }
        boolean counted = call.count() == 3;
        long count = counted ? natural(call, 2) : 1;
        Entry entry = call.write(1);
        SortedSetValue set = CollectionKeys.sortedSet(entry);
        int popped = set == null ? 0 : (int) Math.min(count, set.size());
        boolean pairs = counted && call.reply().protocol() > 2;
        call.reply().array(pairs ? popped : popped * 2);
        if (popped > 0) {
            pop(call, entry, set, lowest, popped, pairs);
        }
    }

    /** Answers so many members and scores one after another, without an array around them. */
    static void popFlat(Call call, Entry entry, SortedSetValue set, boolean lowest, int count) {
        pop(call, entry, set, lowest, count, false);
    }

    private static void pop(Call call, Entry entry, SortedSetValue set, boolean lowest, int count, boolean pairs) {
        for (int i = 0; i < count; i++) {
            SkipList.Node node = lowest ? set.order().first() : set.order().last();
            if (pairs) {
                call.reply().array(2);
            }
            CollectionKeys.bulk(call, node.member());
            call.reply().real(node.score());
            set.remove(node);
        }
        String event = lowest ? "zpopmin" : "zpopmax";
        removed(call, entry, set.size() == 0, EventClass.SORTED_SET, event, count);
    }

    private static void popFromFirst(Call call) {
        if (!tryPop(call, PopRequest.parse(call, 1, "MIN", "MAX"))) {
            call.reply().nullArray();
        }
    }

    /**
     * Pops from the first sorted set there is and answers its key and the members with scores.
     *
     * @return false when there is none; nothing was answered then
     */
    static boolean tryPop(Call call, PopRequest request) {
        for (int i = request.firstKey(); i < request.firstKey() + request.keys(); i++) {
            Entry entry = call.write(i);
            SortedSetValue set = CollectionKeys.sortedSet(entry);
            if (set != null) {
                int popped = (int) Math.min(request.count(), set.size());
                call.reply().array(2);
                call.bulk(i);
                call.reply().array(popped);
                pop(call, entry, set, request.fromLow(), popped, true);
                return true;
            }
        }
        return false;
    }
}
