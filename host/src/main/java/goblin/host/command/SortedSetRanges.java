// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.removed;

import goblin.host.keyspace.Entry;
import goblin.host.value.SkipList;
import goblin.host.value.SortedSetValue;

/** Ranges of sorted sets by rank, score and bytes: reading, counting, storing and removing them. */
final class SortedSetRanges {
    private SortedSetRanges() {}

    static void register(CommandTable table) {
        read(table, "ZRANGE", new RangeQuery.Form(null, false, true), "1.2.0");
        read(table, "ZREVRANGE", new RangeQuery.Form(RangeQuery.By.RANK, true, false), "1.2.0");
        read(table, "ZRANGEBYSCORE", new RangeQuery.Form(RangeQuery.By.SCORE, false, false), "1.0.5");
        read(table, "ZREVRANGEBYSCORE", new RangeQuery.Form(RangeQuery.By.SCORE, true, false), "2.2.0");
        read(table, "ZRANGEBYLEX", new RangeQuery.Form(RangeQuery.By.LEX, false, false), "2.8.9");
        read(table, "ZREVRANGEBYLEX", new RangeQuery.Form(RangeQuery.By.LEX, true, false), "2.8.9");
        table.add("ZRANGESTORE", -5, Refusal.answered(SortedSetRanges::store), Flag.WRITE, Flag.DENYOOM)
                .keys(1, 2, 1)
                .group("sorted-set", "6.2.0");
        count(table, "ZCOUNT", RangeQuery.By.SCORE, "2.0.0");
        count(table, "ZLEXCOUNT", RangeQuery.By.LEX, "2.8.9");
        remove(table, "ZREMRANGEBYRANK", RangeQuery.By.RANK, "2.0.0");
        remove(table, "ZREMRANGEBYSCORE", RangeQuery.By.SCORE, "1.2.0");
        remove(table, "ZREMRANGEBYLEX", RangeQuery.By.LEX, "2.8.9");
    }

    private static void read(CommandTable table, String name, RangeQuery.Form form, String since) {
        SortedSetCommands.add(table, name, -4, call -> answer(call, form), since, Flag.READONLY);
    }

    private static void count(CommandTable table, String name, RangeQuery.By by, String since) {
        SortedSetCommands.add(table, name, 4, call -> count(call, by), since, Flag.READONLY, Flag.FAST);
    }

    private static void remove(CommandTable table, String name, RangeQuery.By by, String since) {
        SortedSetCommands.add(table, name, 4, call -> remove(call, by), since, Flag.WRITE);
    }

    private static void answer(Call call, RangeQuery.Form form) {
        RangeQuery query = RangeQuery.parse(call, 2, form, false);
        SortedSetValue set = CollectionKeys.sortedSet(call.read(1));
        if (set == null) {
            call.reply().array(0);
            return;
        }
        query.resolve(set);
        SortedSetCommands.beginPairs(call, query.size(), query.withScores());
        SkipList.Node node = query.first(set);
        for (int i = 0; i < query.size(); i++) {
            SortedSetCommands.answerPair(call, node.member(), node.score(), query.withScores());
            node = query.next(node);
        }
    }

    private static void store(Call call) {
        RangeQuery query = RangeQuery.parse(call, 3, new RangeQuery.Form(null, false, true), true);
        SortedSetValue set = CollectionKeys.sortedSet(call.read(2));
        SortedSetValue result = new SortedSetValue(call.server().settings().encodingLimits());
        if (set != null) {
            query.resolve(set);
            SkipList.Node node = query.first(set);
            for (int i = 0; i < query.size(); i++) {
                result.append(node.member(), node.score());
                node = query.next(node);
            }
        }
        boolean isEmpty = result.size() == 0;
        CollectionKeys.store(call, 1, isEmpty ? null : result, EventClass.SORTED_SET, "zrangestore");
        call.reply().integer(result.size());
    }

    private static void count(Call call, RangeQuery.By by) {
        RangeQuery query = RangeQuery.parse(call, 2, new RangeQuery.Form(by, false, false), false);
        SortedSetValue set = CollectionKeys.sortedSet(call.read(1));
        if (set != null) {
            query.resolve(set);
        }
        call.reply().integer(set == null ? 0 : query.size());
    }

    private static void remove(Call call, RangeQuery.By by) {
        RangeQuery query = RangeQuery.parse(call, 2, new RangeQuery.Form(by, false, false), false);
        Entry entry = call.write(1);
        SortedSetValue set = CollectionKeys.sortedSet(entry);
        if (set == null) {
            call.reply().integer(0);
            return;
        }
        query.resolve(set);
        SkipList.Node node = query.first(set);
        for (int i = 0; i < query.size(); i++) {
            SkipList.Node next = node.next();
            set.remove(node);
            node = next;
        }
        if (query.size() > 0) {
            removed(
                    call,
                    entry,
                    set.size() == 0,
                    EventClass.SORTED_SET,
                    call.spec().name(),
                    query.size());
        }
        call.reply().integer(query.size());
    }
}
