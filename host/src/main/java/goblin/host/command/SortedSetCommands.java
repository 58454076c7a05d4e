// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static goblin.host.command.CollectionKeys.changed;
import static goblin.host.command.CollectionKeys.real;
import static goblin.host.command.CollectionKeys.removed;
import static goblin.host.command.CollectionKeys.symmetric;

import goblin.host.keyspace.Entry;
import goblin.host.value.SortedSetValue;
import goblin.resp.Real;

/** Sorted sets: members, scores and ranks. Ranges, pops and combinations have files of their own. */
final class SortedSetCommands {
    private SortedSetCommands() {}

    static void register(CommandTable table) {
        add(table, "ZADD", -4, SortedSetCommands::add, "1.2.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "ZINCRBY", 4, SortedSetCommands::increment, "1.2.0", Flag.WRITE, Flag.DENYOOM, Flag.FAST);
        add(table, "ZREM", -3, SortedSetCommands::remove, "1.2.0", Flag.WRITE, Flag.FAST);
        add(table, "ZCARD", 2, SortedSetCommands::size, "1.2.0", Flag.READONLY, Flag.FAST);
        add(table, "ZSCORE", 3, SortedSetCommands::score, "1.2.0", Flag.READONLY, Flag.FAST);
        add(table, "ZMSCORE", -3, SortedSetCommands::scores, "6.2.0", Flag.READONLY, Flag.FAST);
        add(table, "ZRANK", -3, call -> rank(call, false), "2.0.0", Flag.READONLY, Flag.FAST);
        add(table, "ZREVRANK", -3, call -> rank(call, true), "2.0.0", Flag.READONLY, Flag.FAST);
        add(table, "ZRANDMEMBER", -2, SortedSetCommands::random, "6.2.0", Flag.READONLY);
        add(table, "ZSCAN", -3, SortedSetCommands::scan, "2.8.0", Flag.READONLY);
        SortedSetRanges.register(table);
        SortedSetPops.register(table);
        SortedSetAlgebra.register(table);
    }

    static void add(CommandTable table, String name, int arity, Command command, String since, Flag... flags) {
        table.add(name, arity, Refusal.answered(command), flags).keys(1, 1, 1).group("sorted-set", since);
    }

    private static void add(Call call) {
        ScoreUpdate update = ScoreUpdate.parse(call);
        int pairs = call.count() - update.firstPair;
        if (pairs == 0 || pairs % 2 != 0) {
            throw Refusal.syntax();
        }
        update.check(pairs / 2);
        double[] scores = new double[pairs / 2];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = real(call, update.firstPair + 2 * i, Errors.NOT_A_FLOAT);
        }
        update(call, update, scores);
    }

    private static void increment(Call call) {
        double by = real(call, 2, Errors.NOT_A_FLOAT);
        ScoreUpdate update = new ScoreUpdate();
        update.firstPair = 2;
        update.increment = true;
        update(call, update, new double[] {by});
    }

    private static void update(Call call, ScoreUpdate update, double[] scores) {
        Entry entry = call.write(1);
        SortedSetValue set = CollectionKeys.sortedSet(entry);
        if (set == null) {
            if (update.onlyExisting) {
                answer(call, update);
                return;
            }
            set = new SortedSetValue(call.server().settings().encodingLimits());
        }
        for (int i = 0; i < scores.length; i++) {
            int member = update.firstPair + 2 * i + 1;
            set.noteOffered(scores.length, call.length(member));
            update.apply(set, call, member, scores[i]);
        }
        if (update.added + update.changed > 0) {
            String event = update.increment ? "zincr" : "zadd";
            Entry changedEntry = entry == null ? call.add(1, set) : entry;
            changed(call, changedEntry, EventClass.SORTED_SET, event, update.added + update.changed);
        }
        answer(call, update);
    }

    private static void answer(Call call, ScoreUpdate update) {
        if (!update.increment) {
            call.reply().integer(update.countChanged ? update.added + update.changed : update.added);
        } else if (update.processed) {
            call.reply().real(update.score);
        } else {
            call.reply().nullBulk();
        }
    }

    private static void remove(Call call) {
        Entry entry = call.write(1);
        SortedSetValue set = CollectionKeys.sortedSet(entry);
        int count = 0;
        for (int i = 2; set != null && i < call.count(); i++) {
            int position = set.find(call.address(i), call.length(i));
            if (position >= 0) {
                set.removeAt(position);
                count++;
            }
        }
        if (count > 0) {
            removed(call, entry, set.size() == 0, EventClass.SORTED_SET, "zrem", count);
        }
        call.reply().integer(count);
    }

    private static void size(Call call) {
        SortedSetValue set = CollectionKeys.sortedSet(call.read(1));
        call.reply().integer(set == null ? 0 : set.size());
    }

    private static void score(Call call) {
        answerScore(call, CollectionKeys.sortedSet(call.read(1)), 2);
    }

    private static void scores(Call call) {
        SortedSetValue set = CollectionKeys.sortedSet(call.read(1));
        call.reply().array(call.count() - 2);
        for (int i = 2; i < call.count(); i++) {
            answerScore(call, set, i);
        }
    }

    private static void answerScore(Call call, SortedSetValue set, int member) {
        int position = set == null ? -1 : set.find(call.address(member), call.length(member));
        if (position < 0) {
            call.reply().nullBulk();
        } else {
            call.reply().real(set.score(position));
        }
    }

    private static void rank(Call call, boolean reverse) {
        boolean withScore = call.count() == 4;
        if (call.count() > 4) {
            call.wrongNumberOfArguments();
            return;
        }
        if (withScore && !call.is(3, "WITHSCORE")) {
            throw Refusal.syntax();
        }
        SortedSetValue set = CollectionKeys.sortedSet(call.read(1));
        int position = set == null ? -1 : set.find(call.address(2), call.length(2));
        if (position < 0) {
            if (withScore) {
                call.reply().nullArray();
            } else {
                call.reply().nullBulk();
            }
            return;
        }
        int rank = reverse ? set.size() - 1 - set.rank(position) : set.rank(position);
        if (withScore) {
            call.reply().array(2);
            call.reply().integer(rank);
            call.reply().real(set.score(position));
        } else {
            call.reply().integer(rank);
        }
    }

    private static void random(Call call) {
        if (call.count() == 2) {
            SortedSetValue set = CollectionKeys.sortedSet(call.read(1));
            if (set == null) {
                call.reply().nullBulk();
            } else {
                CollectionKeys.bulk(call, set.member(RandomChoice.one(set.size())));
            }
            return;
        }
        long count = symmetric(call, 2);
        boolean withScores = call.count() == 4 && call.is(3, "WITHSCORES");
        if (call.count() > 4 || (call.count() == 4 && !withScores)) {
            throw Refusal.syntax();
        }
        if (withScores && (count < -Long.MAX_VALUE / 2 || count > Long.MAX_VALUE / 2)) {
            throw new Refusal("ERR value is out of range");
        }
        SortedSetValue set = CollectionKeys.sortedSet(call.read(1));
        if (set == null || count == 0) {
            call.reply().array(0);
            return;
        }
        boolean repeated = count < 0;
        long answers = repeated ? -count : Math.min(count, set.size());
        int[] positions = repeated ? null : RandomChoice.distinct(set.size(), (int) answers);
        beginPairs(call, answers, withScores);
        for (int i = 0; i < answers; i++) {
            int position = repeated ? RandomChoice.one(set.size()) : positions[i];
            answerPair(call, set.member(position), set.score(position), withScores);
        }
    }

    /** Begins an array of members, each followed by its score (RESP2) or paired with it (RESP3). */
    static void beginPairs(Call call, long members, boolean withScores) {
        boolean flat = withScores && call.reply().protocol() == 2;
        call.reply().array(flat ? members * 2 : members);
    }

    /** Answers one member of an array begun with {@link #beginPairs}. */
    static void answerPair(Call call, byte[] member, double score, boolean withScores) {
        if (withScores && call.reply().protocol() > 2) {
            call.reply().array(2);
        }
        CollectionKeys.bulk(call, member);
        if (withScores) {
            call.reply().real(score);
        }
    }

    private static void scan(Call call) {
        ElementScan scan = ElementScan.begin(call);
        SortedSetValue set = CollectionKeys.sortedSet(call.read(1));
        if (set == null) {
            ElementScan.answerNothing(call);
            return;
        }
        scan.parse(call, "NOSCORES");
        int[] positions = scan.select(call, set.scanStart(scan.cursor()), !set.isSkiplist(), set::member);
        scan.answer(call, scan.isBare() ? positions.length : positions.length * 2);
        for (int position : positions) {
            CollectionKeys.bulk(call, set.member(position));
            if (!scan.isBare()) {
                call.reply().bulkAscii(Real.text(set.score(position)));
            }
        }
    }
}
